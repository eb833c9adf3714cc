"""Plots of bounds, capacity, separability, bias and variance."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from itertools import chain, cycle
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from penstock.components.plots.hints import hint_boxes, hint_points
from penstock.components.plots.style import (
    INK,
    QUIET,
    amounts,
    by_orders,
    colour,
    house_style,
    label,
    new_figure,
    short_number,
    tint,
)

Array = np.ndarray[Any, Any]
BINS = 30
WIDE = 20  # signs of a name, three of which fit side by side
CUT = 4
LETTERS = 52  # of tick labels that stand side by side under a figure
# Each stroke lets the ones before it be seen under it, where lines are equal: it is broken, thinner, with smaller dots.
STROKES = (("-", 2.6, 6.0), ("--", 1.8, 4.0), ("-.", 1.4, 3.0), (":", 1.4, 2.0))
BREAKS = ("--", "-.", (0, (6, 2, 1, 2, 1, 2)))


@house_style()
def curves(
    title: str,
    x: Sequence[float],
    lines: Mapping[str, Sequence[float]],
    *,
    across: str,
    up: str,
    marks: Mapping[str, float] | None = None,
    levels: Mapping[str, float] | None = None,
    log: Sequence[Literal["x", "y"]] = (),
) -> Figure:
    """Lines over x; `marks` are upright lines, `levels` lying ones, each with its name. `log`: axes by orders."""
    figure = new_figure(title, height=3.6)
    axes = figure.subplots()
    for place, ((name, values), (stroke, width, dots)) in enumerate(zip(lines.items(), cycle(STROKES), strict=False)):
        axes.plot(
            x, values, marker="o" if len(x) < BINS else None, markersize=dots, linestyle=stroke, linewidth=width,
            color=colour(place), label=name,
        )  # fmt: skip
        words = (
            f"{name}, {across.lower()} {short_number(at)}: {short_number(value)}"
            for at, value in zip(x, values, strict=True)
            if np.isfinite(value)
        )
        seen = np.isfinite(np.asarray(values, dtype=float))
        hint_points(axes, np.asarray(x)[seen], np.asarray(values)[seen], words)
    for (name, value), broken, tone in zip((marks or {}).items(), cycle(BREAKS), cycle((QUIET, INK)), strict=False):
        axes.axvline(value, color=tone, linewidth=1.2, linestyle=broken, label=name)
    for name, value in (levels or {}).items():
        axes.axhline(value, color=QUIET, linewidth=1, linestyle=":", label=name)
    amounts(axes.xaxis, axes.yaxis)
    for axis, drawn in ((axes.xaxis, x), (axes.yaxis, [*chain.from_iterable(lines.values())])):
        if all(float(value).is_integer() for value in drawn):
            axis.set_major_locator(MaxNLocator(5, integer=True))
    by_orders(axes, *log)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    wide = max(len(name) for name in (*lines, *(marks or {}), *(levels or {})))
    figure.legend(loc="outside lower center", ncols=2 if wide > WIDE else 3, fontsize=8)
    return figure


@house_style()
def stacked(
    title: str,
    names: Sequence[str],
    components: Mapping[str, Sequence[float]],
    up: str,
    measured: Sequence[float] | None = None,
) -> Figure:
    """Parts that sum to a whole, for each name; `measured` is what the whole turned out to be."""
    figure = new_figure(title, height=3.6)
    axes = figure.subplots()
    places, base = np.arange(len(names)), np.zeros(len(names))
    wholes = np.sum([*components.values()], axis=0, dtype=float)
    scales = _scales(wholes)
    for place, (part, values) in enumerate(components.items()):
        tops = base + scales * np.asarray(values, dtype=float)
        axes.bar(places, tops - base, bottom=base, width=0.6, color=colour(place), alpha=0.75, label=part)
        words = (f"{name}, {part}: {short_number(value)}" for name, value in zip(names, values, strict=True))
        hint_boxes(axes, places - 0.3, base, places + 0.3, tops, words)
        base = tops
    if measured is not None:
        whole = scales == 1
        heights = np.asarray(measured)[whole]
        axes.plot(places[whole], heights, "D", color=colour(len(components)), label="measured", markersize=5)
    if len(names) < 5:
        axes.set_xticks(places, [textwrap.fill(label(name, LETTERS), LETTERS // len(names)) for name in names])
    else:
        axes.set_xticks(
            places, [label(name) for name in names], rotation=30, horizontalalignment="right", rotation_mode="anchor"
        )
    if (scales < 1).any():
        axes.set_ylim(0, base.max())
        for cut in np.flatnonzero(scales < 1).tolist():
            axes.text(cut, base[cut], short_number(wholes[cut]), ha="center", va="bottom", fontsize=8)
        figure.set_label("Bars with a number above them are cut: they show the shares of their parts alone.")
    axes.grid(visible=False, axis="x")
    amounts(axes.yaxis)
    axes.set_ylabel(up)
    figure.legend(loc="outside lower center", ncols=4, fontsize=8)
    return figure


def _scales(wholes: Array) -> Array:
    """One for each bar; less for those that would dwarf the others to nothing."""
    most = CUT * float(np.median(wholes))
    scales = np.ones(len(wholes))
    if 0 < most < wholes.max() / CUT:
        scales[wholes > most] = most / wholes[wholes > most]
    return scales


@house_style()
def two_sides(title: str, scores: Array, positive: Array, names: tuple[str, str]) -> Figure:
    """How far the rows of two classes lie on either side of a boundary."""
    figure = new_figure(title, height=3.2)
    axes = figure.subplots()
    edges = _edges(scores)
    for place, (name, own) in enumerate(zip(names, (~positive, positive), strict=True)):
        axes.hist(scores[own], bins=edges.tolist(), color=tint(colour(place))(0.9), label=label(name))
    axes.axvline(0, color=QUIET, linewidth=1, linestyle="--")
    amounts(axes.xaxis, axes.yaxis)
    axes.set_xlabel("Distance from the boundary")
    axes.set_ylabel("Rows")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def _edges(scores: Array) -> Array:
    """Of bins of one width, none of which lies on both sides of zero."""
    low, high = min(float(scores.min()), 0.0), max(float(scores.max()), 0.0)
    width = (high - low) / BINS or 1.0
    edges: Array = width * np.arange(-np.ceil(-low / width), max(np.ceil(high / width), 1) + 1)
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)
    return edges


@house_style()
def risks(found: Sequence[Mapping[str, Any]]) -> Figure:
    """Errors of hypotheses on the rows, with the band that holds all true ones."""
    figure = new_figure("Errors of the best hypotheses", height=1.4 + 0.26 * max(len(found), 2))
    axes = figure.subplots()
    for place, one in enumerate(found):
        _band(axes, place, one)
    axes.set_yticks(range(len(found)), [label(one["hypothesis"]) for one in found])
    axes.set_ylim(max(len(found), 2) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.set_xlabel("Share of mistakes")
    axes.set_ylabel("Hypothesis")
    axes.grid(visible=False, axis="y")
    return figure


def _band(axes: Axes, place: int, one: Mapping[str, Any]) -> None:
    axes.hlines(place, one["low"], one["high"], color=colour(0), linewidth=2.2)
    axes.plot(one["error"], place, "o", color=colour(0), markersize=6)
    words = (
        f"{one['hypothesis']}: {short_number(one['error'])} ({short_number(one['low'])} to {short_number(one['high'])})"
    )
    hint_boxes(axes, 0, place - 0.4, 1, place + 0.4, [words])
