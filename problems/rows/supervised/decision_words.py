"""How probabilities become predictions, in sentences and tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from penstock.document.data import Target
from penstock.document.formats import Shown, as_shown, brief, confidence, count, number, percent, span, value_of
from penstock.document.run import RunDocument
from penstock.problems.rows.decision_sections import (
    Brier,
    Calibrated,
    Calibration,
    Coverage,
    CoverageAsked,
    Decision,
    Threshold,
)


class Promise(NamedTuple):
    """A line of the table of promised probabilities."""

    when: str
    error: Shown
    brier: Brier


def decision_words(decision: Decision, target: Target) -> list[str]:
    """What was decided, and from which rows."""
    said = []
    if decision.costs:
        classes = [str(label) for label in target.classes or []]
        said.append(_costs(decision.costs, classes, by_costs=not decision.threshold))
    if decision.threshold:
        positive = "the positive class" if target.positive is None else f"“{target.positive}”"
        said.append(_threshold(decision.threshold, positive))
    if decision.calibration:
        said.append(_calibration(decision.calibration))
    return said


def promises(document: RunDocument) -> list[Promise]:
    """How far promised probabilities are from what happened on the test rows; also before they were corrected."""
    found = document.section(Calibration)
    if not found:
        return []
    if found.before is None:
        return [Promise("", as_shown(found.error), found.brier)]
    before = Promise("Before", as_shown(found.before.error), found.before.brier)
    return [before, Promise("After", as_shown(found.error), found.brier)]


def _costs(costs: list[list[int | float]], classes: list[str], *, by_costs: bool) -> str:
    priced = [
        (cost, f"“{true}” predicted as “{answer}” costs {brief(cost)}")
        for true, row in zip(classes, costs, strict=True)
        for answer, cost in zip(classes, row, strict=True)
        if true != answer
    ]
    dearest = [words for _, words in sorted(priced, key=lambda one: -one[0])]
    more = f", and {count(len(dearest) - 4)} other kinds of error have their costs" if len(dearest) > 4 else ""
    rule = "; the prediction of least expected cost is given" if by_costs else ""
    return f"{', '.join(dearest[:4])}{more}{rule}."


def _threshold(chosen: Threshold, positive: str) -> str:
    answered = f"{positive} is predicted where its probability is above {number(chosen.value)}"
    best, usual = (number(chosen.sign * score) for score in (chosen.best_score, chosen.usual_score))
    unseen = f"{count(chosen.rows)} predictions for training rows that the winner's fits had not seen"
    if chosen.why == "tuned":
        return (
            f"{answered}: of all thresholds the best by {chosen.label} on {unseen} ({best}; at 0.5 it is {usual}). "
            "The test rows had no say in it."
        )
    why = "what the costs of errors ask for" if chosen.why == "costs" else "as the pipeline file says"
    where = f"{number(chosen.best)} ({best}; at 0.5 {usual})"
    return f"{answered}, {why}. On {unseen}, {chosen.label} would be best at {where}."


def _calibration(found: Calibrated) -> str:
    before, after = (as_shown(promise.error) for promise in (found.before, found.after))
    return (
        f"Probabilities are corrected ({found.method}): on training rows that the correction had not seen either, "
        f"the calibration error goes from {value_of(before)} to {value_of(after)}, the log loss from "
        f"{number(found.before.log_loss)} to {number(found.after.log_loss)}."
    )


def coverage_words(asked: CoverageAsked, found: Coverage, covering: Callable[[str], tuple[str, str]]) -> str:
    """Whether what was asked for holds on the test rows."""
    share = as_shown(found.share)
    what, size = covering(number(found.size))
    verdict = "as asked"
    if share.low is not None and share.high is not None and not share.low <= asked.asked <= share.high:
        verdict = "less than asked" if share.high < asked.asked else "more than asked"
    return (
        f"With each prediction come {what} that are to hold the truth in {percent(asked.asked)} of rows: on "
        f"{count(found.rows)} test rows they do in {percent(share.value)} ({confidence(share)} {span(share)}), "
        f"{verdict}; {size}."
    )
