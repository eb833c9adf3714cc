"""Plots of a regression on rows it has not seen."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from penstock.components.plots.hints import hint_boxes, hint_points, rows_of
from penstock.components.plots.style import (
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

Floats = NDArray[np.float64]


@house_style()
def predicted_vs_actual(y: Floats, prediction: Floats, target: object = "target") -> Figure:
    """Every row against the line on which prediction and truth are equal."""
    correlation = float(np.corrcoef(y, prediction)[0, 1]) if np.std(y) > 0 and np.std(prediction) > 0 else None
    figure = new_figure(
        "Predicted against actual values" + (f": correlation {correlation:.3f}" if correlation is not None else ""),
        height=3.7,
    )
    axes = figure.subplots()
    shown = thin(len(y))
    scatter(axes, y[shown], prediction[shown], color=PALETTE[0], total=len(y))
    words = (
        f"Actual {short_number(truth)}, predicted {short_number(guess)}"
        for truth, guess in zip(y[shown], prediction[shown], strict=True)
    )
    hint_points(axes, y[shown], prediction[shown], words)
    say_thinned(figure, len(shown), len(y))
    ends = [min(y.min(), prediction.min()), max(y.max(), prediction.max())]
    axes.plot(ends, ends, color=QUIET, linewidth=1.2, linestyle="--", label="prediction = truth")
    amounts(axes.xaxis, axes.yaxis)
    axes.set_xlabel(f"Actual {label(target)}")
    axes.set_ylabel(f"Predicted {label(target)}")
    axes.legend(loc="upper left")
    return figure


@house_style()
def residuals(y: Floats, prediction: Floats, target: object = "target") -> Figure:
    """What is left over: against the prediction on the left, as a histogram on the right."""
    left_over = y - prediction
    figure = new_figure(f"Residuals: half of them within ±{short_number(float(np.median(np.abs(left_over))))}")
    axes, counts = figure.subplots(1, 2, sharey=True, width_ratios=[3, 1])
    shown = thin(len(y))
    scatter(axes, prediction[shown], left_over[shown], color=PALETTE[0], total=len(y))
    words = (
        f"Predicted {short_number(guess)}, actual {short_number(truth)}: off by {short_number(rest)}"
        for guess, truth, rest in zip(prediction[shown], y[shown], left_over[shown], strict=True)
    )
    hint_points(axes, prediction[shown], left_over[shown], words)
    say_thinned(figure, len(shown), len(y))
    axes.axhline(0, color=QUIET, linewidth=1.2, linestyle="--")
    amounts(axes.xaxis, axes.yaxis)
    axes.set_xlabel(f"Predicted {label(target)}")
    axes.set_ylabel("Actual minus predicted")
    heights, edges = np.histogram(left_over, bins=24)
    counts.stairs(heights, edges, orientation="horizontal", fill=True, color=PALETTE[0], alpha=0.6)
    bars = (
        f"{short_number(low)} to {short_number(high)}: {rows_of(rows)}"
        for (low, high), rows in zip(pairwise(edges), heights, strict=True)
    )
    hint_boxes(counts, 0, edges[:-1], max(heights), edges[1:], bars)
    counts.axhline(0, color=QUIET, linewidth=1.2, linestyle="--")
    counts.grid(visible=False)
    counts.xaxis.set_major_locator(MaxNLocator(2))
    counts.set_xlabel("Rows")
    return figure
