"""Plots of how features were chosen, extracted or expanded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from penstock.components.plots.hints import hint_boxes, hint_points
from penstock.components.plots.style import (
    INK,
    PALETTE,
    QUIET,
    amounts,
    colour,
    house_style,
    label,
    new_figure,
    scatter,
    short_number,
)

MAX_FEATURES = 20
MAX_VARIANCES = 30


def feature_figures(facts: Mapping[str, Any], target: object) -> dict[str, Figure]:
    """Plots by name, for what the facts hold."""
    figures: dict[str, Figure] = {}
    if facts.get("selection"):
        figures["chosen_features"] = chosen_features(facts["selection"])
    if (facts.get("extraction") or {}).get("spectrum"):
        figures["scree"] = scree(facts["extraction"]["spectrum"])
    if facts.get("polynomial"):
        figures["polynomial_fits"] = polynomial_fits(facts["polynomial"], target)
    return figures


@house_style()
def chosen_features(selection: Mapping[str, Any]) -> Figure:
    """In how many folds each feature was chosen, most often on top; filled if it is in the model that ships."""
    chosen = [row for row in selection["features"] if row["chosen"] or row["final"]]
    shown = chosen[:MAX_FEATURES]
    part = f"the first {len(shown)} of {len(chosen)}" if len(shown) < len(chosen) else f"{len(chosen)}"
    figure = new_figure(
        f"Features that were chosen: {part}, of {selection['offered']:,} offered",
        height=1.5 + 0.24 * max(len(shown), 2),
    )
    axes = figure.subplots()
    places = np.arange(len(shown))
    shares = [row["share"] for row in shown]
    tones = [PALETTE[0] if row["final"] else "none" for row in shown]
    axes.barh(places, shares, height=0.65, color=tones, edgecolor=PALETTE[0], linewidth=1)
    words = (
        f"{label(row['feature'], 60)}: chosen in {row['chosen']} of {selection['folds']} folds"
        f"{'; in the model' if row['final'] else '; not in the model'}"
        for row in shown
    )
    hint_boxes(axes, 0, places - 0.4, 1, places + 0.4, words)
    axes.set_yticks(places, [label(row["feature"]) for row in shown])
    axes.set_ylim(max(len(shown), 2) - 0.4, -0.6)
    axes.set_xlim(0, 1.02)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("Share of folds that chose it")
    axes.set_ylabel("Feature")
    return figure


@house_style()
def scree(spectrum: Mapping[str, Any], title: str | None = None) -> Figure:
    """Variance along each principal direction, and what the first of them explain together, with the threshold."""
    variances = np.array(spectrum["variances"][:MAX_VARIANCES])
    explained = np.array(spectrum["explained"][:MAX_VARIANCES])
    numbers = np.arange(1, len(variances) + 1)
    kept, share = spectrum["kept"], spectrum["share"]
    reached = f", {spectrum['explained'][kept - 1]:.0%} of the variance" if kept <= len(spectrum["explained"]) else ""
    title = title or f"{kept} of {spectrum['components']} principal components are kept{reached}"
    figure = new_figure(title, height=4.2)
    above, below = figure.subplots(2, 1, sharex=True)
    tones = [PALETTE[0] if number <= kept else QUIET for number in numbers]
    above.bar(numbers, variances, color=tones, width=0.7)
    above.set_ylabel("Variance")
    amounts(above.yaxis)
    if spectrum["gap"] < len(numbers):
        above.axvline(spectrum["gap"] + 0.5, color=PALETTE[1], linewidth=1.2, linestyle=":", label="largest gap")
        above.legend(loc="upper right")
    below.plot(numbers, explained, "o-", color=PALETTE[0], markersize=4)
    if share is not None:
        below.axhline(share, color=PALETTE[1], linewidth=1.2, linestyle="--", label=f"asked for: {share:.0%}")
        below.legend(loc="lower right")
    below.axvline(kept, color=INK, linewidth=1, linestyle="--", alpha=0.6)
    below.set_ylim(0, 1.03)
    below.yaxis.set_major_formatter(PercentFormatter(1))
    below.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    below.set_ylabel("Explained together")
    below.set_xlabel("Principal component")
    words = (
        f"Component {number}: variance {short_number(variance)}; {together:.1%} with those before it"
        for number, variance, together in zip(numbers, variances, explained, strict=True)
    )
    hint_points(below, numbers, explained, words)
    return figure


@house_style()
def polynomial_fits(facts: Mapping[str, Any], target: object) -> Figure:
    """The same rows with curves of several degrees: too stiff, right, too wild."""
    best = min(facts["fits"], key=lambda fit: fit["unseen"])
    figure = new_figure(
        f"Polynomials of {len(facts['fits'])} degrees: {best['degree']} errs least on unseen rows", height=3.8
    )
    axes = figure.subplots()
    x, y = np.array(facts["x"]), np.array(facts["y"])
    scatter(axes, x, y, color=QUIET, total=len(x))
    for index, fit in enumerate(facts["fits"]):
        seen, unseen = short_number(fit["learnt"]), short_number(fit["unseen"])
        words = f"degree {fit['degree']}: errs by {seen} on training rows, by {unseen} on unseen ones"
        axes.plot(facts["grid"], fit["curve"], color=colour(index), linewidth=2.4 if fit is best else 1.4, label=words)
    room = 0.1 * float(np.ptp(y) or 1)
    axes.set_ylim(y.min() - room, y.max() + room)
    amounts(axes.xaxis, axes.yaxis)
    axes.set_xlabel(label(facts["column"]))
    axes.set_ylabel(label(target))
    figure.legend(loc="outside lower center", ncols=1)
    return figure
