"""Plots of what an iteration watches: objectives step by step, traces of Markov chains and how fast they forget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from penstock.components.plots.hints import hint_points
from penstock.components.plots.style import (
    PALETTE,
    QUIET,
    amounts,
    by_orders,
    colour,
    house_style,
    label,
    new_figure,
    short_number,
    thin_line,
)

Floats = NDArray[np.float64]
ACROSS = 3


@house_style()
def course_figure(courses: Mapping[str, tuple[str, Floats, int | None]]) -> Figure:
    """For each method what it watches, by steps; a cross where it first goes the wrong way."""
    down, across = -(-len(courses) // ACROSS), min(ACROSS, len(courses))
    figure = new_figure("Does every step improve?", height=0.8 + 2.0 * down)
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for axes, (name, (watched, values, breach)) in zip(panels, courses.items(), strict=False):
        steps = np.arange(len(values), dtype=float)
        shown = np.isfinite(values)
        axes.plot(*thin_line(steps[shown], values[shown]), color=PALETTE[0])
        if breach is not None and shown[breach]:
            axes.plot(breach, values[breach], "X", color=PALETTE[1], markersize=8)
            hint_points(axes, [breach], [values[breach]], [f"step {breach}: {short_number(float(values[breach]))}"])
        axes.set_title(label(name, 20), fontsize=8)
        axes.set_xlabel("Step")
        axes.set_ylabel(watched.capitalize())
        amounts(axes.xaxis, axes.yaxis)
        axes.locator_params(nbins=3)
    for axes in panels[len(courses) :]:
        axes.set_visible(False)
    return figure


@house_style()
def trace_figure(
    traces: Sequence[Floats], burn_in: int, autocorrelations: Sequence[Floats], lag: int, level: float
) -> Figure:
    """Left: the observable by sweeps, and where its plateau begins. Right: how alike it is to itself some sweeps on."""
    figure = new_figure("When chains settle, and when they forget", height=3.8)
    left, right = figure.subplots(1, 2)
    for place, (trace, alike) in enumerate(zip(traces, autocorrelations, strict=True)):
        name = f"chain {place + 1}"
        left.plot(np.arange(1, len(trace) + 1), trace, color=colour(place), linewidth=0.8, label=name)
        right.plot(np.arange(len(alike)), alike, color=colour(place), linewidth=1.2)
    by_orders(left, "x")
    left.axvline(burn_in + 1, color=QUIET, linestyle="--", label=f"settled after {burn_in:,}")
    left.set_xlabel("Sweep")
    left.set_ylabel("Log-likelihood")
    right.axhline(level, color=QUIET, linestyle=":", label=f"{level:g}")
    right.axvline(lag, color=QUIET, linestyle="--")
    hint_points(right, [lag], [level], [f"below {level:g} in all chains, {lag:,} sweeps apart"])
    right.set_xlabel("Lag in sweeps")
    right.set_ylabel("Autocorrelation")
    amounts(left.yaxis, right.xaxis, right.yaxis)
    figure.legend(loc="outside lower center", ncols=3)
    return figure
