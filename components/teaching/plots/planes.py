"""Rows in a plane, panel by panel: cells of centres, kinds of rows by density, shapes, widths of a kernel, lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import NDArray

from penstock.components.plots.style import (
    INK,
    MAX_VECTOR_POINTS,
    PALETTE,
    QUIET,
    amounts,
    colour,
    house_style,
    label,
    new_figure,
    scatter,
    thin,
    tint,
)

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

GRID = 80
TYPES = ("core", "border", "noise")
MAX_BALLS = 60
MAX_RESIDUALS = 40
Drawn = Callable[[Axes], None]


class Cells(NamedTuple):
    """Rows with their clusters, and the centres; `before` are those of the round before."""

    labels: Codes
    centres: Floats
    before: Floats | None = None


@house_style()
def rounds_figure(points: Floats, panels: Mapping[str, Cells], title: str) -> Figure:
    """Rows, centres, and the cell of each centre: where it is the nearest. A line leads from where a centre was."""

    def draw(cells: Cells) -> Drawn:
        def drawn(axes: Axes) -> None:
            _regions(axes, points, cells.centres)
            _coloured(axes, points, cells.labels)
            if cells.before is not None:
                for start, end in zip(cells.before, cells.centres, strict=True):
                    axes.plot(*np.transpose([start, end]), color=INK, linewidth=1)
            axes.plot(*cells.centres.T, "X", color=INK, markersize=7)

        return drawn

    return _panels(title, {name: draw(cells) for name, cells in panels.items()})


@house_style()
def shapes_figure(panels: Mapping[str, tuple[Floats, Codes]], title: str) -> Figure:
    """The answers of methods to rows of several shapes, two methods side by side."""
    return _panels(title, {name: _dots(points, labels) for name, (points, labels) in panels.items()})


@house_style()
def types_figure(points: Floats, kinds: Codes, eps: float | None) -> Figure:
    """Core rows, rows on the border and noise; `eps`: of the ball about some core rows, where no column is hidden."""
    counts = {name: int(np.sum(kinds == place)) for place, name in enumerate(TYPES)}
    said = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    figure = new_figure(f"{len(points):,} rows: {said}", height=4.2)
    axes = figure.subplots()
    if eps is not None:
        for row in points[kinds == 0][:: max(1, counts["core"] // MAX_BALLS)]:
            axes.add_patch(Circle(tuple(row), eps, facecolor="none", edgecolor=PALETTE[0], alpha=0.25, linewidth=0.6))
    shown = thin(len(points))
    for place, (name, tone) in enumerate(zip(TYPES, (PALETTE[0], PALETTE[1], QUIET), strict=True)):
        inside = shown[kinds[shown] == place]
        scatter(axes, points[inside, 0], points[inside, 1], color=tone, total=len(shown), name=name)
    amounts(axes.xaxis, axes.yaxis)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("First direction")
    axes.set_ylabel("Second direction")
    figure.legend(loc="outside lower center", ncols=3, markerscale=1.6)
    return figure


@house_style()
def widths_figure(panels: Mapping[str, Floats], groups: Codes, title: str) -> Figure:
    """The first two new columns of each width of a kernel, and without one."""
    return _panels(title, {name: _dots(points, groups) for name, points in panels.items()})


class Rays(NamedTuple):
    """Rows, and directions by the method that found them: each an array with one direction a row."""

    points: Floats
    directions: Mapping[str, Floats]


@house_style()
def rays_figure(panels: Mapping[str, Rays], title: str) -> Figure:
    """Rows with the directions that methods find in them."""

    def draw(rays: Rays) -> Drawn:
        def drawn(axes: Axes) -> None:
            _coloured(axes, rays.points, np.full(len(rays.points), -1))
            middle, eps = rays.points.mean(axis=0), 2 * float(rays.points.std())
            for place, (name, found) in enumerate(rays.directions.items()):
                for number, way in enumerate(found):
                    ends = np.array([middle - eps * way, middle + eps * way])
                    axes.plot(*ends.T, color=colour(place + 1), linewidth=1.8, label=name if number == 0 else None)
            axes.set_aspect("equal", adjustable="datalim")
            axes.legend(fontsize=7, loc="upper right")

        return drawn

    return _panels(title, {name: draw(rays) for name, rays in panels.items()})


@house_style()
def lines_figure(x: Floats, y: Floats, lines: Mapping[str, tuple[float, float]], names: tuple[str, str]) -> Figure:
    """Two lines through the same rows: errors of the first lie upright, those of the second at right angles to it.

    A line is its slope and where it meets the upright axis.
    """
    figure = new_figure("Least squares upright and at right angles", height=4.2)
    axes = figure.subplots()
    shown = thin(len(x), MAX_VECTOR_POINTS)
    scatter(axes, x[shown], y[shown], color=QUIET, total=len(shown))
    ends = np.array([x.min(), x.max()])
    for place, (name, (slope, height)) in enumerate(lines.items()):
        axes.plot(ends, slope * ends + height, color=colour(place), label=name)
        for row in shown[:: max(1, len(shown) // MAX_RESIDUALS)]:
            foot = x[row] if place == 0 else (x[row] + slope * (y[row] - height)) / (1 + slope**2)
            axes.plot([x[row], foot], [y[row], slope * foot + height], color=colour(place), linewidth=0.7, alpha=0.7)
    amounts(axes.xaxis, axes.yaxis)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(label(names[0]))
    axes.set_ylabel(label(names[1]))
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def _panels(title: str, panels: Mapping[str, Drawn]) -> Figure:
    lines = -(-len(panels) // 2)
    figure = new_figure(title, height=1.0 + 2.1 * lines)
    places = figure.subplots(lines, 2, squeeze=False).ravel()
    for axes, (name, draw) in zip(places, panels.items(), strict=False):
        draw(axes)
        axes.set_title(label(name, 34))
        axes.set_xticks([])
        axes.set_yticks([])
    for empty in places[len(panels) :]:
        empty.set_axis_off()
    return figure


def _dots(points: Floats, labels: Codes) -> Drawn:
    return lambda axes: _coloured(axes, points, labels)


def _coloured(axes: Axes, points: Floats, labels: Codes) -> None:
    shown = thin(len(points), MAX_VECTOR_POINTS)
    for cluster in np.unique(labels):
        inside = shown[labels[shown] == cluster]
        tone = QUIET if cluster < 0 else colour(int(cluster))
        scatter(axes, points[inside, 0], points[inside, 1], color=tone, total=len(shown))


def _regions(axes: Axes, points: Floats, centres: Floats) -> None:
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.05 * (high - low)
    across, up = (np.linspace(low[side] - room[side], high[side] + room[side], GRID) for side in (0, 1))
    places = np.stack(np.meshgrid(across, up), axis=-1)
    nearest = ((places[:, :, None] - centres) ** 2).sum(axis=-1).argmin(axis=-1)
    for cluster in range(len(centres)):
        inside = np.ma.masked_not_equal(nearest, cluster) * 0 + 1
        axes.pcolormesh(across, up, inside, cmap=tint(colour(cluster)), vmin=0, vmax=3, rasterized=True)
