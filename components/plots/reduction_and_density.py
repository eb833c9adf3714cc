"""Plots of reductions and densities: rows on few columns, rows and what comes back of them, how usual rows are."""

from __future__ import annotations

from collections.abc import Sequence
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
    colour,
    house_style,
    label,
    new_figure,
    say_thinned,
    scatter,
    short_number,
    thin,
)

Floats = NDArray[np.float64]

MAX_COLUMNS = 40
MAX_GROUPS = 10
BINS = 40
OTHERS = "others"
BACKGROUND = (OTHERS, "usual", "noise")


@house_style()
def reduced_map(points: Floats, names: Sequence[str], groups: Sequence[object] | None = None) -> Figure:
    """Rows on the first two new columns, or along the only one; coloured by what they are known to be of."""
    flat = points.shape[1] < 2
    what = "The only new column of" if flat else "Two new columns of"
    figure = new_figure(
        f"{what} {len(points):,} test rows" + (", by known group" if groups is not None else ""), height=3.8
    )
    y = np.random.default_rng(0).uniform(-1, 1, len(points)) if flat else points[:, 1]
    axes = _dots(figure, points[:, 0], y, groups)
    axes.set_xlabel(label(names[0]))
    if flat:
        axes.set_yticks([])
        axes.set_ylabel("Spread at random, to be seen")
    else:
        axes.set_ylabel(label(names[1]))
    return figure


@house_style()
def rows_in_a_picture(name: str, points: Floats, groups: Sequence[object] | None) -> Figure:
    """What a method that only draws made of the rows."""
    figure = new_figure(f"Only a picture ({name}): {len(points):,} test rows", height=3.8)
    axes = _dots(figure, points[:, 0], points[:, 1], groups)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_xlabel("Directions and distances mean nothing")
    axes.set_ylabel("")
    return figure


def _dots(figure: Figure, x: Floats, y: Floats, groups: Sequence[object] | None) -> Axes:
    axes = figure.subplots()
    shown = thin(len(x))
    known = np.array(["rows"] * len(x)) if groups is None else _few(np.array([str(one) for one in groups]))
    kinds = sorted(np.unique(known), key=lambda kind: (kind == OTHERS, kind))
    for index, kind in enumerate(kinds):
        inside = shown[known[shown] == kind]
        tone = QUIET if kind in BACKGROUND else colour(index)
        scatter(axes, x[inside], y[inside], color=tone, total=len(shown), name=label(kind))
        words = "A row" if groups is None else f"A row of {label(kind)}"
        hint_points(axes, x[inside], y[inside], [words] * len(inside))
    say_thinned(figure, len(shown), len(x))
    amounts(axes.xaxis, axes.yaxis)
    if groups is not None:
        figure.legend(loc="outside lower center", ncols=min(len(kinds), 3), markerscale=1.6)
    return axes


@house_style()
def reconstructions(rows: Floats, back: Floats, names: Sequence[str], kept: int) -> Figure:
    """Some rows, and what comes back of them: one panel a row, one dot a column."""
    most = min(rows.shape[1], MAX_COLUMNS)
    lost = float(((rows - back) ** 2).mean())
    title = f"{len(rows)} test rows and what {kept} new column{'s bring' if kept > 1 else ' brings'} back of them"
    lines = -(-len(rows) // 2)
    figure = new_figure(title, height=1.2 + 1.3 * lines)
    panels = figure.subplots(lines, 2, squeeze=False, sharex=True, sharey=True).ravel()
    places = np.arange(most)
    for number, (axes, row, found) in enumerate(zip(panels, rows[:, :most], back[:, :most], strict=False), start=1):
        axes.vlines(places, row, found, color=QUIET, linewidth=1)
        axes.plot(places, row, "o", color=PALETTE[0], markersize=4, label="as it was")
        axes.plot(places, found, "o", color=PALETTE[1], markersize=4, markerfacecolor="none", label="brought back")
        axes.set_title(f"Row {number}: off by {short_number(float(((row - found) ** 2).mean() ** 0.5))}")
        words = (
            f"{label(name, 40)}: {short_number(a)}, back {short_number(b)}"
            for name, a, b in zip(names, row, found, strict=False)
        )
        hint_points(axes, places, row, words)
        amounts(axes.yaxis)
        axes.set_xticks(
            places, [label(name, 12) for name in names[:most]], rotation=60, ha="right", fontsize=7
        ) if most <= 12 else axes.set_xlabel("Column")
    for empty in panels[len(rows) :]:
        empty.set_axis_off()
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    figure.set_label(f"Prepared columns; on the average cell the square of what is lost is {short_number(lost)}.")
    return figure


@house_style()
def density_histogram(unseen: Floats, learnt: Floats, threshold: float | None) -> Figure:
    """How likely rows are, of those trained on and of the others; rows left of the line are rare."""
    rare = float(np.mean(unseen < threshold)) if threshold is not None else None
    title = "How usual rows are" + (f": {rare:.1%} of the test rows are rare" if rare is not None else "")
    figure = new_figure(title)
    axes = figure.subplots()
    low, high = np.quantile(np.concatenate([unseen, learnt]), [0.002, 1])
    bins = np.linspace(min(low, threshold if threshold is not None else low), high, BINS)
    for values, tone, name in ((learnt, QUIET, "training rows"), (unseen, PALETTE[0], "test rows")):
        share = np.full(len(values), 1 / len(values))
        axes.hist(
            np.maximum(values, bins[0]),
            bins=bins.tolist(),
            weights=share,
            histtype="step",
            linewidth=1.8,
            color=tone,
            label=name,
        )
    if threshold is not None:
        axes.axvline(threshold, color=PALETTE[1], linewidth=1.2, linestyle="--", label="rare to the left")
    amounts(axes.xaxis)
    axes.set_xlabel("Log density (far to the left: unlike what was trained on)")
    axes.set_ylabel("Share of rows")
    figure.legend(loc="outside lower center", ncols=3)
    return figure


@house_style()
def density_map(points: Floats, rare: NDArray[np.bool_], explained: Sequence[float]) -> Figure:
    """The test rows along the two directions in which they vary most, the rare ones marked."""
    figure = new_figure(f"Where the {int(rare.sum()):,} rare of {len(points):,} test rows lie", height=3.8)
    axes = figure.subplots()
    shown = thin(len(points))
    for flag, tone, name in ((False, QUIET, "usual"), (True, PALETTE[1], "rare")):
        inside = shown[rare[shown] == flag]
        scatter(axes, points[inside, 0], points[inside, 1], color=tone, total=len(shown), name=name)
        hint_points(axes, points[inside, 0], points[inside, 1], [f"A {name} row"] * len(inside))
    say_thinned(figure, len(shown), len(points))
    for set_label, axis in ((axes.set_xlabel, 0), (axes.set_ylabel, 1)):
        set_label(f"Direction {axis + 1} ({explained[axis]:.0%} of variance)")
    figure.legend(loc="outside lower center", ncols=2, markerscale=1.6)
    return figure


def _few(groups: NDArray[Any]) -> NDArray[Any]:
    """The commonest groups by name; the rest together."""
    names, sizes = np.unique(groups, return_counts=True)
    if len(names) <= MAX_GROUPS:
        return groups
    kept = set(names[np.argsort(-sizes, kind="stable")][: MAX_GROUPS - 1])
    return np.array([name if name in kept else OTHERS for name in groups])
