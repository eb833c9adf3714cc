"""Plots of single methods, for runs that such a method has won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from penstock.components.plots.hints import hint_points
from penstock.components.plots.style import (
    PALETTE,
    QUIET,
    amounts,
    house_style,
    label,
    new_figure,
    scatter,
    short_number,
)

Facts = Mapping[str, Any]
Floats = NDArray[np.float64]


@house_style()
def boosting_curve(found: Facts) -> Figure:
    """The score against the number of rounds, on training rows and on others."""
    figure = new_figure(f"Boosting: best on other rows after {found['best']} rounds")
    axes = figure.subplots()
    sign, points = found["sign"], found["points"]
    rounds = [point["rounds"] for point in points]
    for place, (side, name) in enumerate((("train", "training rows"), ("valid", "other rows"))):
        scores = [sign * point[side] for point in points]
        axes.plot(rounds, scores, "o-", color=PALETTE[place], markersize=3, label=name)
        words = [f"{one} rounds: {short_number(score)} on {name}" for one, score in zip(rounds, scores, strict=True)]
        hint_points(axes, np.array(rounds, dtype=float), scores, words)
    exact = found["no_errors_from"]
    if exact is not None:
        axes.axvline(exact, color=QUIET, linewidth=1, linestyle="--", label=f"no training row is wrong: {exact}")
    axes.set_xlabel("Boosting rounds")
    axes.set_ylabel(f"{label(found['metric'], 30)}{'' if sign > 0 else ' (less is better)'}")
    amounts(axes.xaxis, axes.yaxis)
    axes.legend(loc="best")
    return figure


@dataclass(frozen=True)
class NeighbourPanel:
    """What so many neighbours make of a column: the line over the grid, and squared errors on known and new rows."""

    neighbours: int
    train_error: float
    valid_error: float
    grid: Floats
    line: Floats


@dataclass(frozen=True)
class NeighbourStudy:
    """Panels for few, the chosen and many neighbours, by one column; `x` and `y` of the rows that are drawn."""

    column: str
    chosen: int
    panels: list[NeighbourPanel]
    x: Floats
    y: Floats


@house_style()
def knn_regression(found: NeighbourStudy, target: str) -> Figure:
    """What few, the chosen and many neighbours make of the same rows."""
    panels = found.panels
    figure = new_figure(f"Few and many neighbours, by {label(found.column)} alone", height=3.0)
    grid = figure.subplots(1, len(panels), squeeze=False, sharex=True, sharey=True)[0]
    for axes, panel in zip(grid, panels, strict=True):
        scatter(axes, found.x, found.y, color=PALETTE[0], total=len(found.x))
        axes.plot(panel.grid, panel.line, color=PALETTE[1], linewidth=1.5)
        chosen = " (chosen)" if panel.neighbours == found.chosen else ""
        axes.set_title(
            f"{panel.neighbours}{chosen}: MSE {short_number(panel.train_error)} learnt, "
            f"{short_number(panel.valid_error)} new",
            fontsize=8,
        )
        amounts(axes.xaxis, axes.yaxis)
    figure.supxlabel(label(found.column), fontsize=10)
    figure.supylabel(label(target), fontsize=10)
    return figure
