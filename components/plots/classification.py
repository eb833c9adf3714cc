"""Plots of a classifier on rows it has not seen. `y` holds codes into `classes`; of two, the second is positive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray
from scipy.stats import binomtest
from sklearn import metrics

from penstock.components.plots.hints import MAX_HINTS_A_LINE, hint_boxes, hint_columns, hint_points, rows_of
from penstock.components.plots.style import (
    INK,
    PALETTE,
    QUIET,
    colour,
    heat_map,
    house_style,
    label,
    new_figure,
    thin_line,
)

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Interval = Mapping[str, Any]

MAX_CURVES = 8
MAX_NUMBERED_CLASSES = 10
MAX_HINTED_CLASSES = 20
BINS = 10
USUAL = 0.5


@house_style()
def confusion_matrix(y: Codes, predicted: Codes, classes: Sequence[object]) -> Figure:
    """Counts of every true and predicted class; the shade is the share of the true class."""
    counts = metrics.confusion_matrix(y, predicted, labels=range(len(classes)))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    correct = int(np.trace(counts))
    size = len(classes)
    figure = new_figure(
        f"Confusion matrix: {correct:,} of {counts.sum():,} rows right", height=min(3.2 + 0.16 * max(size - 2, 0), 5.2)
    )
    axes = figure.subplots()
    heat_map(axes, shares, color=PALETTE[0], most=1)
    if size <= MAX_NUMBERED_CLASSES:
        for row, column in np.ndindex(size, size):
            share = f"\n{shares[row, column]:.0%}" if size <= 5 else ""
            axes.text(
                column + 0.5, row + 0.5, f"{counts[row, column]:,}{share}", ha="center", va="center",
                fontsize=11 if size <= 5 else 8, fontweight="bold" if row == column else "normal",
            )  # fmt: skip
    if size <= MAX_HINTED_CLASSES:
        cells = np.argwhere(np.ones_like(counts))
        hint_boxes(
            axes, cells[:, 1], cells[:, 0], cells[:, 1] + 1, cells[:, 0] + 1,
            (
                f"True {label(classes[row])}, predicted {label(classes[column])}: {rows_of(counts[row, column])}, "
                f"{shares[row, column]:.1%} of the true class"
                for row, column in cells
            ),
        )  # fmt: skip
    every = max(1, -(-size // 20))
    places = range(0, size, every)
    names = [label(classes[place], 16) for place in places]
    upright = max(map(len, names)) * len(names) > 40
    axes.set_xticks([place + 0.5 for place in places], names, rotation=90 if upright else 0)
    axes.set_yticks([place + 0.5 for place in places], names)
    axes.set_xlabel("Predicted class")
    axes.set_ylabel("True class")
    return figure


@house_style()
def roc_curve(y: Codes, proba: Floats, classes: Sequence[object], *, interval: Interval | None = None) -> Figure:
    """Found positives against false alarms over all thresholds; more than two classes one against the rest."""
    shown = _judged_classes(y, classes)
    areas = {code: float(metrics.roc_auc_score(y == code, proba[:, code])) for code in shown}
    figure = new_figure(_roc_title(areas, interval), height=3.6)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle="--", label="guessing (AUC 0.500)")
    for index, code in enumerate(shown):
        false_alarms, found, _ = metrics.roc_curve(y == code, proba[:, code])
        _hint_curve(axes, false_alarms, found, label(classes[code]), "false alarms", "found", len(shown))
        axes.plot(
            *thin_line(false_alarms, found),
            color=colour(index),
            label=f"{label(classes[code])} (AUC {areas[code]:.3f})",
        )
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.02))
    axes.set_xlabel("False alarms: share of the others flagged")
    axes.set_ylabel("Share of the class found")
    axes.legend(loc="lower right")
    return figure


@house_style()
def precision_recall_curve(y: Codes, p_positive: Floats, positive: object) -> Figure:
    """How pure the flagged rows are, for every share of positives found."""
    average = float(metrics.average_precision_score(y, p_positive))
    precision, recall, _ = metrics.precision_recall_curve(y, p_positive)
    share = float(np.mean(y))
    figure = new_figure(f"Precision against recall: average precision {average:.3f}")
    axes = figure.subplots()
    axes.axhline(share, color=QUIET, linewidth=1, linestyle="--", label=f"guessing ({share:.3f})")
    axes.plot(*thin_line(recall, precision), color=PALETTE[0], drawstyle="steps-post", label=label(positive))
    _hint_curve(axes, recall, precision, label(positive), "of them found", "of flags right")
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.02))
    axes.set_xlabel("Recall: share of the positives found")
    axes.set_ylabel("Precision: share of flags right")
    axes.legend(loc="best")
    return figure


@house_style()
def threshold_curve(y: Codes, p_positive: Floats, positive: object, threshold: float = USUAL) -> Figure:
    """What moving the threshold buys: precision, recall and their F1; dotted: the threshold of the model.

    No best one is marked: chosen here, it would have been chosen by the rows that evaluate it.
    """
    precision, recall, thresholds = metrics.precision_recall_curve(y, p_positive)
    precision, recall = precision[:-1], recall[:-1]
    f1 = 2 * precision * recall / np.maximum(precision + recall, np.finfo(float).tiny)
    figure = new_figure("What each threshold does, on the test rows")
    axes = figure.subplots()
    for name, values, tone in zip(("precision", "recall", "F1"), (precision, recall, f1), PALETTE, strict=False):
        axes.plot(*thin_line(thresholds, values), color=tone, label=name)
    axes.axvline(threshold, color=INK, linewidth=1, linestyle=":")
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.02))
    edges = np.linspace(0, 1, MAX_HINTS_A_LINE + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    nearest = np.minimum(np.searchsorted(thresholds, middles), len(thresholds) - 1)
    hint_columns(
        axes,
        edges,
        (
            f"From {thresholds[place]:.2f} on: precision {precision[place]:.2f}, recall {recall[place]:.2f}, "
            f"F1 {f1[place]:.2f}"
            for place in nearest
        ),
    )
    axes.set_xlabel(f"Flag as {label(positive)} from this probability on")
    axes.set_ylabel("Precision, recall, F1")
    axes.legend(loc="best")
    return figure


@house_style()
def calibration_curve(y: Codes, p_positive: Floats, positive: object) -> Figure:
    """Observed share of positives against the promised probability, with 95% intervals and the rows of each bin."""
    bins = np.minimum((np.asarray(p_positive) * BINS).astype(int), BINS - 1)
    rows = np.bincount(bins, minlength=BINS)
    hits = np.bincount(bins, weights=y, minlength=BINS).astype(int)
    promised = np.bincount(bins, weights=p_positive, minlength=BINS)
    filled = rows > 0
    x, observed = promised[filled] / rows[filled], hits[filled] / rows[filled]
    limits = [
        binomtest(int(hit), int(row)).proportion_ci(method="wilson")
        for hit, row in zip(hits[filled], rows[filled], strict=True)
    ]
    figure = new_figure("Calibration: do promised probabilities come true?", height=3.9)
    axes, counts = figure.subplots(2, 1, sharex=True, height_ratios=[4, 1])
    axes.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle="--", label="perfect")
    axes.vlines(x, [low for low, _ in limits], [high for _, high in limits], color=PALETTE[0], alpha=0.5, linewidth=2)
    axes.plot(x, observed, "o-", color=PALETTE[0], markersize=5, label="observed, with 95% interval")
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.02, 1.02))
    axes.set_ylabel(f"Share that is {label(positive, 16)}")
    axes.legend(loc="upper left")
    counts.bar((np.arange(BINS) + 0.5) / BINS, rows, width=0.9 / BINS, color=QUIET, alpha=0.7)
    words = [
        f"Promised {mean:.0%}, happened {share:.0%} ({low:.0%} to {high:.0%}) in {rows_of(row)}"
        for mean, share, (low, high), row in zip(x, observed, limits, rows[filled], strict=True)
    ]
    hint_points(axes, x, observed, words)
    places = np.flatnonzero(filled) / BINS
    hint_boxes(counts, places, 0, places + 1 / BINS, rows.max(), words)
    counts.grid(visible=False)
    counts.set_ylabel("Rows")
    counts.set_xlabel(f"Predicted probability of {label(positive)}")
    return figure


@house_style()
def score_distribution(y: Codes, p_positive: Floats, classes: Sequence[object], threshold: float = USUAL) -> Figure:
    """Predicted probabilities of each true class: the less they overlap, the better they can be told apart."""
    figure = new_figure("Predicted probability by true class")
    axes = figure.subplots()
    edges = np.linspace(0, 1, 21)
    bins = [f"{low:.2f} to {high:.2f}" for low, high in pairwise(edges)]
    for code in (0, 1):
        of_class = p_positive[y == code]
        shares = np.histogram(of_class, edges)[0] / max(len(of_class), 1)
        bins = [f"{words}; {label(classes[code])} {share:.1%}" for words, share in zip(bins, shares, strict=True)]
        tone = PALETTE[1 - code]
        axes.stairs(shares, edges, fill=True, color=tone, alpha=0.3)
        axes.stairs(shares, edges, color=tone, linewidth=1.6, label=f"{label(classes[code])} ({len(of_class):,} rows)")
    axes.axvline(threshold, color=INK, linewidth=1, linestyle=":")
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(visible=False, axis="x")
    hint_columns(axes, edges, bins)
    axes.set_xlabel(f"Predicted probability of {label(classes[1])}")
    axes.set_ylabel("Share of the class")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def _hint_curve(axes: Axes, x: Floats, y: Floats, name: str, x_name: str, y_name: str, curves: int = 1) -> None:
    x, y = thin_line(x, y, max(MAX_HINTS_A_LINE // curves, 10))
    words = (f"{name}: {along:.0%} {x_name}, {up:.0%} {y_name}" for along, up in zip(x, y, strict=True))
    hint_points(axes, x, y, words)


def _judged_classes(y: Codes, classes: Sequence[object]) -> list[int]:
    """The positive class of two; else the most frequent ones among `y`, in code order."""
    if len(classes) == 2:
        return [1]
    rows = np.bincount(y, minlength=len(classes))
    frequent = np.argsort(-rows, kind="stable")[:MAX_CURVES]
    return sorted(int(code) for code in frequent if 0 < rows[code] < len(y))


def _roc_title(areas: Mapping[int, float], interval: Interval | None) -> str:
    if len(areas) > 1:
        return "ROC curves, each class against the rest"
    (area,) = areas.values()
    if interval is None:
        return f"ROC curve: AUC {area:.3f}"
    return f"ROC curve: AUC {area:.3f} ({interval['low']:.3f} to {interval['high']:.3f})"
