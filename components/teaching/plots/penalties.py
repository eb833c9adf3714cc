"""Plots of losses, penalties and the weights under them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from penstock.components.linear_regression.bridge import shrink
from penstock.components.plots.hints import hint_points
from penstock.components.plots.style import (
    PALETTE,
    QUIET,
    amounts,
    colour,
    house_style,
    label,
    new_figure,
    short_number,
)
from penstock.components.teaching.losses import MARGIN, RESIDUAL

Floats = NDArray[np.float64]
GRID = 80
MAX_LINES = 10
LETTERS = 64  # small ones of names that stand side by side under a figure
CAPITAL = 0.6  # how much wider than a small letter


@house_style()
def loss_functions(at: Floats, *, margins: bool) -> Figure:
    """Losses of one row against its margin or residual, above where the rows really are."""
    reach = float(np.quantile(np.abs(at), 0.99)) if len(at) else 1.0
    reach = min(max(2.0, reach), 4.0)
    grid = np.linspace(-reach, reach, 401)
    figure = new_figure("What one row costs", height=4.2)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    for index, (name, loss) in enumerate((MARGIN if margins else RESIDUAL).items()):
        above.plot(grid, loss(grid), color=colour(index), label=name)
    above.set_ylim(-0.1, 4.5)
    above.set_ylabel("Loss")
    above.legend(loc="upper right" if margins else "upper center")
    below.hist(np.clip(at, -reach, reach), bins=40, color=QUIET)
    below.set_ylabel("Rows")
    below.set_xlabel("Margin (below 0: the wrong side)" if margins else "Residual, in standard deviations")
    amounts(below.yaxis)
    return figure


@house_style()
def penalty_contours(
    X: Floats,
    y: Floats,
    best: Floats,
    touching: Mapping[float, tuple[Floats, float]],
    names: Sequence[str],
    powers: Sequence[float],
) -> Figure:
    """Left: contours of the error, and the balls that touch them. Right: what is left of a weight under each power."""
    figure = new_figure("Balls that touch the contours; what is left of a weight", height=3.9)
    left, right = figure.subplots(1, 2)
    _balls(left, X, y, best, touching)
    left.set_xlabel(label(names[0], 18))
    left.set_ylabel(label(names[1], 18))
    grid = np.linspace(-3, 3, 601)
    right.plot(grid, grid, color=QUIET, linestyle=":", label="least squares")
    for index, power in enumerate(powers):
        # 1/2 (w - w_ls)² + 1/2 |w|², and |w|, are the halved and the soft threshold of books.
        shrunk = [shrink(float(one), 0.5 if power == 2 else 1.0, power) for one in grid]
        right.plot(grid, shrunk, color=colour(index), label=f"|w|^{power:g}")
    right.set_xlabel("Weight by least squares")
    right.set_ylabel("Weight under the penalty")
    right.legend(loc="upper left")
    amounts(left.xaxis, left.yaxis)
    return figure


def _balls(axes: Axes, X: Floats, y: Floats, best: Floats, touching: Mapping[float, tuple[Floats, float]]) -> None:
    reach = 1.5 * float(np.abs(best).max()) or 1.0
    side = np.linspace(-reach, reach, GRID)
    weights = np.stack(np.meshgrid(side, side))
    gram = X.T @ X
    off = weights - best[:, None, None]
    rise = np.einsum("iab,ij,jab->ab", off, gram, off)
    levels = [float((found - best) @ gram @ (found - best)) for found, _ in touching.values()]
    axes.contour(
        side, side, rise, levels=sorted({*levels, *(2.5 * level for level in levels)}), colors=QUIET, linewidths=0.8
    )
    for index, (power, (found, bound)) in enumerate(touching.items()):
        size = np.sum(np.abs(weights) ** power, axis=0)
        axes.contour(side, side, size, levels=[bound], colors=colour(index), linewidths=1.6)
        axes.plot(*found, "o", color=colour(index), markersize=6)
        hint_points(axes, found[:1], found[1:], [f"|w|^{power:g}: {found[0]:.3g}, {found[1]:.3g}"])
    axes.plot(*best, "x", color=PALETTE[3], markersize=7)
    axes.axhline(0, color=QUIET, linewidth=0.8)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    axes.set_aspect("equal")
    axes.grid(visible=False)


@house_style()
def coefficient_path(title: str, lambdas: Floats, weights: Floats, names: Sequence[str]) -> Figure:
    """Weights against the penalty, which falls to the right; the largest have their names."""
    order = np.argsort(-np.abs(weights[:, -1]), kind="stable")
    named = [label(names[place]) for place in order[:MAX_LINES]]
    side_by_side = min(4, int(LETTERS / max(map(_width, named))))
    figure = new_figure(title, height=3.5 + 0.15 * len(named) / side_by_side)
    axes = figure.subplots()
    positive = lambdas[lambdas > 0]
    x = np.log10(np.maximum(lambdas, positive.min() / 3))
    for index, place in enumerate(order):
        large = index < MAX_LINES
        axes.plot(
            x, weights[place], color=colour(index) if large else QUIET, linewidth=1.6 if large else 0.8,
            label=named[index] if large else None,
        )  # fmt: skip
    ends = weights[order[:MAX_LINES], -1]
    words = [f"{name}: {short_number(float(end))}" for name, end in zip(named, ends, strict=True)]
    hint_points(axes, np.full(len(ends), x[-1]), ends, words)
    axes.invert_xaxis()
    axes.axhline(0, color=QUIET, linewidth=0.8)
    axes.set_xlabel("log10 of lambda, falling")
    axes.set_ylabel("Weight")
    amounts(axes.xaxis, axes.yaxis)
    figure.legend(loc="outside lower center", ncols=side_by_side, fontsize=8)
    return figure


def _width(name: str) -> float:
    return len(name) + CAPITAL * sum(map(str.isupper, name))


@house_style()
def intervals(title: str, names: Sequence[str], middles: Floats, reaches: Floats) -> Figure:
    """Weights with what they may be off by, the first on top."""
    shown = min(len(names), 20)
    figure = new_figure(title, height=1.4 + 0.24 * max(shown, 2))
    axes = figure.subplots()
    places = np.arange(shown)
    axes.errorbar(middles[:shown], places, xerr=reaches[:shown], fmt="o", color=PALETTE[0], markersize=4, capsize=2)
    words = [
        f"{label(name)}: {short_number(float(middle))} ± {short_number(float(reach))}"
        for name, middle, reach in zip(names[:shown], middles[:shown], reaches[:shown], strict=True)
    ]
    hint_points(axes, middles[:shown], places, words)
    axes.axvline(0, color=QUIET, linewidth=1, linestyle="--")
    axes.set_yticks(places, [label(name) for name in names[:shown]])
    axes.set_ylim(max(shown, 2) - 0.4, -0.6)
    axes.set_xlabel("Weight")
    amounts(axes.xaxis)
    return figure
