"""Plots of borders: multipliers, lifted data, class densities and what they leave undecided, likelihoods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from penstock.components.plots.hints import hint_points
from penstock.components.plots.margins import draw_classes, surface
from penstock.components.plots.style import (
    INK,
    PALETTE,
    QUIET,
    amounts,
    colour,
    house_style,
    label,
    new_figure,
    scatter,
    short_number,
    thin,
)

Floats = NDArray[np.float64]
Facts = Mapping[str, Any]


@house_style()
def multiplier_plot(margins: Floats, alpha: Floats, upper: float) -> Figure:
    """y f of every row against its multiplier: at an optimum all lie on three straight lines."""
    figure = new_figure("The conditions of the optimum, row by row")
    axes = figure.subplots()
    axes.axvline(1, color=QUIET, linewidth=1, linestyle="--", label="edge of the margin")
    some = thin(len(margins))
    scatter(axes, margins[some], alpha[some], color=PALETTE[0], total=len(some))
    hint_points(
        axes,
        margins[some],
        alpha[some],
        [f"Row {row}: y f {short_number(margins[row])}, a {short_number(alpha[row])}" for row in some],
    )
    if np.isfinite(upper):
        axes.axhline(upper, color=QUIET, linewidth=1, linestyle=":", label=f"C = {short_number(upper)}")
    axes.set_xlabel("y f(x): below 0 is wrong, from 1 on outside the margin")
    axes.set_ylabel("Multiplier a")
    amounts(axes.xaxis, axes.yaxis)
    axes.legend(loc="best")
    return figure


@house_style()
def lift_plot(before: Floats, after: Floats, y: NDArray[np.int64], names: Sequence[str], axis: Facts) -> Figure:
    """The two columns as they are, and with one of them exchanged for the new axis; the cut on it as a line."""
    figure = new_figure(
        f"Lifted by {axis['formula']}: "
        + ("a straight cut separates the classes" if axis["separable"] else "no straight cut separates the classes"),
        height=3.2,
    )
    left, right = figure.subplots(1, 2)
    labels = list(axis["classes"])
    draw_classes(left, before, y == 1, labels)
    draw_classes(right, after, y == 1, labels)
    if axis["cut"] is not None:
        right.axhline(axis["cut"], color=INK, linewidth=1)
    left.set(xlabel=label(names[0]), ylabel=label(names[1]))
    right.set(xlabel=label(names[0]), ylabel=axis["formula"])
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


@house_style()
def border_plot(
    X: Floats, y: NDArray[np.int64], score: Callable[[Floats], Floats], names: Sequence[str], classes: Sequence[str]
) -> Figure:
    """Two classes and the curve on which neither is likelier."""
    figure = new_figure("Where neither class is likelier", height=3.6)
    axes = figure.subplots()
    across, up, values = surface(X, score)
    axes.contour(across, up, values, levels=[0], colors=[INK])
    draw_classes(axes, X, y == 1, classes)
    axes.set_xlabel(label(names[0]))
    axes.set_ylabel(label(names[1]))
    figure.legend(loc="outside lower center", ncols=2)
    return figure


@house_style()
def densities_plot(grid: Floats, joint: Floats, classes: Sequence[str], error: float, name: str) -> Figure:
    """Density times share of each class; what lies under all but the highest is the error that nobody can avoid."""
    figure = new_figure(f"The best classifier is wrong in {error:.1%} of the rows")
    axes = figure.subplots()
    for place, (curve, title) in enumerate(zip(joint.T, classes, strict=True)):
        axes.plot(grid, curve, color=colour(place), label=label(title))
    axes.fill_between(grid, joint.sum(axis=1) - joint.max(axis=1), color=QUIET, alpha=0.35, linewidth=0, label="error")
    axes.set_xlabel(label(name))
    axes.set_ylabel("Density x share")
    amounts(axes.xaxis, axes.yaxis)
    axes.legend(loc="best")
    return figure


@house_style()
def likelihood_curve(found: Facts) -> Figure:
    """The likelihood of a parameter, its greatest, and what the plain mean would say."""
    figure = new_figure(f"Likelihood of the {found['parameter']}")
    axes = figure.subplots()
    axes.plot(found["values"], found["likelihood"], color=PALETTE[0])
    marks = [("naive", PALETTE[1], "plain mean")]
    if np.isfinite(found["best"]):
        marks.append(("best", PALETTE[2], "greatest"))
    for name, tone, words in marks:
        axes.axvline(found[name], color=tone, linewidth=1.2, linestyle="--", label=f"{words}: {found[name]:.3g}")
    axes.set_xlabel(f"{found['parameter'].capitalize()}")
    axes.set_ylabel("Likelihood, of the greatest")
    amounts(axes.xaxis)
    axes.legend(loc="best")
    return figure


@house_style()
def overlap_curve(noise: Floats, overlap: Floats, here: tuple[float, float | None]) -> Figure:
    """How much of hidden signs the leading eigenvector tells, against the noise: nothing beyond a noise of 1."""
    figure = new_figure("Overlap of the leading eigenvector with the hidden signs")
    axes = figure.subplots()
    axes.plot(noise, overlap, color=PALETTE[0], label="many things, in the limit")
    axes.axvline(1, color=QUIET, linewidth=1, linestyle="--", label="beyond: nothing to find")
    axes.axvline(here[0], color=PALETTE[1], linewidth=1.2, label=f"noise here: {short_number(here[0])}")
    if here[1] is not None:
        axes.plot(here[0], here[1], "o", color=PALETTE[1], label=f"overlap here: {short_number(here[1])}")
    axes.set_xlabel("Variance of the noise")
    axes.set_ylabel("Overlap Q")
    axes.set_ylim(-0.03, 1.05)
    axes.legend(loc="best")
    return figure
