"""How probabilities become answers, in sentences and tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.reporting.formats import as_shown, confidence, count, number, percent, span, value_of
from penstock.reporting.glance import brief


def answer_words(document: Mapping[str, Any]) -> list[str]:
    """What was decided, from which rows, and whether it holds on the test rows."""
    decision = document.get("decision") or {}
    target = (document.get("data") or {}).get("target") or {}
    classes = [str(label) for label in target.get("classes") or []]
    said = []
    if decision.get("costs"):
        said.append(_costs(decision["costs"], classes, by_costs=not decision.get("threshold")))
    if decision.get("threshold"):
        said.append(_threshold(decision["threshold"], f"“{classes[1]}”" if len(classes) == 2 else "the positive class"))
    if decision.get("calibration"):
        said.append(_calibration(decision["calibration"]))
    if decision.get("coverage") and document.get("coverage"):
        said.append(_coverage(decision["coverage"], document["coverage"], target))
    return said


def promises(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How far promised probabilities are from what happened on the test rows; also before they were corrected."""
    found = document.get("calibration")
    if not found:
        return []
    stages = {"Before": found["before"], "After": found} if "before" in found else {"": found}
    return [
        {"when": when, "error": as_shown(facts["error"]), "brier": facts["brier"]} for when, facts in stages.items()
    ]


def _costs(costs: list[list[float]], classes: list[str], *, by_costs: bool) -> str:
    priced = [
        (cost, f"“{true}” answered as “{answer}” costs {brief(cost)}")
        for true, row in zip(classes, costs, strict=True)
        for answer, cost in zip(classes, row, strict=True)
        if true != answer
    ]
    dearest = [words for _, words in sorted(priced, key=lambda one: -one[0])]
    more = f", and {count(len(dearest) - 4)} other kinds of error have their costs" if len(dearest) > 4 else ""
    rule = "; the answer of least expected cost is given" if by_costs else ""
    return f"{', '.join(dearest[:4])}{more}{rule}."


def _threshold(chosen: Mapping[str, Any], positive: str) -> str:
    sign, label = chosen["sign"], chosen["label"]
    answered = f"{positive} is answered where its probability is above {number(chosen['value'])}"
    best, usual = (number(sign * chosen[name]) for name in ("best_score", "usual_score"))
    unseen = f"{count(chosen['rows'])} predictions for learning rows that the winner's fits had not seen"
    if chosen["why"] == "tuned":
        return (
            f"{answered}: of all thresholds the best by {label} on {unseen} ({best}; at 0.5 it is {usual}). "
            "The test rows had no say in it."
        )
    why = "what the costs of errors ask for" if chosen["why"] == "costs" else "as the pipeline file says"
    return (
        f"{answered}, {why}. On {unseen}, {label} would be best at {number(chosen['best'])} ({best}; at 0.5 {usual})."
    )


def _calibration(found: Mapping[str, Any]) -> str:
    before, after = (as_shown(found[when]["error"]) for when in ("before", "after"))
    return (
        f"Probabilities are corrected ({found['method']}): on learning rows that the correction had not seen either, "
        f"the calibration error goes from {value_of(before)} to {value_of(after)}, the log loss from "
        f"{number(found['before']['log_loss'])} to {number(found['after']['log_loss'])}."
    )


def _coverage(asked: Mapping[str, Any], found: Mapping[str, Any], target: Mapping[str, Any]) -> str:
    share = as_shown(found["share"])
    what = "sets of classes" if target.get("classes") else "intervals"
    size = (
        f"a set holds {number(found['size'])} classes on average"
        if target.get("classes")
        else f"an interval is {number(found['size'])} wide"
    )
    holds = share["low"] is None or share["low"] <= asked["asked"] <= share["high"]
    verdict = "as asked" if holds else "less than asked" if share["high"] < asked["asked"] else "more than asked"
    return (
        f"With each answer come {what} that are to hold the truth in {percent(asked['asked'])} of rows: on "
        f"{count(found['rows'])} test rows they do in {percent(share['value'])} ({confidence(share)} {span(share)}), "
        f"{verdict}; {size}."
    )
