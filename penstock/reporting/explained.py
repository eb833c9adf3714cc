"""What was found beside the scores, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.reporting.formats import count, number, percent

MOST_NAMED = 4
STILL_RISING = 0.1  # the last step's share of the whole rise
FIT = {
    "over-fit": "the model has learnt much that holds for those rows alone (over-fit); a simpler model, a penalty or "
    "more rows would help",
    "under-fit": "even rows learnt from are poorly fitted (under-fit); a model that bends more, or columns that tell "
    "more, would help",
}
MEASURES = {"demographic_parity": "demographic parity", "equalised_odds": "equalised odds"}


def explained_words(document: Mapping[str, Any]) -> list[str]:
    found = document.get("explanation") or {}
    return [
        *_importance(found),
        *_slices(found),
        *_fairness(found),
        *_curves(document.get("curves") or {}),
        *_bias_variance(document.get("bias_variance") or {}),
    ]


def _importance(found: Mapping[str, Any]) -> list[str]:
    needed = [one["column"] for one in found.get("importance") or [] if one["low"] > 0]
    if not found.get("importance"):
        return []
    if not needed:
        return ["No single column matters: shuffled one at a time, none makes the score worse on the test rows."]
    more = f" and {len(needed) - MOST_NAMED} more" if len(needed) > MOST_NAMED else ""
    named = f"{', '.join(needed[:MOST_NAMED])}{more}"
    return [f"The model goes by {named}: on the test rows, shuffling any of these makes it worse."]


def _slices(found: Mapping[str, Any]) -> list[str]:
    slices = found.get("slices") or []
    worse = [f"{one['column']} {one['slice']}" for one in slices if one["worse"]]
    if not slices:
        return []
    if not worse:
        return [f"None of {count(len(slices))} slices is worse than the whole by more than chance."]
    more = f" and {len(worse) - MOST_NAMED} more" if len(worse) > MOST_NAMED else ""
    return [f"Worse than for all rows, by more than chance: {'; '.join(worse[:MOST_NAMED])}{more}."]


def _fairness(found: Mapping[str, Any]) -> list[str]:
    said = []
    for column, facts in (found.get("fairness") or {}).items():
        parts = []
        for measure, name in MEASURES.items():
            one = facts[measure]
            verdict = "beyond" if one["beyond"] else "within"
            ends = f"{number(one['low'])} to {number(one['high'])}"
            said_by_chance = f"{verdict} the {number(one['chance'])} that chance alone reaches"
            parts.append(f"{name} difference {number(one['value'])} (95% interval {ends}), {said_by_chance}")
        said.append(f"Decisions by {column}: {'; '.join(parts)}.")
    return said


def _curves(curves: Mapping[str, Any]) -> list[str]:
    points = [point for point in (curves.get("learning") or {}).get("points", []) if point["valid"] is not None]
    if len(points) < 2:
        return []
    sign, metric, first, before, last = (
        curves["learning"]["sign"],
        curves["learning"]["metric"],
        points[0],
        *points[-2:],
    )
    rising = last["valid"] - before["valid"] > STILL_RISING * (last["valid"] - first["valid"]) > 0
    verdict = "it still improves, so more rows are likely to help" if rising else "more rows of this kind hardly help"
    fit = FIT.get(last.get("fit") or "")
    errors = f"{number(sign * last['train'])} on rows learnt from, {number(sign * last['valid'])} on others"
    return [
        *([f"{metric} is {errors}: {fit}."] if fit else []),
        f"From {count(before['rows'])} to {count(last['rows'])} rows learnt from, {metric} went from "
        f"{number(sign * before['valid'])} to {number(sign * last['valid'])}: {verdict}.",
    ]


def _bias_variance(found: Mapping[str, Any]) -> list[str]:
    squared = found.get("squared")
    if not squared or not squared["loss"]:
        return []
    return [
        f"Of the squared error, {percent(squared['bias'] / squared['loss'])} is bias (and noise that no model can "
        f"predict), {percent(squared['variance'] / squared['loss'])} is variance, which more rows or a simpler model "
        "would lower."
    ]
