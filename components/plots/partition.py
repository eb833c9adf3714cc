"""The partition of the rows: which teach, which evaluate and which are the test, in every fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from penstock.components.plots.hints import hint_boxes
from penstock.components.plots.style import PALETTE, QUIET, colour, house_style, label, new_figure
from penstock.evidence.folds import Folds

NOT_USED, TRAINS, EVALUATES, TEST = range(4)
WORDS = {TRAINS: "teaches", EVALUATES: "judges", TEST: "test, evaluates once", NOT_USED: "not used"}
TONES = {TRAINS: PALETTE[0], EVALUATES: PALETTE[1], TEST: PALETTE[2], NOT_USED: QUIET}
MAX_FOLDS = 10
MAX_CLASSES = 10
PIECES = 240
NAMES = {
    "cross-validation-and-test": "cross-validation and test",
    "nested-cross-validation": "nested cross-validation, outer folds",
    "train-validation-test": "training, validation, test",
    "resampling-and-test": "random resampling and test",
    "leave-one-out": "leave one out",
    "out-of-bag": "out of bag",
}


def partition_figure(data: Mapping[str, Any], folds: Folds) -> dict[str, Figure]:
    split = data.get("split") or {}
    if not folds or not data.get("train_rows"):
        return {}
    lines = subsets_of_rows(folds.splits[:MAX_FOLDS], data["train_rows"], data["test_rows"], split.get("in_gap") or 0)
    return {"split_diagram": split_diagram(lines, split, folds=len(folds))}


def class_shares_figure(data: Mapping[str, Any], folds: Folds, test_y: NDArray[Any]) -> dict[str, Figure]:
    """The shares of the classes among the rows that evaluate each fold, all training rows and the test rows."""
    classes = (data.get("target") or {}).get("classes")
    if not classes or not folds or len(classes) > MAX_CLASSES or any(len(fold.valid) < 2 for fold in folds.splits):
        return {}
    y = np.asarray(folds.y, dtype=np.int64)
    subsets = {f"fold {number}": y[fold.valid] for number, fold in enumerate(folds.splits[:MAX_FOLDS], start=1)}
    return {
        "partition_sizes": class_shares({**subsets, "training rows": y, "test rows": test_y.astype(np.int64)}, classes)
    }


@house_style()
def class_shares(subsets: Mapping[str, NDArray[np.int64]], classes: Sequence[object]) -> Figure:
    figure = new_figure("Shares of the classes in each part", height=1.6 + 0.24 * len(subsets))
    axes = figure.subplots()
    left = np.zeros(len(subsets))
    places = np.arange(len(subsets))
    for code, name in enumerate(classes):
        shares = np.array([np.mean(codes == code) if len(codes) else 0.0 for codes in subsets.values()])
        axes.barh(places, shares, left=left, height=0.8, color=colour(code), label=label(name, 16))
        words = (f"{part}: {share:.1%} of {len(codes):,} rows are {label(name)}" for (part, codes), share in
                 zip(subsets.items(), shares, strict=True))  # fmt: skip
        hint_boxes(axes, left, places - 0.4, left + shares, places + 0.4, words)
        left = left + shares
    axes.set_yticks(places, [f"{part} ({len(codes):,})" for part, codes in subsets.items()])
    axes.set_ylim(len(subsets) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(visible=False)
    axes.set_xlabel("Share of the rows")
    figure.legend(loc="outside lower center", ncols=min(len(classes), 4))
    return figure


def subsets_of_rows(
    folds: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]], n_train: int, test: int, in_gap: int = 0
) -> NDArray[np.int64]:
    """A line for each fold and one for the model that ships; a column for each row, what it does there.

    Training rows stand in the order in which they evaluate, so that folds show as blocks, and folds in time from
    earlier to later. Then come the rows in the gap before the test, and the test rows.
    """
    part = np.full((len(folds) + 1, n_train), NOT_USED)
    for line, (train, valid) in enumerate(folds):
        part[line, train] = TRAINS
        part[line, valid] = EVALUATES
    part[-1] = TRAINS
    scored = part[:-1] == EVALUATES
    first = np.where(scored.any(axis=0), scored.argmax(axis=0), -1)
    in_gap_before_next = np.zeros(n_train, dtype=bool)
    if all(len(train) + len(valid) == n_train for train, valid in folds):
        first = np.where(first < 0, len(folds), first)  # not by time: rows that never evaluate stand last
    else:
        following = np.minimum(first + 1, len(folds))
        in_gap_before_next = part[following, np.arange(n_train)] == NOT_USED
    order = np.lexsort((*(part[line] for line in reversed(range(len(folds)))), in_gap_before_next, first))
    beside = np.full((len(folds) + 1, in_gap + test), NOT_USED)
    beside[-1, in_gap:] = TEST
    return np.concatenate([part[:, order], beside], axis=1)


@house_style()
def split_diagram(lines: NDArray[np.int64], split: Mapping[str, Any], *, folds: int) -> Figure:
    recipe = NAMES.get(str(split.get("recipe")), str(split.get("recipe")))
    drawn = len(lines) - 1
    few = f", the first {drawn} of {folds} folds" if drawn < folds else ""
    figure = new_figure(f"How the rows are split: {recipe}{few}", height=1.6 + 0.24 * len(lines))
    axes = figure.subplots()
    rows = lines.shape[1]
    places = np.unique(np.linspace(0, rows - 1, min(rows, PIECES)).round().astype(int))
    edges = np.append(places, rows) / rows
    for place, line in enumerate(lines):
        codes = line[places]
        starts = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
        ends = np.append(starts[1:], len(codes))
        for start, end in zip(starts, ends, strict=True):
            if codes[start] != NOT_USED:
                axes.barh(place, edges[end] - edges[start], left=edges[start], height=0.8, color=TONES[codes[start]])
        counts = {part: int((line == part).sum()) for part in WORDS}
        words = ", ".join(f"{WORDS[part]}: {count:,} rows" for part, count in counts.items() if count)
        hint_boxes(axes, 0, place - 0.4, 1, place + 0.4, [f"{_name(place, drawn)}: {words}"])
    axes.set_yticks(range(len(lines)), [_name(place, drawn) for place in range(len(lines))])
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(visible=False)
    time, group = split.get("ordered"), split.get("group")
    whole = f", each “{label(group, 20)}” whole" if group else ""
    axes.set_xlabel(f"Rows from earlier to later, by “{label(time, 20)}”" if time else f"Rows, put in order{whole}")
    handles = [Patch(color=TONES[part], label=WORDS[part]) for part in (TRAINS, EVALUATES, TEST)]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def _name(place: int, folds: int) -> str:
    return "final model" if place == folds else f"fold {place + 1}"
