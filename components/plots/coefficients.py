"""Weights of a linear model, how they change with its penalty, and what probability its score becomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from penstock.components.plots.hints import MAX_HINTS_A_LINE, hint_boxes, hint_points
from penstock.components.plots.style import (
    INK,
    PALETTE,
    QUIET,
    amounts,
    by_orders,
    colour,
    house_style,
    label,
    new_figure,
    scatter,
    short_number,
    thin,
    thin_line,
)

Array = np.ndarray[Any, Any]
MAX_LINES = 8


@house_style()
def coefficient_bars(names: Sequence[str], weights: Array, of: Sequence[str]) -> Figure:
    """`weights`: (outcomes, columns), the largest column first."""
    figure = new_figure("Weights", height=1.4 + 0.26 * max(len(names), 2))
    axes = figure.subplots()
    tall = 0.8 / len(of)
    for place, (outcome, line) in enumerate(zip(of, weights, strict=True)):
        middles = np.arange(len(names)) - 0.4 + tall * (place + 0.5)
        axes.barh(middles, line, height=tall, color=colour(place), label=label(outcome))
        words = (f"{name}, {outcome}: {short_number(weight)}" for name, weight in zip(names, line, strict=True))
        hint_boxes(axes, np.minimum(line, 0), middles - tall / 2, np.maximum(line, 0), middles + tall / 2, words)
    axes.axvline(0, color=QUIET, linewidth=1)
    axes.set_yticks(range(len(names)), [label(name) for name in names])
    axes.set_ylim(max(len(names), 2) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    amounts(axes.xaxis)
    axes.set_xlabel("Weight")
    axes.set_ylabel("Column")
    if len(of) > 1:
        figure.legend(loc="outside lower center", ncols=min(len(of), 3))
    return figure


@house_style()
def coefficient_path(names: Sequence[str], *, parameter: str, values: Array, weights: Array, chosen: float) -> Figure:
    """`weights`: (values of the parameter, columns); the first eight columns have a colour of their own."""
    figure = new_figure(f"Weights along {parameter}", height=3.6)
    axes = figure.subplots()
    for place, name in enumerate(names):
        told = place < MAX_LINES
        axes.plot(
            values,
            weights[:, place],
            color=colour(place) if told else QUIET,
            linewidth=1.6 if told else 0.8,
            label=label(name, 18) if told else None,
        )
        if told:
            words = (
                f"{name} at {short_number(value)}: {short_number(weight)}"
                for value, weight in zip(values, weights[:, place], strict=True)
            )
            hint_points(axes, values, weights[:, place], words)
    axes.axvline(chosen, color=QUIET, linewidth=1, linestyle="--")
    axes.axhline(0, color=QUIET, linewidth=0.8)
    by_orders(axes, "x")
    axes.set_xlabel(parameter)
    axes.set_ylabel("Weight")
    amounts(axes.yaxis)
    figure.legend(loc="outside lower center", ncols=3, fontsize=8)
    return figure


@house_style()
def probability_curve(score: Array, probability: Array, flagged: Array, happened: Array, positive: str) -> Figure:
    """The probability of the positive class over the score, the training rows at 0 and 1, and where answers turn.

    `flagged`: rows that are answered as positive; `happened`: rows that are.
    """
    order = np.argsort(score, kind="stable")
    score, probability, flagged, happened = (np.asarray(one)[order] for one in (score, probability, flagged, happened))
    figure = new_figure(f"Probability of {label(positive)} by score")
    axes = figure.subplots()
    shown = thin(len(score))
    for outcome, tone in ((True, PALETTE[0]), (False, PALETTE[1])):
        part = shown[happened[shown] == outcome]
        name = f"rows that are {'' if outcome else 'not '}{label(positive, 16)}"
        scatter(axes, score[part], np.full(len(part), float(outcome)), color=tone, total=len(score), name=name)
    axes.plot(*thin_line(score, probability), color=INK, linewidth=1.6, label="probability")
    x, y = thin_line(score, probability, MAX_HINTS_A_LINE)
    words = (f"Score {short_number(at)}: probability {share:.1%}" for at, share in zip(x, y, strict=True))
    hint_points(axes, x, y, words)
    turn = int(np.argmax(flagged))
    if turn > 0 and flagged[turn]:
        border = float(score[turn - 1 : turn + 1].mean())
        level = float(probability[turn - 1 : turn + 1].mean())
        axes.axvline(border, color=QUIET, linewidth=1.2, linestyle=":", label=f"answered as such from {level:.2f} on")
    axes.set_ylim(-0.06, 1.06)
    axes.set_xlabel("Score: the sum of each column times its weight")
    axes.set_ylabel("Probability")
    amounts(axes.xaxis)
    figure.legend(loc="outside lower center", ncols=2)
    return figure
