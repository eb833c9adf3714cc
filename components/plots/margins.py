"""The border of a support vector machine, its margin and its support vectors, in a plane."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from penstock.components.plots.hints import rows_of
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
GRID = 120
CASES = {"edge": "on the edge (0 < a < C)", "inside": "in the margin or wrong (a = C)"}


@house_style()
def margin_plot(
    X: Floats,
    signs: Floats,
    score: Callable[[Floats], Floats],
    cases: Mapping[str, NDArray[np.bool_]],
    names: Sequence[str],
    sides: Sequence[str],
    width: float | None,
) -> Figure:
    """The border, the margin at f = -1 and f = +1, and the rows that hold it: on its edge, or inside it."""
    figure = new_figure(
        f"The margin is {short_number(width)} wide" if width else "The border and the edges of its margin", height=3.8
    )
    axes = figure.subplots()
    across, up, values = surface(X, score)
    axes.contourf(across, up, values, levels=[-1, 1], colors=[QUIET], alpha=0.15)
    axes.contour(across, up, values, levels=[-1, 0, 1], colors=[QUIET, INK, QUIET], linestyles=["--", "-", "--"])
    draw_classes(axes, X, signs > 0, sides)
    for (case, words), tone in zip(CASES.items(), (PALETTE[2], PALETTE[3]), strict=True):
        held = X[cases[case]]
        axes.plot(
            *held.T, "o", markersize=9, markerfacecolor="none", markeredgewidth=1.4, color=tone,
            label=f"{words}: {rows_of(len(held))}",
        )  # fmt: skip
    axes.set_xlabel(label(names[0]))
    axes.set_ylabel(label(names[1]))
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def surface(X: Floats, score: Callable[[Floats], Floats]) -> tuple[Floats, Floats, Floats]:
    room = 0.08 * (np.ptp(X, axis=0) + 1e-12)
    low, high = X.min(axis=0) - room, X.max(axis=0) + room
    across, up = (np.linspace(low[side], high[side], GRID) for side in (0, 1))
    points = np.column_stack([grid.ravel() for grid in np.meshgrid(across, up)])
    return across, up, score(points).reshape(GRID, GRID)


def draw_classes(axes: Axes, X: Floats, second: NDArray[np.bool_], names: Sequence[str]) -> None:
    some = thin(len(X))
    for place, name in enumerate(names):
        dots = X[some][second[some] == bool(place)]
        scatter(axes, dots[:, 0], dots[:, 1], color=colour(place), total=len(some), name=label(name))
    axes.grid(visible=False)
    amounts(axes.xaxis, axes.yaxis)
