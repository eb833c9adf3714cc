"""A tree of questions, and what it makes of one or two columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from penstock.components.plots.hints import hint_points
from penstock.components.plots.style import (
    QUIET,
    WIDTH,
    amounts,
    colour,
    house_style,
    label,
    new_figure,
    scatter,
    thin,
    tint,
)

if TYPE_CHECKING:
    from penstock.components.explanation.models.base import Shown
    from penstock.components.explanation.models.nodes import Node
    from penstock.components.explanation.models.terms import Terms

Array = np.ndarray[Any, Any]

MAX_DEPTH = 4
MAX_LEAVES = 32
LINE = 0.36
LEAF = 0.85  # of a level: what the last boxes take
SIGNS = 15.0  # that fit into an inch
FINE, COARSE = 400, 120


@house_style()
def tree_diagram(root: Node, target: object) -> Figure:
    """The root at the left, a line for each leaf; a deep tree is cut where it gets too wide to read."""
    depth = _shown_depth(root)
    lines = _leaves(root, depth)
    cut = f", its first {depth} levels" if depth < root.depth else ""
    figure = new_figure(f"Tree of {root.leaves:,} leaves for {label(target)}{cut}", height=0.9 + LINE * max(lines, 3))
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set_xlim(-0.05, depth + LEAF)
    axes.set_ylim(lines - 0.4, -0.8)
    most = int(LEAF * WIDTH / (depth + LEAF) * SIGNS)
    _draw(axes, root, depth, 0, 0.0, most)
    return figure


def _shown_depth(root: Node) -> int:
    depth = min(root.depth, MAX_DEPTH)
    while depth > 1 and _leaves(root, depth) > MAX_LEAVES:
        depth -= 1
    return depth


def _leaves(node: Node, depth: int) -> int:
    return sum(_leaves(child, depth - 1) for _, child in node.branches) if node.branches and depth else 1


def _draw(axes: Axes, node: Node, depth: int, level: int, top: float, most: int) -> float:
    """Draw from `top` down; the height that the node stands at. Words of `most` signs end before the next level."""
    if not (node.branches and depth):
        more = " …" if node.branches else ""
        _text(axes, node, level, top, f"{label(node.prediction, most)}{more}", leaf=True)
        return top
    heights = []
    for holds, child in node.branches:
        height = _draw(axes, child, depth - 1, level + 1, top, most)
        axes.text(level + 1, height - 0.27, label(holds, most), fontsize=7, va="bottom")
        heights.append(height)
        top += _leaves(child, depth - 1)
    middle = (heights[0] + heights[-1]) / 2
    box = _text(axes, node, level, middle, label(node.column, most), leaf=False)
    line = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0}
    for height in heights:  # from the right end of the box, which is known when it is drawn
        axes.annotate("", (level + 0.97, height), (1, 0.5), textcoords=box, arrowprops=line)
    return middle


def _text(axes: Axes, node: Node, level: float, height: float, words: str, *, leaf: bool) -> Text:
    box = {"boxstyle": "round,pad=0.25", "facecolor": tint(colour(2 if leaf else 0))(0.35), "edgecolor": "none"}
    share = f", {node.share:.0%} of them {node.prediction}" if node.share is not None else f", answer {node.prediction}"
    hint_points(axes, [level + 0.2], [height], [f"{words}: {node.rows:,.0f} rows{share}"])
    return axes.text(level, height, words, fontsize=8, va="center", bbox=box, zorder=2)


@house_style()
def tree_regions(shown: Shown, predict: Callable[[Array], Array], terms: Terms) -> Figure:
    """Of one column the steps, of two the rectangles that the tree answers alike; dots are training rows."""
    columns = [_column(shown, terms, place) for place in range(len(shown.names))]
    figure = new_figure("What the tree answers, region by region", height=3.6)
    axes = figure.subplots()
    if len(columns) == 1:
        _steps(axes, shown, predict, terms, columns[0])
    else:
        _rectangles(axes, shown, predict, terms, columns)
    axes.set_xlabel(label(shown.names[0]))
    amounts(axes.xaxis, axes.yaxis)
    if shown.classes is not None:
        figure.legend(loc="outside lower center", ncols=3)
    return figure


def _column(shown: Shown, terms: Terms, place: int) -> Array:
    raw = terms.raw(place)
    return shown.X[:, place] if raw is None else raw


def _steps(axes: Axes, shown: Shown, predict: Callable[[Array], Array], terms: Terms, values: Array) -> None:
    grid = np.linspace(np.nanmin(values), np.nanmax(values), FINE)
    answers = np.asarray(predict(terms.prepared(0, grid)[:, None]))
    if shown.classes is None:
        few = thin(len(values))
        scatter(axes, values[few], shown.y[few].astype(float), color=colour(0), total=len(few))
        axes.plot(grid, answers, color=colour(1), drawstyle="steps-mid")
        axes.set_ylabel(label(shown.target))
        return
    for place, name in enumerate(shown.labels):
        axes.plot(grid, answers[:, place], color=colour(place), drawstyle="steps-mid", label=label(name))
    axes.set_ylabel("Probability")


def _rectangles(
    axes: Axes, shown: Shown, predict: Callable[[Array], Array], terms: Terms, columns: list[Array]
) -> None:
    sides = [np.linspace(np.nanmin(values), np.nanmax(values), COARSE) for values in columns]
    across, up = np.meshgrid(*(terms.prepared(place, side) for place, side in enumerate(sides)))
    answers = np.asarray(predict(np.column_stack([across.ravel(), up.ravel()])))
    few = thin(len(shown.y))
    if shown.classes is None:
        shade = answers.reshape(across.shape)
        axes.pcolormesh(*sides, shade, cmap=tint(colour(1)), rasterized=True)
        scatter(axes, columns[0][few], columns[1][few], color=colour(0), total=len(few))
    else:
        codes = answers.argmax(axis=1).reshape(across.shape)
        for place, name in enumerate(shown.labels):
            inside = np.ma.masked_where(codes != place, np.ones_like(codes, dtype=float))
            axes.pcolormesh(*sides, inside, cmap=tint(colour(place)), vmin=0, vmax=2, rasterized=True)
            rows = few[shown.y[few] == shown.model.classes_[place]]
            scatter(axes, columns[0][rows], columns[1][rows], color=colour(place), total=len(few), name=label(name))
    axes.grid(visible=False)
    axes.set_ylabel(label(shown.names[1]))
