"""Plots of how probabilities become answers, and of what was promised with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from penstock.components.evaluation.calibration import bins_of, promises
from penstock.components.plots.hints import hint_points, rows_of
from penstock.components.plots.style import (
    INK,
    PALETTE,
    QUIET,
    amounts,
    house_style,
    label,
    new_figure,
    say_thinned,
    scatter,
    short_number,
    thin,
)

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]


@house_style()
def threshold_choice(chosen: Mapping[str, Any]) -> Figure:
    """What was tuned, over the thresholds; the best one is a dot, the one in use a line."""
    sign, name = chosen["sign"], label(chosen["label"])
    x, y = np.array(chosen["thresholds"]), sign * np.array(chosen["scores"])
    figure = new_figure(
        f"Choice of threshold: {name} {short_number(sign * chosen['best_score'])} at {chosen['best']:.3g}"
    )
    axes = figure.subplots()
    axes.plot(x, y, color=PALETTE[0], label=name)
    axes.plot(chosen["best"], sign * chosen["best_score"], "o", color=PALETTE[0], markersize=7, label="best")
    axes.axvline(chosen["value"], color=INK, linewidth=1, linestyle=":", label=f"in use: {chosen['value']:.3g}")
    words = (f"Above {at:.3g}: {name} {short_number(score)}" for at, score in zip(x, y, strict=True))
    hint_points(axes, x, y, words)
    axes.set(xlim=(-0.01, 1.01))
    amounts(axes.yaxis)
    axes.set_xlabel("Threshold: answered as positive above this probability")
    axes.set_ylabel(name[:1].upper() + name[1:])
    axes.legend(loc="best")
    return figure


@house_style()
def before_and_after(y: Codes, before: Floats, after: Floats) -> Figure:
    """Observed shares against promised probabilities, without and with the correction."""
    figure = new_figure("Calibration before and after the correction", height=3.6)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle="--", label="perfect")
    most = 0.0
    for name, prediction, tone in (("before", before, PALETTE[1]), ("after", after, PALETTE[0])):
        promised, happened = promises(y, prediction)
        bins = bins_of(promised)
        rows = np.bincount(bins)
        x, observed = (np.bincount(bins, weights=values) / rows for values in (promised, happened))
        axes.plot(x, observed, "o-", color=tone, markersize=5, label=name)
        words = (
            f"{name}: promised {mean:.1%}, happened {share:.1%} in {rows_of(int(size))}"
            for mean, share, size in zip(x, observed, rows, strict=True)
        )
        hint_points(axes, x, observed, words)
        most = max(most, float(x.max()), float(observed.max()))
    end = min(1.02, 1.05 * most + 0.01)
    axes.set(xlim=(-0.01, end), ylim=(-0.01, end))
    axes.set_xlabel("Promised probability")
    axes.set_ylabel("Share of rows in which it came true")
    axes.legend(loc="upper left")
    return figure


@house_style()
def prediction_intervals(y: Floats, prediction: Floats, half_width: float, target: object = "target") -> Figure:
    """Rows against their predictions, and how far the intervals go."""
    inside = np.abs(y - prediction) <= half_width
    figure = new_figure(f"Intervals: {inside.mean():.1%} of rows inside ±{short_number(half_width)}", height=3.7)
    axes = figure.subplots()
    shown = thin(len(y))
    for held, tone in ((True, PALETTE[0]), (False, PALETTE[1])):
        part = shown[inside[shown] == held]
        name = "inside" if held else "outside"
        scatter(axes, prediction[part], y[part], color=tone, total=len(y), name=name)
    say_thinned(figure, len(shown), len(y))
    ends = np.array([prediction.min(), prediction.max()])
    for shift in (-half_width, half_width):
        axes.plot(ends, ends + shift, color=QUIET, linewidth=1.2, linestyle="--")
    amounts(axes.xaxis, axes.yaxis)
    axes.set_xlabel(f"Predicted {label(target)}")
    axes.set_ylabel(f"Actual {label(target)}")
    axes.legend(loc="upper left")
    return figure
