"""Plots of what a model goes by, for whom it does worse, and whom its decisions favour."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator
from numpy.typing import NDArray

from penstock.components.explanation.partial_dependence import MISSING, ORDERED
from penstock.components.plots.hints import hint_boxes, hint_points, rows_of
from penstock.components.plots.style import (
    PALETTE,
    QUIET,
    amounts,
    colour,
    house_style,
    label,
    new_figure,
    short_number,
)

MAX_BARS = 15
MAX_SIGNS = 22  # of all names below a small panel, before they are turned
Facts = Mapping[str, Any]
Floats = NDArray[np.float64]


def explanation_figures(facts: Facts) -> dict[str, Figure]:
    """Plots by name, for those parts of an explanation that are there."""
    figures: dict[str, Figure] = {}
    if facts["importance"]:
        figures["importance"] = importance(facts["importance"], facts["label"])
    if facts["dependence"]:
        figures["partial_dependence"] = dependence(facts["dependence"], facts["target"])
    scored = [one for one in facts["slices"] if one["value"] is not None]
    if scored:
        figures["slices"] = slices(scored, facts["label"], facts["sign"])
    if facts["fairness"]:
        figures["fairness"] = fairness(facts["fairness"])
    if facts["shap"]:
        figures["shap"] = shap_summary(facts["shap"])
    return figures


@house_style()
def importance(found: Sequence[Facts], metric: str) -> Figure:
    """What the score loses without each column, with its interval over shuffles."""
    shown = found[:MAX_BARS]
    rest = f", the first {MAX_BARS} of {len(found)}" if len(found) > len(shown) else ""
    figure = new_figure(f"What the model goes by{rest}", height=1.4 + 0.24 * max(len(shown), 2))
    axes = figure.subplots()
    _intervals(axes, shown, [label(one["column"]) for one in shown], 1)
    axes.axvline(0, color=QUIET, linewidth=1, linestyle="--")
    axes.set_ylabel("Column")
    _below(figure, f"{label(metric, 40)}: how much worse when the column is shuffled")
    return figure


@house_style()
def slices(found: Sequence[Facts], metric: str, sign: int) -> Figure:
    """The score of each slice; those that are worse beyond chance stand out."""
    shown = found[: 2 * MAX_BARS]
    worse = sum(one["worse"] for one in found)
    figure = new_figure(
        f"Slices: {worse or 'none'} of {len(found)} worse than the whole beyond chance",
        height=1.5 + 0.24 * max(len(shown), 2),
    )
    axes = figure.subplots()
    names = [f"{label(one['column'], 14)}: {label(one['slice'], 18)}" for one in shown]
    _intervals(axes, shown, names, sign)
    whole = shown[0]["value"] + shown[0]["behind"]
    axes.axvline(sign * whole, color=QUIET, linewidth=1, linestyle="--", label="all test rows")
    axes.set_ylabel("Slice")
    _below(figure, f"{label(metric, 40)} ({'greater' if sign > 0 else 'smaller'} is better)")
    axes.legend(loc="best")
    return figure


def _below(figure: Figure, text: str) -> None:
    """The words of the horizontal axis, which may be longer than the axis is beside long names."""
    figure.supxlabel(textwrap.fill(text, 52), fontsize=10)


def _intervals(axes: Axes, found: Sequence[Facts], names: Sequence[str], sign: int) -> None:
    for place, one in enumerate(found):
        tone = PALETTE[1] if one.get("worse") else PALETTE[0]
        axes.hlines(place, *sorted((sign * one["low"], sign * one["high"])), color=tone, linewidth=2.2)
        axes.plot(sign * one["value"], place, "o", color=tone, markersize=6)
    axes.set_yticks(range(len(found)), names)
    axes.set_ylim(max(len(found), 2) - 0.4, -0.6)
    amounts(axes.xaxis)
    axes.grid(visible=False, axis="y")
    places = np.arange(len(found))
    left, right = axes.get_xlim()
    words = (
        f"{name}: {short_number(sign * one['value'])} "
        f"({' to '.join(map(short_number, sorted((sign * one['low'], sign * one['high']))))})"
        + (f", {rows_of(one['rows'])}" if "rows" in one else "")
        for name, one in zip(names, found, strict=True)
    )
    hint_boxes(axes, left, places - 0.4, right, places + 0.4, words)


@house_style()
def dependence(curves: Sequence[Facts], target: object) -> Figure:
    """The mean prediction against each of the leading columns; the band is of nine of ten single rows."""
    lines = -(-len(curves) // 2)
    figure = new_figure("How the prediction moves with a column", height=0.9 + 2.1 * lines)
    panels = np.atleast_1d(figure.subplots(lines, min(2, len(curves)), squeeze=False)).ravel()
    for axes, curve in zip(panels, curves, strict=False):
        _dependence(axes, curve)
    for axes in panels[len(curves) :]:
        axes.set_axis_off()
    of = {line["of"] for line in curves[0]["curves"]}
    figure.supylabel(
        f"Predicted {label(target)}" if of == {None} else f"Probability{' of ' + label(*of) if len(of) == 1 else ''}",
        fontsize=10,
    )
    if len(of) > 1:
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(of))
    return figure


def _dependence(axes: Axes, curve: Facts) -> None:
    gap = curve["grid"][-1] == MISSING
    known = curve["grid"][:-1] if gap else curve["grid"]
    x = np.array(known, dtype=float) if curve["role"] == "numeric" else np.arange(len(known), dtype=float)
    if gap:
        x = np.append(x, x.max() + ((0.25 * np.ptp(x) if curve["role"] in ORDERED else 0) or 1))
    joined = slice(len(known)) if curve["role"] in ORDERED else slice(0)
    apart = slice(joined.stop, None)
    alone = len(curve["curves"]) == 1
    for place, line in enumerate(curve["curves"]):
        tone, mean = colour(place), np.array(line["mean"])
        low, high = np.array(line["low"]), np.array(line["high"])
        axes.plot(x[joined], mean[joined], color=tone, label=label(line["of"]) if line["of"] else None)
        axes.plot(x[apart], mean[apart], "o", color=tone)
        if alone:
            axes.fill_between(x[joined], low[joined], high[joined], color=tone, alpha=0.15, linewidth=0)
            axes.vlines(x[apart], low[apart], high[apart], color=tone, alpha=0.4, linewidth=4)
        words = (f"{label(str(value), 30)}: {short_number(at)}" for value, at in zip(curve["grid"], mean, strict=True))
        hint_points(axes, x, mean, words)
    amounts(axes.yaxis)
    if curve["role"] == "numeric":
        amounts(axes.xaxis)
        if gap:
            _mark_missing(axes, x[:-1], x[-1])
    else:
        _named_ticks(axes, x, curve)
    left_out = curve["distinct"] - len(known) if curve["role"] not in ORDERED else 0
    part = f": {len(known)} commonest of {curve['distinct']:,}" if left_out else ""
    axes.set_xlabel(f"{label(curve['column'], 20 if part else 26)}{part}")


def _mark_missing(axes: Axes, known: Floats, place: float) -> None:
    """A name under the place, and no number so near that the two would overlap."""
    ticks = MaxNLocator(3).tick_values(known.min(), known.max())
    shown = (ticks >= known.min()) & (ticks <= place - 0.35 * np.ptp(known))
    axes.xaxis.set_major_locator(FixedLocator(ticks[shown]))
    axes.annotate(
        MISSING, (place, 0), (0, -5), xycoords=axes.get_xaxis_transform(), textcoords="offset points", ha="center",
        va="top", fontsize=9,
    )  # fmt: skip


def _named_ticks(axes: Axes, x: Floats, curve: Facts) -> None:
    names = [label(value, 12) for value in curve["grid"]]
    shown = list(range(len(names)))
    if curve["role"] == "date":
        known = len(names) - (names[-1] == MISSING)
        shown = sorted({*np.linspace(0, known - 1, 3).round().astype(int).tolist(), *range(known, len(names))})
    steep = sum(len(names[place]) for place in shown) > MAX_SIGNS
    turned: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if steep else {}
    axes.set_xticks([x[place] for place in shown], [names[place] for place in shown], **turned)


@house_style()
def fairness(found: Mapping[str, Facts]) -> Figure:
    """Shares decided for, by group: of all rows, of the positive and of the negative ones."""
    groups = [(column, group) for column, facts in found.items() for group in facts["groups"]]
    figure = new_figure("Decisions by group", height=1.6 + 0.3 * max(len(groups), 2))
    axes = figure.subplots()
    kinds = {"selected": "of all rows", "found": "of the positive rows", "false_alarms": "of the negative rows"}
    for place, (kind, name) in enumerate(kinds.items()):
        axes.plot(
            [group[kind] for _, group in groups], range(len(groups)), "osD"[place], color=colour(place), label=name
        )
    names = [f"{label(column, 14)}: {label(group['group'], 16)}" for column, group in groups]
    axes.set_yticks(range(len(groups)), names)
    axes.set_ylim(max(len(groups), 2) - 0.4, -0.6)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("Share decided for")
    axes.set_ylabel("Group")
    places = np.arange(len(groups))
    words = (
        f"{name}, {rows_of(group['rows'])}: " + ", ".join(f"{group[kind]:.0%} {words}" for kind, words in kinds.items())
        for name, (_, group) in zip(names, groups, strict=True)
    )
    hint_boxes(axes, 0, places - 0.4, 1, places + 0.4, words)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


@house_style()
def shap_summary(found: Facts) -> Figure:
    """What each column adds to single predictions; orange where its value is high among the rows, blue where low."""
    shown = found["columns"][:MAX_BARS]
    figure = new_figure(f"Shapley values of {found['rows']} rows", height=1.4 + 0.28 * max(len(shown), 2))
    axes = figure.subplots()
    for place, one in enumerate(shown):
        name = one["column"]
        if name not in found["points"]:
            axes.hlines(place, one["low"], one["high"], color=PALETTE[0], linewidth=2.2)
            axes.plot(one["value"], place, "o", color=PALETTE[0])
            continue
        values = np.array(found["points"][name])
        high = np.array([np.nan if rank is None else rank for rank in found["ranks"][name]], dtype=float) > 0.5
        spread = np.random.default_rng(0).uniform(-0.25, 0.25, len(values))
        for tone, part in ((PALETTE[0], ~high), (PALETTE[1], high)):
            axes.plot(values[part], place + spread[part], "o", color=tone, markersize=3, alpha=0.6, markeredgewidth=0)
    axes.axvline(0, color=QUIET, linewidth=1, linestyle="--")
    axes.set_yticks(range(len(shown)), [label(one["column"]) for one in shown])
    axes.set_ylim(max(len(shown), 2) - 0.4, -0.6)
    amounts(axes.xaxis)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("Added to the prediction" if found["points"] else "Mean size over the classes")
    axes.set_ylabel("Column")
    return figure
