"""Plots of training, epoch by epoch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from penstock.components.plots.hints import hint_points
from penstock.components.plots.style import (
    PALETTE,
    QUIET,
    amounts,
    by_orders,
    colour,
    house_style,
    new_figure,
    short_number,
    thin_line,
)


@house_style()
def training_curves(history: Mapping[str, Any]) -> Figure:
    """Loss above and error below, of training rows and of those that evaluate; the epoch that was kept is marked."""
    best = history["best_epoch"]
    figure = new_figure(f"Learning by epochs: epoch {best} is kept", height=4.6)
    names = {"training": "training rows", "validation": "rows held out" if history["validated"] else "the same rows"}
    for axes, measure in zip(figure.subplots(2, 1, sharex=True), ("loss", "error"), strict=True):
        for place, (part, name) in enumerate(names.items()):
            values = np.array(history["series"][f"{part}_{measure}"])
            _line(axes, values, f"{measure} of {name}", color=PALETTE[place], label=name)
        kept = history["series"][f"validation_{measure}"][best - 1]
        axes.axvline(best, color=QUIET, linewidth=1, linestyle="--", label=f"kept: epoch {best}")
        axes.plot(best, kept, "o", markersize=10, markerfacecolor="none", color=PALETTE[1])
        axes.set_ylabel(history[measure])
        amounts(axes.yaxis)
    axes.set_xlabel("Epoch")
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


@house_style()
def gradient_norms(history: Mapping[str, Any]) -> Figure:
    """A line for each layer, the first layer being the one next to the columns."""
    figure = new_figure("The norm of the gradient, layer by layer", height=3.8)
    axes = figure.subplots()
    norms = np.array(history["gradient_norms"])
    for layer, values in enumerate(np.where(norms > 0, norms, np.nan).T):  # zero has no place among orders of magnitude
        _line(axes, values, f"layer {layer + 1}", color=colour(layer), label=f"layer {layer + 1}")
    if (norms > 0).any():
        by_orders(axes, "y")
        orders = np.log10(norms[norms > 0])
        axes.set_ylim(10 ** np.floor(orders.min()), 10 ** np.floor(orders.max() + 1))  # else no tick might be seen
    axes.set_xlabel("Epoch")
    axes.set_ylabel("Norm of the gradient")
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    figure.legend(loc="outside lower center", ncols=4)
    return figure


def _line(axes: Axes, values: np.ndarray[Any, Any], words: str, **look: Any) -> None:
    epochs = np.arange(1.0, len(values) + 1)
    x, y = thin_line(epochs, values)
    axes.plot(x, y, marker="o" if len(x) == 1 else None, **look)
    known = np.isfinite(y)
    x, y = x[known], y[known]
    said = [f"epoch {epoch:.0f}, {words}: {short_number(value)}" for epoch, value in zip(x, y, strict=True)]
    hint_points(axes, x, y, said)
