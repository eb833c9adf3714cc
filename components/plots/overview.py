"""Plots that are not of one problem alone: the candidates, the outcome, what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import NDArray

from penstock.components.plots.hints import hint_boxes, hint_columns
from penstock.components.plots.style import (
    INK,
    PALETTE,
    QUIET,
    amounts,
    colour,
    house_style,
    label,
    new_figure,
    short_number,
)

MAX_CANDIDATES = 20
MAX_BARS = 15
BASELINES = ("baseline", "dummy")


def is_baseline(candidate: Mapping[str, Any]) -> bool:
    return str(candidate["name"]).startswith(BASELINES)


@house_style()
def candidates(found: Sequence[Mapping[str, Any]], *, metric: str, sign: int = 1, winner: str | None = None) -> Figure:
    """Score and interval of each candidate, best on top, its folds as small dots; the baseline as a line across.

    `sign` -1 is for negated errors, which are drawn as positive numbers; `winner` is the label to stand out.
    """
    scored = [candidate for candidate in found if candidate.get("score") is not None]
    scored.sort(key=lambda candidate: -candidate["score"])
    shown = scored[:MAX_CANDIDATES]
    baseline = next((candidate for candidate in scored if is_baseline(candidate)), None)
    if baseline is not None and baseline not in shown:
        shown[-1] = baseline
    part = f": {len(shown)} of {len(found)}" if len(shown) < len(found) else ""
    figure = new_figure(f"Candidates by score{part}", height=1.5 + 0.26 * len(shown))
    axes = figure.subplots()
    for place, candidate in enumerate(shown):
        tone = QUIET if candidate is baseline else PALETTE[1] if candidate["label"] == winner else PALETTE[0]
        folds = [sign * score for score in candidate.get("folds") or [] if score is not None]
        axes.plot(folds, [place + 0.25] * len(folds), "o", color=tone, alpha=0.5, markersize=3.5, markeredgewidth=0)
        if candidate.get("low") is not None and candidate.get("high") is not None:
            axes.hlines(place, *sorted((sign * candidate["low"], sign * candidate["high"])), color=tone, linewidth=2.2)
        axes.plot(sign * candidate["score"], place, "o", color=tone, markersize=7)
    if baseline is not None:
        axes.axvline(sign * baseline["score"], color=QUIET, linewidth=1, linestyle="--")
    axes.set_yticks(range(len(shown)), [_name(candidate) for candidate in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    amounts(axes.xaxis)
    axes.grid(visible=False, axis="y")
    axes.set_ylabel("Candidate")
    axes.set_xlabel(f"{label(metric, 40)} ({'greater' if sign > 0 else 'smaller'} is better)", loc="right")
    _explain_dots(figure, shown, has_baseline=baseline is not None)
    return figure


def _name(candidate: Mapping[str, Any]) -> str:
    clusters = (candidate.get("parameters") or {}).get("clusters")
    return label(candidate["label"], 30) + (f", K={clusters}" if clusters else "")


def _explain_dots(figure: Figure, shown: Sequence[Mapping[str, Any]], *, has_baseline: bool) -> None:
    has_intervals = any(candidate.get("low") is not None for candidate in shown)
    keys = [
        Line2D([], [], color=PALETTE[0], marker="o", markersize=6, label="score and interval")
        if has_intervals
        else Line2D([], [], color=PALETTE[0], marker="o", markersize=6, linestyle="", label="score")
    ]
    if any(candidate.get("folds") for candidate in shown):
        keys.append(Line2D([], [], color=PALETTE[0], marker="o", markersize=3.5, linestyle="", label="one fold"))
    if has_baseline:
        keys.append(Line2D([], [], color=QUIET, linewidth=1, linestyle="--", label="baseline"))
    figure.legend(handles=keys, loc="outside lower center", ncols=len(keys))


@house_style()
def target_distribution(
    subsets: Mapping[str, NDArray[Any]], *, target: object = "target", classes: Sequence[object] | None = None
) -> Figure:
    """The outcome in each part of the rows: shares of the classes, or a histogram with common bins."""
    figure = new_figure(f"How {label(target)} is distributed")
    axes = figure.subplots()
    if classes is not None:
        _class_shares(axes, subsets, classes)
    else:
        edges = np.histogram_bin_edges(np.concatenate(list(subsets.values())), bins=30)
        bins = [f"{short_number(low)} to {short_number(high)}" for low, high in pairwise(edges)]
        for index, (name, values) in enumerate(subsets.items()):
            shares = np.histogram(values, edges)[0] / len(values)
            bins = [f"{words}; {share:.1%} of the {name}" for words, share in zip(bins, shares, strict=True)]
            axes.stairs(shares, edges, fill=True, color=colour(index), alpha=0.25)
            axes.stairs(shares, edges, color=colour(index), linewidth=1.5, label=f"{name} ({len(values):,})")
        amounts(axes.xaxis)
        hint_columns(axes, edges, bins)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(visible=False, axis="x")
    axes.set_xlabel(label(target))
    axes.set_ylabel("Share of the rows")
    figure.legend(loc="outside lower center", ncols=len(subsets))
    return figure


def _class_shares(axes: Any, subsets: Mapping[str, NDArray[Any]], classes: Sequence[object]) -> None:
    rows = np.sum([np.bincount(codes, minlength=len(classes)) for codes in subsets.values()], axis=0)
    shown = np.sort(np.argsort(-rows, kind="stable")[:MAX_BARS])
    width = 0.8 / len(subsets)
    for index, (name, codes) in enumerate(subsets.items()):
        shares = np.bincount(codes, minlength=len(classes))[shown] / len(codes)
        places = np.arange(len(shown)) + (index - (len(subsets) - 1) / 2) * width
        axes.bar(places, shares, width=width * 0.92, color=colour(index), label=f"{name} ({len(codes):,})")
        words = (
            f"{label(classes[code])}: {share:.1%} of the {name}" for code, share in zip(shown, shares, strict=True)
        )
        hint_boxes(axes, places - width / 2, 0, places + width / 2, np.maximum(shares, shares.max() / 20), words)
    names = [label(classes[code], 16) for code in shown]
    axes.set_xticks(range(len(shown)), names, rotation=90 if sum(map(len, names)) > 44 else 0)


@house_style()
def missing_values(shares: Mapping[str, float]) -> Figure:
    """Columns with missing values, the emptiest on top."""
    gaps = sorted(((share, name) for name, share in shares.items() if share > 0), key=lambda gap: (-gap[0], gap[1]))
    shown = gaps[:MAX_BARS]
    rest = f", the first {MAX_BARS} of {len(gaps)}" if len(gaps) > len(shown) else ""
    figure = new_figure(f"Missing values by column{rest}", height=1.3 + 0.24 * max(len(shown), 2))
    axes = figure.subplots()
    axes.barh(range(len(shown)), [share for share, _ in shown], height=0.65, color=PALETTE[0])
    for place, (share, _) in enumerate(shown):
        text = f"{share:.1%}" if share >= 0.001 else "< 0.1%"
        axes.annotate(text, (share, place), (4, 0), textcoords="offset points", va="center", color=INK, fontsize=9)
    places = np.arange(len(shown))
    words = (f"{label(name, 60)}: {share:.1%} without a value" for share, name in shown)
    hint_boxes(axes, 0, places - 0.4, max((share for share, _ in shown), default=1), places + 0.4, words)
    axes.set_yticks(range(len(shown)), [label(name) for _, name in shown])
    axes.set_ylim(max(len(shown), 2) - 0.4, -0.6)
    axes.set_xlim(0, max((share for share, _ in shown), default=1) * 1.2)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("Share of the rows without a value")
    axes.set_ylabel("Column")
    return figure


def candidate_figure(document: Mapping[str, Any]) -> dict[str, Figure]:
    found = document.get("candidates") or []
    if not any(candidate.get("score") is not None for candidate in found):
        return {}
    metric = document.get("metric") or "score"
    facts = (document.get("metrics") or {}).get(metric, {})
    sign = facts.get("sign", -1 if metric.startswith("neg_") else 1)
    first = next((candidate["label"] for candidate in found if candidate.get("rank") == 1), None)
    winner = (document.get("winner") or {}).get("label") or first
    return {"candidates": candidates(found, metric=facts.get("label", metric), sign=sign, winner=winner)}


def missing_figure(document: Mapping[str, Any]) -> dict[str, Figure]:
    columns = (document.get("data") or {}).get("schema") or []
    shares = {column["name"]: column["missing"] for column in columns if column.get("missing")}
    return {"missing_values": missing_values(shares)} if shares else {}
