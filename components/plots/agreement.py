"""Pictures of how clusterings agree."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from penstock.components.plots.hints import hint_boxes, rows_of
from penstock.components.plots.style import PALETTE, heat_map, house_style, label, new_figure

MAX_NUMBERED = 12
MAX_SHOWN = 40
LETTERS = 44  # side by side below the figure


@house_style()
def contingency(
    counts: NDArray[np.int64],
    of_rows: Sequence[object],
    of_columns: Sequence[object],
    *,
    names: tuple[str, str] = ("Group", "Cluster"),
) -> Figure:
    """Rows that two clusterings share: n_ij lie in i of the first and in j of the second."""
    counts, of_rows, of_columns = _aligned(counts, of_rows, of_columns)
    counts, of_rows, of_columns = counts[:MAX_SHOWN, :MAX_SHOWN], of_rows[:MAX_SHOWN], of_columns[:MAX_SHOWN]
    title = f"{names[0]} and {names[1].lower()}: {rows_of(int(counts.sum()))} by where they lie"
    figure = new_figure(title, height=1.6 + 0.26 * len(of_rows))
    axes = figure.subplots()
    heat_map(axes, np.ma.masked_equal(counts, 0), color=PALETTE[0], most=max(float(counts.max()), 1.0))
    cells = np.argwhere(np.ones_like(counts))
    hint_boxes(
        axes, cells[:, 1], cells[:, 0], cells[:, 1] + 1, cells[:, 0] + 1,
        (
            f"{rows_of(int(counts[row, column]))} in {names[0].lower()} {label(of_rows[row])} "
            f"and {names[1].lower()} {label(of_columns[column])}"
            for row, column in cells
        ),
    )  # fmt: skip
    if max(counts.shape) <= MAX_NUMBERED:
        for row, column in cells:
            if counts[row, column]:
                axes.text(column + 0.5, row + 0.5, f"{counts[row, column]:,}", ha="center", va="center", fontsize=8.5)
    room = max(8, LETTERS // len(of_columns))
    names_below = [textwrap.fill(label(one, 3 * room), room, break_long_words=False) for one in of_columns]
    axes.set_xticks(np.arange(len(of_columns)) + 0.5, names_below)
    axes.set_yticks(np.arange(len(of_rows)) + 0.5, [label(one) for one in of_rows])
    axes.set_xlabel(names[1])
    axes.set_ylabel(names[0])
    return figure


def _aligned(
    counts: NDArray[np.int64], of_rows: Sequence[object], of_columns: Sequence[object]
) -> tuple[NDArray[np.int64], list[object], list[object]]:
    """Large groups on top, and each column below the row that it has most of: agreement is a diagonal."""
    down = np.argsort(-counts.sum(axis=1), kind="stable")
    counts = counts[down]
    across = np.lexsort((-counts.max(axis=0), counts.argmax(axis=0)))
    return counts[:, across], [of_rows[row] for row in down], [of_columns[column] for column in across]
