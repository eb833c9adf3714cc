"""Plots of bounds, capacity, separability, bias and variance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from penstock.components.plots.hints import hint_boxes, hint_points
from penstock.components.plots.style import (
    QUIET,
    amounts,
    by_orders,
    colour,
    house_style,
    label,
    new_figure,
    short_number,
    tint,
)

Array = np.ndarray[Any, Any]
BINS = 30


@house_style()
def curves(
    title: str,
    x: Sequence[float],
    lines: Mapping[str, Sequence[float]],
    *,
    across: str,
    up: str,
    marks: Mapping[str, float] | None = None,
    levels: Mapping[str, float] | None = None,
    log: Sequence[Literal["x", "y"]] = (),
) -> Figure:
    """Lines over x; `marks` are upright lines, `levels` lying ones, each with its name. `log`: axes by orders."""
    figure = new_figure(title, height=3.6)
    axes = figure.subplots()
    for place, (name, values) in enumerate(lines.items()):
        axes.plot(x, values, "o-" if len(x) < BINS else "-", color=colour(place), label=name, markersize=4)
        words = (
            f"{name}, {across.lower()} {short_number(at)}: {short_number(value)}"
            for at, value in zip(x, values, strict=True)
        )
        hint_points(axes, x, values, words)
    for draw, found, style in ((axes.axvline, marks, "--"), (axes.axhline, levels, ":")):
        for name, value in (found or {}).items():
            draw(value, color=QUIET, linewidth=1, linestyle=style, label=name)
    amounts(axes.xaxis, axes.yaxis)
    by_orders(axes, *log)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    figure.legend(loc="outside lower center", ncols=3, fontsize=8)
    return figure


@house_style()
def stacked(
    title: str,
    names: Sequence[str],
    parts: Mapping[str, Sequence[float]],
    up: str,
    measured: Sequence[float] | None = None,
) -> Figure:
    """Parts that sum to a whole, for each name; `measured` is what the whole turned out to be."""
    figure = new_figure(title, height=3.6)
    axes = figure.subplots()
    places, base = np.arange(len(names)), np.zeros(len(names))
    for place, (part, values) in enumerate(parts.items()):
        tops = base + np.asarray(values, dtype=float)
        axes.bar(places, values, bottom=base, width=0.6, color=colour(place), alpha=0.75, label=part)
        words = (f"{name}, {part}: {short_number(value)}" for name, value in zip(names, values, strict=True))
        hint_boxes(axes, places - 0.3, base, places + 0.3, tops, words)
        base = tops
    if measured is not None:
        axes.plot(places, measured, "D", color=colour(len(parts)), label="measured", markersize=5)
    axes.set_xticks(places, [label(name, 14) for name in names], rotation=0 if len(names) < 5 else 30)
    axes.grid(visible=False, axis="x")
    amounts(axes.yaxis)
    axes.set_ylabel(up)
    figure.legend(loc="outside lower center", ncols=4, fontsize=8)
    return figure


@house_style()
def two_sides(title: str, scores: Array, positive: Array, names: tuple[str, str]) -> Figure:
    """How far the rows of two classes lie on either side of a boundary."""
    figure = new_figure(title, height=3.2)
    axes = figure.subplots()
    edges = np.linspace(scores.min(), scores.max(), BINS + 1)
    for place, (name, own) in enumerate(zip(names, (~positive, positive), strict=True)):
        axes.hist(scores[own], bins=edges.tolist(), color=tint(colour(place))(0.9), label=label(name))
    axes.axvline(0, color=QUIET, linewidth=1, linestyle="--")
    amounts(axes.xaxis, axes.yaxis)
    axes.set_xlabel("Distance from the boundary")
    axes.set_ylabel("Rows")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


@house_style()
def risks(found: Sequence[Mapping[str, Any]]) -> Figure:
    """Errors of hypotheses on the rows, with the band that holds all true ones."""
    figure = new_figure("Errors of the best hypotheses", height=1.4 + 0.26 * max(len(found), 2))
    axes = figure.subplots()
    for place, one in enumerate(found):
        _band(axes, place, one)
    axes.set_yticks(range(len(found)), [label(one["hypothesis"]) for one in found])
    axes.set_ylim(max(len(found), 2) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.set_xlabel("Share of mistakes")
    axes.set_ylabel("Hypothesis")
    axes.grid(visible=False, axis="y")
    return figure


def _band(axes: Axes, place: int, one: Mapping[str, Any]) -> None:
    axes.hlines(place, one["low"], one["high"], color=colour(0), linewidth=2.2)
    axes.plot(one["error"], place, "o", color=colour(0), markersize=6)
    words = (
        f"{one['hypothesis']}: {short_number(one['error'])} ({short_number(one['low'])} to {short_number(one['high'])})"
    )
    hint_boxes(axes, 0, place - 0.4, 1, place + 0.4, [words])
