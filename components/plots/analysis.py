"""Plots of the training rows, before any model: what goes with what, what is missing together, long tails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray

from penstock.components.analysis.insight import Study
from penstock.components.analysis.table import Table, binned
from penstock.components.plots.style import (
    INK,
    MAX_VECTOR_CELLS,
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
    thin,
    thin_line,
)

MAX_PANELS = 6
MAX_DOTS = 400
MAX_NUMBERED = 12
MAX_NAMED = 40
MAX_TAILS = 4
LONG_TAIL = 20
MAX_PATTERNS = 8
POINTS_OF_LINE = 2
MAX_GROUPS = 10
MAX_CLASSES = 6
STRAIGHT = (
    "The straight line is the best one by least squares; where dots bend away from it, a straight line is not enough."
)

Floats = NDArray[np.float64]


def analysis_figures(insight: Mapping[str, Any], study: Study) -> dict[str, Figure]:
    """Plots by name, for what the study holds."""
    sections = {section["name"]: section for section in insight["sections"]}
    matrices = sections["predictors"]["matrices"]
    target = insight["target"]
    figures: dict[str, Figure] = {}
    if len(matrices["pearson"]["columns"]) > 1:
        figures["correlation_matrix"] = correlation_matrix(**matrices["pearson"], target=target)
    nominal = any(study.table.schema.column(name).role in ("nominal", "text") for name in study.telling)
    if nominal and len(matrices["cramers_v"]["columns"]) > 1:
        figures["association_matrix"] = association_matrix(**matrices["cramers_v"], target=target)
    panels = _panels(sections["relations"]["columns"], study.table)
    if panels:
        figures["predictor_outcome"] = predictor_outcome(study.table, panels)
    missing = sections["mistakes"]["missing"]
    if len(missing["columns"]) > 1:
        figures["missing_patterns"] = missing_patterns(missing)
    tails = _long_tails(study.table)
    if tails:
        figures["long_tail"] = long_tail(tails)
    return figures


@house_style()
def correlation_matrix(columns: Sequence[str], values: Sequence[Sequence[float | None]], target: object) -> Figure:
    """Pearson's r of every two columns and with the outcome: blue for together, orange for opposite."""
    matrix = _without_diagonal(values)
    figure, axes = _square("What moves together: correlations", len(columns))
    red, other = PALETTE[1], PALETTE[0]
    both = LinearSegmentedColormap.from_list(
        "signs", [(*to_rgb(red), 0.9), (*to_rgb(QUIET), 0.03), (*to_rgb(other), 0.9)]
    )
    axes.pcolormesh(np.ma.masked_invalid(matrix), cmap=both, vmin=-1, vmax=1, rasterized=matrix.size > MAX_VECTOR_CELLS)
    _finish(axes, columns, matrix, target)
    return figure


@house_style()
def association_matrix(columns: Sequence[str], values: Sequence[Sequence[float | None]], target: object) -> Figure:
    """Cramer's V of every two columns, numbers cut into groups: 0 is unrelated, 1 is the same in other words."""
    matrix = _without_diagonal(values)
    figure, axes = _square("What goes together: Cramer's V", len(columns))
    heat_map(axes, np.ma.masked_invalid(matrix), color=PALETTE[2], most=1)
    _finish(axes, columns, matrix, target)
    return figure


def _panels(related: Sequence[Mapping[str, Any]], table: Table) -> list[str]:
    """The columns of numbers that go most closely with the outcome: along a line, or of several classes in any way."""
    if len(table.schema.classes or []) > 2:
        found = [one for one in related if one["column"] in table.numbers and one["information"] > 0]
        found.sort(key=lambda one: -one["information"])
    else:
        found = [one for one in related if one.get("pearson") is not None]
        found.sort(key=lambda one: -abs(one["pearson"]))
    return [one["column"] for one in found[:MAX_PANELS]]


@house_style()
def predictor_outcome(table: Table, names: Sequence[str]) -> Figure:
    """Each column against the outcome: a quantity row by row, classes by their shares among rows of like value."""
    assert table.y is not None
    target, classes = table.schema.target, table.schema.classes
    rows = -(-len(names) // 2)
    several = len(classes or []) > 2
    line = "" if several else ", with the straight line that fits best"
    figure = new_figure(f"{label(target)} by column{line}", height=(1.2 if several else 0.9) + 1.75 * rows)
    panels = figure.subplots(rows, min(len(names), 2), squeeze=False).ravel()
    for axes, name in zip(panels, names, strict=False):
        x = table.numbers[name].to_numpy()
        known = ~np.isnan(x)
        if classes is None:
            _rows(axes, x[known], np.asarray(table.y, dtype=np.float64)[known])
            axes.set_ylabel(label(target))
        elif several:
            _shares(axes, x[known], table.y[known], classes)
            axes.set_ylabel("share")
        else:
            _share(axes, x[known], np.asarray(table.y, dtype=np.float64)[known])
            axes.set_ylabel(f"share of {label(classes[1], 16)}")
        amounts(axes.xaxis, axes.yaxis)
        axes.set_xlabel(label(name, 22))
        if table.schema.column(name).role == "date":
            axes.xaxis.set_major_locator(MaxNLocator(3))
            axes.xaxis.set_major_formatter(FuncFormatter(lambda days, _: _month(days)))
    for empty in panels[len(names) :]:
        empty.set_axis_off()
    if several:
        handles, words = panels[0].get_legend_handles_labels()
        figure.legend(handles, words, loc="outside lower center", ncols=min(len(words), 3))
    figure.set_label(_told_of_dots(len(table.sample), classes))
    return figure


def _told_of_dots(rows: int, classes: Sequence[object] | None) -> str:
    if classes is None:
        drawn = f"; at most {MAX_DOTS} of {rows:,} are drawn" if rows > MAX_DOTS else ""
        return f"Each dot is a row{drawn}. {STRAIGHT}"
    dots = "Each dot is all rows of one value or, where there are many values, about a tenth of the rows."
    if len(classes) == 2:
        return f"{dots} {STRAIGHT}"
    fewer = f" The {MAX_CLASSES} commonest of {len(classes)} classes are drawn." if len(classes) > MAX_CLASSES else ""
    return f"{dots} Where lines cross or part, the column tells classes from each other.{fewer}"


def _month(days: float) -> str:
    return f"{np.datetime64(int(days), 'D').astype('datetime64[M]')}"


def _rows(axes: Axes, x: Floats, y: Floats) -> None:
    shown = thin(len(x), MAX_DOTS)
    scatter(axes, x[shown], y[shown], color=PALETTE[0], total=len(shown))
    _straight(axes, x, y)


def _share(axes: Axes, x: Floats, y: Floats) -> None:
    axes.plot(*_by_value(x, y), "o", color=PALETTE[0], markersize=5)
    _straight(axes, x, y)
    axes.set_ylim(-0.03, 1.03)


def _shares(axes: Axes, x: Floats, y: NDArray[np.int64], classes: Sequence[object]) -> None:
    common = np.sort(np.argsort(-np.bincount(y, minlength=len(classes)), kind="stable")[:MAX_CLASSES])
    for index, code in enumerate(common):
        dots = _by_value(x, (y == code).astype(np.float64))
        axes.plot(*dots, "o-", color=colour(index), markersize=4, linewidth=1.2, label=label(classes[code], 20))
    axes.set_ylim(-0.03, 1.03)


def _by_value(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Means of both in groups of like value: equal values stay together."""
    codes = binned(pd.Series(x), bins=min(MAX_GROUPS, max(2, len(x) // 20))).codes
    sizes = np.bincount(codes)
    return np.bincount(codes, weights=x) / sizes, np.bincount(codes, weights=y) / sizes


def _straight(axes: Axes, x: Floats, y: Floats) -> None:
    slope, start = np.polyfit(x, y, 1)
    ends = np.linspace(x.min(), x.max(), POINTS_OF_LINE)
    axes.plot(ends, start + slope * ends, color=PALETTE[1], linewidth=1.6)


@house_style()
def missing_patterns(missing: Mapping[str, Any]) -> Figure:
    """Which columns are missing in the same rows: one line a pattern, the commonest on top, dark where missing."""
    shown = missing["patterns"][:MAX_PATTERNS]
    columns = [
        one["column"] for one in missing["columns"] if any(one["column"] in pattern["columns"] for pattern in shown)
    ]
    columns = columns[:MAX_NUMBERED]
    cells = np.array([[float(name in pattern["columns"]) for name in columns] for pattern in shown])
    figure = new_figure("What is missing together", height=1.9 + 0.26 * len(shown))
    axes = figure.subplots()
    heat_map(axes, cells, color=PALETTE[1], most=1)
    axes.set_xticks(np.arange(len(columns)) + 0.5, [label(name, 18) for name in columns], rotation=45, ha="right")
    names = [f"{pattern['rows']:,} rows ({pattern['share']:.0%})" for pattern in shown]
    axes.set_yticks(np.arange(len(shown)) + 0.5, names)
    axes.set_xlabel("Column without a value")
    axes.set_ylabel("Pattern")
    return figure


@house_style()
def long_tail(counts: Mapping[str, NDArray[np.int64]]) -> Figure:
    """How often each level occurs, by rank, both axes by powers of ten: a long tail falls slowly to the right."""
    figure = new_figure("Long tails: how often each level occurs")
    axes = figure.subplots()
    for index, (name, sizes) in enumerate(counts.items()):
        falling = np.sort(sizes)[::-1].astype(np.float64)
        ranks = np.arange(1, len(falling) + 1, dtype=np.float64)
        head = int(np.searchsorted(np.cumsum(falling), 0.8 * falling.sum()) + 1)
        text = f"{label(name)}: {head:,} of {len(falling):,} levels hold 80% of rows"
        axes.plot(*thin_line(ranks, falling), color=colour(index), label=text)
    by_orders(axes, "x", "y")
    axes.set_ylim(bottom=0.8)
    axes.set_xlabel("Rank of the level, commonest first")
    axes.set_ylabel("Rows")
    figure.legend(loc="outside lower center")
    return figure


def _long_tails(table: Table) -> dict[str, NDArray[np.int64]]:
    """Counts, falling, of columns with many levels of which a fifth hold half of the rows; those with most first."""
    columns = [column.name for column in table.schema.columns if column.role in ("nominal", "group")]
    counts = {name: table.frame[name].value_counts() for name in columns if name in table.frame}
    long = {name: np.asarray(found, dtype=np.int64) for name, found in counts.items() if len(found) > LONG_TAIL}
    uneven = [name for name, found in long.items() if found[: len(found) // 5].sum() >= found.sum() / 2]
    return {name: long[name] for name in sorted(uneven, key=lambda name: -len(long[name]))[:MAX_TAILS]}


def _without_diagonal(values: Sequence[Sequence[float | None]]) -> Floats:
    """A column goes with itself, which need not be shown."""
    matrix = np.array(pd.DataFrame(values), dtype=np.float64)
    np.fill_diagonal(matrix, np.nan)
    return matrix


def _square(title: str, size: int) -> tuple[Figure, Axes]:
    figure = new_figure(title, height=min(2.6 + 0.18 * size, 5.6))
    return figure, figure.subplots()


def _finish(axes: Axes, columns: Sequence[str], matrix: Floats, target: object) -> None:
    size = len(columns)
    if not axes.yaxis_inverted():
        axes.invert_yaxis()
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    if size <= MAX_NUMBERED:
        for row, column in np.ndindex(size, size):
            if np.isfinite(matrix[row, column]) and row != column:
                axes.text(column + 0.5, row + 0.5, f"{matrix[row, column]:.2f}".replace("-", "\N{MINUS SIGN}"),
                          ha="center", va="center", fontsize=7)  # fmt: skip
    every = max(1, -(-size // MAX_NAMED))
    places = range(0, size, every)
    names = [label(columns[place], 18) for place in places]
    small = 9 if size <= 20 else 6
    axes.set_xticks([place + 0.5 for place in places], names, rotation=90, fontsize=small)
    axes.set_yticks([place + 0.5 for place in places], names, fontsize=small)
    for place, name in zip(places, [columns[place] for place in places], strict=True):
        if name == target:
            for tick in (axes.get_xticklabels()[place // every], axes.get_yticklabels()[place // every]):
                tick.set_fontweight("bold")
    axes.set_xlabel("Column")
    axes.set_ylabel("Column", color=INK)
