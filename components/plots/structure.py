"""Plots of the evidence for groups: against rows without any, between candidates, and as a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray
from scipy.cluster.hierarchy import dendrogram as lay_out

from penstock.components.plots.hints import hint_boxes, rows_of
from penstock.components.plots.style import (
    INK,
    MAX_VECTOR_POINTS,
    PALETTE,
    QUIET,
    amounts,
    by_orders,
    colour,
    heat_map,
    house_style,
    label,
    new_figure,
    scatter,
    short_number,
    thin,
)

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

MAX_LEAVES = 30
MAX_PANELS = 4
LINEAR = 10


@house_style()
def null_comparison(found: Mapping[str, Any]) -> Figure:
    """What rows without groups show by chance, one line a reference, and what these rows show."""
    lines = found["comparisons"]
    word = "Structure" if found["structured"] else "No structure"
    figure = new_figure(f"{word}: p = {short_number(found['pvalue'])}", height=1.5 + 0.36 * len(lines))
    axes = figure.subplots()
    every = np.array([value for one in lines for value in (*one["draws"], one["statistic"])], dtype=np.float64)
    edge = LINEAR * max(np.max(every[np.isfinite(every)], initial=0.0), 1.0)
    for place, one in enumerate(lines):
        drawn = np.sort(np.asarray(one["draws"], dtype=np.float64))
        # Rows that hardly differ can be endlessly far from a reference: they are drawn at the edge.
        *shown, dot = np.nan_to_num([*drawn, one["statistic"]], nan=edge, posinf=edge)
        axes.plot(shown, np.full(len(shown), place), "|", color=QUIET, markersize=9, alpha=0.7)
        axes.plot(dot, place, "o", color=PALETTE[1], markersize=7)
        left, right = min(*shown, dot), max(*shown, dot)
        words = f"{label(one['reference'])}: these rows {short_number(one['statistic'])}, the {len(drawn)} draws up to "
        words += f"{short_number(drawn.max())}; p = {short_number(one['pvalue'])}"
        hint_boxes(axes, left, place - 0.4, right, place + 0.4, [words])
    axes.set_yticks(range(len(lines)), [label(one["reference"]) for one in lines])
    axes.set_ylim(len(lines) - 0.4, -0.6)
    by_orders(axes, "x", straight_to=LINEAR)
    _few_powers(axes.xaxis, float(np.nan_to_num(every, nan=edge, posinf=edge).max()))
    axes.set_xlabel("How grouped (standard deviations, beyond 10 in powers)")
    axes.grid(visible=False, axis="y")
    return figure


def _few_powers(axis: Axis, most: float) -> None:
    """Ticks at nothing and at a handful of powers of ten, however far the rows are from the references."""
    last = max(int(np.ceil(np.log10(max(most, LINEAR)))), 1)
    powers = range(1, last + 1, -(-last // 4))
    axis.set_ticks([0.0, *(10.0**power for power in powers)])
    axis.set_ticklabels(["0", *(f"{10**power:,}" if power <= 4 else f"1e{power}" for power in powers)])
    axis.set_minor_locator(NullLocator())


@house_style()
def consensus_matrix(together: Floats, names: Sequence[str], overall: float) -> Figure:
    """Share of the clusterings that put two rows together; rows in an order that shows blocks."""
    figure = new_figure(f"{len(names)} clusterings agree by {overall:.2f} (adjusted Rand)", height=4.4)
    axes = figure.subplots()
    heat_map(axes, together, color=PALETTE[0], most=1.0)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_xlabel(f"{rows_of(len(together))}, by how often they are together")
    figure.set_label(f"Compared: {', '.join(label(name) for name in names)}.")
    return figure


@house_style()
def dendrogram(trees: Mapping[str, Floats], clusters: int | None) -> Figure:
    """Trees of the same rows by linkage, their last merges; the dashed line cuts into the chosen number of clusters."""
    rows = len(next(iter(trees.values()))) + 1
    lines = -(-len(trees) // 2)
    figure = new_figure(f"Trees of {rows:,} rows", height=0.9 + 2.0 * lines)
    panels = figure.subplots(lines, min(len(trees), 2), squeeze=False).ravel()
    for axes, (name, tree) in zip(panels, trees.items(), strict=False):
        laid = lay_out(tree, p=MAX_LEAVES, truncate_mode="lastp", no_plot=True)
        for x, height in zip(laid["icoord"], laid["dcoord"], strict=True):
            axes.plot(x, height, color=INK, linewidth=1)
            words = f"{name}: merged at height {short_number(max(height))}"
            hint_boxes(axes, min(x), max(height) * 0.97, max(x), max(height) * 1.03, [words])
        if clusters and 1 < clusters < rows:
            axes.axhline(cut_height(tree, clusters), color=PALETTE[1], linewidth=1.2, linestyle="--")
        axes.set_xticks([])
        axes.set_ylim(bottom=0)
        amounts(axes.yaxis)
        axes.grid(visible=False, axis="x")
        axes.set_title(label(name))
        axes.set_xlabel(f"The last {min(rows, MAX_LEAVES)} branches")
        axes.set_ylabel("Height of the merge")
    for empty in panels[len(trees) :]:
        empty.set_axis_off()
    return figure


def cut_height(tree: Floats, clusters: int) -> float:
    """Half-way between the merge that leaves so many clusters and the next one."""
    heights = np.sort(tree[:, 2])
    left = len(heights) + 1 - clusters
    return float(heights[left - 1 : left + 1].mean())


@house_style()
def scaled_panels(panels: Mapping[str, tuple[Floats, Codes]], agreement: Mapping[str, float], chosen: str) -> Figure:
    """The answer under each scaling, in the two directions in which those rows vary most."""
    shown = list(panels.items())[:MAX_PANELS]
    figure = new_figure("The same method under other scalings", height=1.2 + 2.1 * -(-len(shown) // 2))
    places = figure.subplots(-(-len(shown) // 2), 2, squeeze=False).ravel()
    for axes, (name, (points, labels)) in zip(places, shown, strict=False):
        drawn = thin(len(points), MAX_VECTOR_POINTS)
        for cluster in np.unique(labels):
            inside = drawn[labels[drawn] == cluster]
            tone = QUIET if cluster < 0 else colour(int(cluster))
            scatter(axes, points[inside, 0], points[inside, 1], color=tone, total=len(drawn))
        said = "chosen" if name == chosen else f"agrees by {agreement[name]:.2f}"
        axes.set_title(f"{label(name)}: {said}")
        axes.set_xticks([])
        axes.set_yticks([])
    for empty in places[len(shown) :]:
        empty.set_axis_off()
    return figure
