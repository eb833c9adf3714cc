"""Plots of how single kinds of models decide: margins, tubes, bells, shares and neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import norm

from penstock.components.plots.hints import hint_boxes
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

Array = np.ndarray[Any, Any]
BINS = 30
WIDE = 4.0  # standard deviations of a bell that are drawn
GRID = 200
ON_EDGE = 0.01  # how far from 1 a row's y f may be, to count as on the edge of the margin
WIDEST = 1.5  # of a bin beside a margin of width 2; farther out, the margin is too narrow to be seen


@house_style()
def margin_histogram(scores: Array, of_class: Array, names: Sequence[str]) -> Figure:
    """Where the rows of two classes lie: the border at 0, the margin between -1 and 1."""
    figure = new_figure("Rows on either side of the margin")
    axes = figure.subplots()
    on_edge = np.abs(np.abs(scores) - 1) <= ON_EDGE
    scores = np.where(on_edge, np.sign(scores) * (1 + ON_EDGE), scores)  # they are not in the margin
    edges = _street_edges(scores)
    axes.axvspan(-1, 1, color=QUIET, alpha=0.15, linewidth=0, label="margin")
    for place, name in enumerate(names):
        axes.hist(scores[of_class == place], bins=edges.tolist(), color=colour(place), alpha=0.6, label=label(name))
    axes.axvline(0, color=QUIET, linewidth=1, linestyle="--", label="border")
    amounts(axes.xaxis, axes.yaxis)
    axes.set_xlabel(f"f(x): above 0 is {label(names[1])}")
    axes.set_ylabel("Rows")
    figure.legend(loc="outside lower center", ncols=4)
    return figure


def _street_edges(scores: Array) -> Array:
    """Of about as many bins as ever; the border and both ends of the margin end one, so that no bar reaches across."""
    low, high = min(scores.min(), -1.2), max(scores.max(), 1.2)
    width = (high - low) / BINS
    if width > WIDEST:
        return np.linspace(low, high, BINS + 1)
    parts = max(1, round(1 / width))
    return np.asarray(np.arange(np.floor(low * parts), np.ceil(high * parts) + 1) / parts)


@house_style()
def epsilon_tube_plot(errors: Array, epsilon: float, target: str) -> Figure:
    """What predictions of training rows miss by; inside the tube an error costs nothing."""
    figure = new_figure("Errors inside and outside the tube")
    axes = figure.subplots()
    axes.axvspan(-epsilon, epsilon, color=QUIET, alpha=0.2, linewidth=0, label=f"tube, ±{short_number(epsilon)}")
    axes.hist(errors, bins=BINS, color=PALETTE[0], label="training rows")
    amounts(axes.xaxis, axes.yaxis)
    axes.set_xlabel(f"{label(target)} minus its prediction")
    axes.set_ylabel("Rows")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


@house_style()
def class_densities(columns: Sequence[Mapping[str, Any]], classes: Sequence[str]) -> Figure:
    """Of each column, the bell of every class; one panel each."""
    across = min(len(columns), 2)
    down = -(-len(columns) // across)
    figure = new_figure("The bell of each class", height=1.2 + 1.9 * down)
    grid = figure.subplots(down, across, squeeze=False)
    for place, axes in enumerate(grid.ravel()):
        if place >= len(columns):
            axes.set_visible(False)
            continue
        one = columns[place]
        means, spreads = np.asarray(one["means"]), np.asarray(one["spreads"])
        x = np.linspace((means - WIDE * spreads).min(), (means + WIDE * spreads).max(), GRID)
        for code, name in enumerate(classes):
            axes.plot(x, norm.pdf(x, means[code], spreads[code]), color=colour(code), label=label(name))
        amounts(axes.xaxis, axes.yaxis)
        axes.set_xlabel(label(one["column"]))
        axes.set_ylabel("Density")
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=min(len(classes), 4))
    return figure


@house_style()
def class_shares(values: Sequence[str], shares: Array, classes: Sequence[str]) -> Figure:
    """How common each value of a column is inside each class; `shares`: (classes, values)."""
    figure = new_figure("How common values are inside each class", height=1.4 + 0.3 * max(len(values), 2))
    axes = figure.subplots()
    tall = 0.8 / len(classes)
    for place, name in enumerate(classes):
        middles = np.arange(len(values)) - 0.4 + tall * (place + 0.5)
        axes.barh(middles, shares[place], height=tall, color=colour(place), label=label(name))
        words = (f"{value}, {name}: {share:.1%}" for value, share in zip(values, shares[place], strict=True))
        hint_boxes(axes, np.zeros(len(values)), middles - tall / 2, shares[place], middles + tall / 2, words)
    axes.set_yticks(range(len(values)), [label(value) for value in values])
    axes.set_ylim(max(len(values), 2) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("Share inside the class")
    axes.set_ylabel("Value")
    figure.legend(loc="outside lower center", ncols=min(len(classes), 4))
    return figure


@house_style()
def neighbour_distances(train: Array, test: Array, count: int) -> Figure:
    """How far the farthest neighbour that is asked lies, from training rows and from test rows."""
    figure = new_figure(f"How far the {count} neighbours are")
    axes = figure.subplots()
    edges = np.linspace(0, max(train.max(), test.max(), 1e-12), BINS + 1).tolist()
    for place, (name, values) in enumerate({"training rows": train, "test rows": test}.items()):
        shares = np.full(len(values), 1 / len(values))
        axes.hist(values, bins=edges, weights=shares, color=colour(place), alpha=0.6, label=name)
    amounts(axes.xaxis, axes.yaxis)
    axes.set_xlabel("Distance of the farthest neighbour")
    axes.set_ylabel("Share of rows")
    figure.legend(loc="outside lower center", ncols=2)
    return figure
