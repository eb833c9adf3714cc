"""Plots of how a score hangs on rows, on capacity, and on chance in the training rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import NDArray

from penstock.components.plots.hints import hint_points, rows_of
from penstock.components.plots.style import (
    PALETTE,
    QUIET,
    amounts,
    by_orders,
    colour,
    house_style,
    label,
    new_figure,
    scatter,
    short_number,
)

Facts = Mapping[str, Any]
Floats = NDArray[np.float64]
MAX_RATIO = 50
RINGS = 3


@house_style()
def learning_curve(found: Facts) -> Figure:
    """The score against the number of training rows, on these rows and on others."""
    figure = new_figure("Would more rows help? The learning curve")
    axes = figure.subplots()
    points = found["points"]
    rows = np.array([point["rows"] for point in points], dtype=float)
    _two_lines(axes, rows, points, found, [rows_of(point["rows"]) for point in points])
    axes.set_xlabel("Training rows")
    amounts(axes.xaxis)
    return figure


@house_style()
def validation_curve(found: Facts) -> Figure:
    """The score against the main parameter; the chosen value as a line, the best one of the curve as a ring."""
    name = label(found["parameter"])
    figure = new_figure(f"The validation curve over {name}: best at {short_number(found['best'])}")
    axes = figure.subplots()
    points = found["points"]
    values = np.array([point["value"] for point in points], dtype=float)
    if values.min() > 0 and values.max() / values.min() > MAX_RATIO:
        by_orders(axes, "x")
    _two_lines(axes, values, points, found, [f"{name} {short_number(point['value'])}" for point in points])
    if found["chosen"] is not None:
        axes.axvline(
            found["chosen"], color=QUIET, linewidth=1, linestyle="--", label=f"chosen: {short_number(found['chosen'])}"
        )
    best = next(point for point in points if point["value"] == found["best"])
    axes.plot(
        best["value"], found["sign"] * best["valid"], "o", markersize=12, markerfacecolor="none", color=PALETTE[1]
    )
    axes.set_xlabel(name)
    axes.legend(loc="best")
    return figure


def _two_lines(axes: Axes, x: Floats, points: Sequence[Facts], found: Facts, words: Sequence[str]) -> None:
    sign = found["sign"]
    known = [place for place, point in enumerate(points) if point["valid"] is not None]
    train = [sign * point["train"] for point in points]
    valid = [sign * points[place]["valid"] for place in known]
    axes.plot(x, train, "o-", color=PALETTE[0], markersize=4, label="training rows")
    axes.plot(x[known], valid, "o-", color=PALETTE[1], markersize=4, label="other rows")
    banded = [place for place in known if points[place]["low"] is not None]
    if banded:
        low, high = ([sign * points[place][end] for place in banded] for end in ("low", "high"))
        axes.fill_between(x[banded], low, high, color=PALETTE[1], alpha=0.15, linewidth=0)
        least, most = min(train + valid), max(train + valid)
        room = most - least or 1.0
        bottom, top = max(min(low + high), least - room), min(max(low + high), most + room)
        axes.set_ylim(min(bottom, least - room / 20), max(top, most + room / 20))
    hint_points(
        axes,
        x,
        train,
        [f"{one}: {short_number(score)} on training rows" for one, score in zip(words, train, strict=True)],
    )
    on_others = zip([words[place] for place in known], valid, strict=True)
    hint_points(axes, x[known], valid, [f"{one}: {short_number(score)} on other rows" for one, score in on_others])
    axes.set_ylabel(f"{label(found['metric'], 30)}{'' if sign > 0 else ' (less is better)'}")
    amounts(axes.yaxis)
    axes.legend(loc="best")


@house_style()
def bias_variance_figure(found: Facts) -> Figure:
    """Left: each refit as a shot at the truth. Right: bias² and variance against the main parameter."""
    parts = found["squared"]
    figure = new_figure(
        f"Bias² {short_number(parts['bias'])}, variance {short_number(parts['variance'])}: {found['rounds']} refits",
        height=3.2,
    )
    panels = figure.subplots(1, 2) if found["trade_off"] else [figure.subplots()]
    _eye(panels[0], found["eye"])
    if found["trade_off"]:
        _trade_off(panels[1], found)
    return figure


def _eye(axes: Axes, eye: Facts) -> None:
    points = np.array(eye["points"])
    reach = max(1.15 * float(np.linalg.norm(points, axis=1).max()), 1e-12)
    for ring in range(1, RINGS + 1):
        axes.add_patch(Circle((0, 0), ring * reach / RINGS, fill=False, color=QUIET, linewidth=0.8, alpha=0.6))
    axes.plot(0, 0, "+", color=PALETTE[1], markersize=10)
    axes.plot(*points.T, "o", color=PALETTE[0], markersize=4, alpha=0.7, markeredgewidth=0)
    axes.plot(*points.mean(axis=0), "D", color=PALETTE[1], markersize=5)
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-reach, reach)
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.set_xlabel("Off together (bias)")
    axes.set_ylabel("Off by turns (spread)")
    amounts(axes.xaxis, axes.yaxis)
    hint_points(
        axes,
        points[:, 0],
        points[:, 1],
        [f"Refit {number}: off by {short_number(float(np.hypot(*point)))}" for number, point in enumerate(points, 1)],
    )


def _trade_off(axes: Axes, found: Facts) -> None:
    values = np.array([point["value"] for point in found["trade_off"]], dtype=float)
    if values.min() > 0 and values.max() / values.min() > MAX_RATIO:
        by_orders(axes, "x")
    for place, (part, name) in enumerate((("bias", "bias²"), ("variance", "variance"), ("loss", "sum"))):
        sizes = [point[part] for point in found["trade_off"]]
        axes.plot(values, sizes, "o-", color=colour(place), markersize=4, label=name)
        hint_points(
            axes,
            values,
            sizes,
            [f"{short_number(value)}: {name} {short_number(size)}" for value, size in zip(values, sizes, strict=True)],
        )
    if found["chosen"] is not None:
        axes.axvline(found["chosen"], color=QUIET, linewidth=1, linestyle="--")
    axes.set_xlabel(label(found["parameter"]))
    amounts(axes.yaxis)
    axes.legend(loc="best")


@dataclass(frozen=True)
class BoundaryPanel:
    """What one value of a parameter makes of two columns: `classes` of a grid over `sides`; `points` trained on."""

    value: float
    train_error: float
    valid_error: float
    sides: list[Floats]
    classes: NDArray[Any]
    points: Floats
    y: NDArray[Any]


@house_style()
def boundary_panels(panels: Sequence[BoundaryPanel], parameter: str, x_name: str, y_name: str) -> Figure:
    """The borders that each value of the parameter draws, with the share of rows on the wrong side."""
    lines = -(-len(panels) // 2)
    figure = new_figure(f"Borders by {label(parameter)}", height=0.8 + 2.4 * lines)
    grid = figure.subplots(lines, min(2, len(panels)), squeeze=False, sharex=True, sharey=True).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        classes = np.unique(panel.y)
        levels = np.arange(classes.min(), classes.max() + 2) - 0.5
        tones = [colour(int(code)) for code in range(int(classes.min()), int(classes.max()) + 1)]
        axes.contourf(*panel.sides, panel.classes, levels=levels, colors=tones, alpha=0.2)
        for code in classes:
            some = panel.points[panel.y == code][:150]
            scatter(axes, some[:, 0], some[:, 1], color=colour(int(code)), total=len(panel.y))
        axes.set_title(
            f"{short_number(panel.value)}: error {panel.train_error:.1%} learnt, {panel.valid_error:.1%} new",
            fontsize=8,
        )
        axes.grid(visible=False)
        amounts(axes.xaxis, axes.yaxis)
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    figure.supxlabel(label(x_name), fontsize=10)
    figure.supylabel(label(y_name), fontsize=10)
    return figure
