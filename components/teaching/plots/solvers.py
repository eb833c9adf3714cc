"""Plots of how solvers get there: paths on contours, losses over steps, where rules end them; duals; pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from penstock.components.plots.hints import hint_points
from penstock.components.plots.style import (
    PALETTE,
    QUIET,
    amounts,
    by_orders,
    colour,
    heat_map,
    house_style,
    label,
    new_figure,
    short_number,
    thin_line,
)

Floats = NDArray[np.float64]
GRID = 60
LEVELS = 12
ROOM = 0.35


@house_style()
def solver_figure(
    value: Callable[[Floats], float], paths: Mapping[str, Floats], gaps: Mapping[str, Floats], names: Sequence[str]
) -> Figure:
    """Left: the paths of two weights over the contours of the loss. Right: how far above the least each solver is."""
    figure = new_figure("Ways to the least loss", height=3.8)
    left, right = figure.subplots(1, 2)
    _contours(left, value, np.vstack([*paths.values()]))
    for place, (name, path) in enumerate(paths.items()):
        left.plot(*thin_line(path[:, 0], path[:, 1]), "o-", color=colour(place), markersize=2.5, linewidth=1.2)
        left.plot(*path[-1], "o", color=colour(place), markersize=5)
        steps = np.arange(len(gaps[name]), dtype=float)
        right.plot(*thin_line(steps, gaps[name]), color=colour(place), label=name)
    left.set_xlabel(f"Weight of {label(names[0], 18)}")
    left.set_ylabel(f"Weight of {label(names[1], 18)}")
    by_orders(right, "y")
    by_orders(right, "x", straight_to=10)
    right.set_xlim(left=0)
    right.set_ylim(bottom=1e-12)
    right.set_xlabel("Step (epoch, sweep)")
    right.set_ylabel("Above the least loss")
    amounts(left.xaxis, left.yaxis)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _contours(axes: Axes, value: Callable[[Floats], float], points: Floats) -> None:
    low, high = points.min(axis=0), points.max(axis=0)
    room = ROOM * np.maximum(high - low, 1e-3)
    sides = [np.linspace(low[place] - room[place], high[place] + room[place], GRID) for place in range(2)]
    heights = np.array([[value(np.array([x, y])) for x in sides[0]] for y in sides[1]])
    least = heights.min()
    levels = least + (heights.max() - least) * np.linspace(0.02, 1, LEVELS) ** 2
    axes.contour(*sides, heights, levels=levels, colors=QUIET, linewidths=0.7, alpha=0.7)
    axes.grid(visible=False)


@house_style()
def rate_curves(curves: Mapping[str, Floats], stochastic: Sequence[str]) -> Figure:
    """Loss against steps. Left: constant rates, momentum, adaptive. Right: stochastic descent with ways of decay."""
    figure = new_figure("Loss by steps, for several rates", height=4.4)
    panels = figure.subplots(1, 2)
    whole = {name: values for name, values in curves.items() if name not in stochastic}
    first = max(values[0] for values in curves.values())
    lowest = min(float(np.nanmin(values)) for values in curves.values())
    drawn = (whole, {name: curves[name] for name in stochastic})
    for place, (axes, lines) in enumerate(zip(panels, drawn, strict=True)):
        for index, (name, values) in enumerate(lines.items()):
            steps = np.arange(len(values), dtype=float)
            axes.plot(*thin_line(steps, np.minimum(values, 3 * first)), color=colour(index), label=name)
            shown = np.minimum(values, 3 * first)[-1]
            hint_points(axes, steps[-1:], [shown], [f"{name}: {short_number(float(values[-1]))} at the end"])
        axes.set_xlabel("Epoch" if place else "Step")
        axes.legend(loc="upper right", fontsize=7)
        amounts(axes.xaxis, axes.yaxis)
    room = max(first - lowest, 1e-12)
    panels[0].set_ylim(lowest - 0.05 * room, first + 0.6 * room)
    panels[0].set_ylabel("Loss")
    return figure


@house_style()
def stopping_figure(curves: Mapping[str, Floats], marks: Mapping[str, int]) -> Figure:
    """Both losses against the steps, and where each rule would have ended."""
    figure = new_figure("When to stop: where each rule fires")
    axes = figure.subplots()
    for index, (name, values) in enumerate(curves.items()):
        axes.plot(*thin_line(np.arange(len(values), dtype=float), values), color=colour(index), label=name)
    for index, (name, step) in enumerate(marks.items()):
        axes.axvline(step, color=colour(index + 2), linewidth=1.2, linestyle="--", label=f"{name}: {step:,}")
    by_orders(axes, "x", straight_to=10)
    axes.set_xlim(left=0)
    axes.set_xlabel("Step")
    axes.set_ylabel("Loss")
    amounts(axes.yaxis)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


@house_style()
def restart_figure(curves: Sequence[Floats], lowest: float) -> Figure:
    """The loss from every start."""
    figure = new_figure(f"{len(curves)} starts; the lowest end is {short_number(lowest)}")
    axes = figure.subplots()
    for values in curves:
        best = values[-1] <= lowest
        steps = np.arange(len(values), dtype=float)
        axes.plot(*thin_line(steps, values), color=PALETTE[1 if best else 0], linewidth=2 if best else 1, alpha=0.8)
        hint_points(axes, steps[-1:], values[-1:], [f"ended at {short_number(float(values[-1]))}"])
    axes.set_xlabel("Step")
    axes.set_ylabel("Loss")
    amounts(axes.xaxis, axes.yaxis)
    return figure


@house_style()
def dual_figure(shares: Floats, duals: Floats, value: float) -> Figure:
    """The dual function along the multipliers of the answer: never above the programme's own value."""
    figure = new_figure("The dual never lies above, and meets at the answer")
    axes = figure.subplots()
    axes.plot(shares, duals, color=PALETTE[0], label="dual function")
    axes.axhline(value, color=PALETTE[1], linestyle="--", label=f"the programme: {short_number(value)}")
    axes.set_xlabel("Multipliers, as a share of the answer's")
    axes.set_ylabel("Value")
    amounts(axes.xaxis, axes.yaxis)
    axes.legend(loc="lower right")
    return figure


@house_style()
def pictures(shown: Mapping[str, NDArray[Any]]) -> Figure:
    """Matrices side by side, shaded on one scale."""
    figure = new_figure("The picture, and what is recovered")
    most = max(float(np.abs(values).max()) for values in shown.values()) or 1.0
    for axes, (name, values) in zip(figure.subplots(1, len(shown)), shown.items(), strict=True):
        heat_map(axes, np.abs(values), color=PALETTE[0], most=most)
        axes.set_title(label(name))
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_aspect("equal")
    return figure
