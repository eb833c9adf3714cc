"""What was found beside the scores, in sentences."""

from __future__ import annotations

from penstock.document.formats import count, number, percent
from penstock.document.run import RunDocument
from penstock.problems.rows.explained_sections import BiasVariance, Curves, Explanation, LearningCurve

MAX_NAMED = 4
STILL_RISING = 0.1  # the last step's share of the whole rise
FIT = {
    "over-fit": "the model has learnt much that holds for those rows alone (over-fit); a simpler model, a penalty or "
    "more rows would help",
    "under-fit": "even training rows are poorly fitted (under-fit); a model that bends more, or columns that tell "
    "more, would help",
}


def explained_words(document: RunDocument) -> list[str]:
    found, curves = document.section(Explanation), document.section(Curves)
    parted = document.section(BiasVariance)
    return [
        *(_importance(found) + _slices(found) + _fairness(found) if found else []),
        *(_curve(curves.learning_curve) if curves else []),
        *(_bias_variance(parted) if parted else []),
    ]


def _importance(found: Explanation) -> list[str]:
    needed = [one.column for one in found.importance if one.low is not None and one.low > 0]
    if not found.importance:
        return []
    if not needed:
        return ["No single column matters: shuffled one at a time, none makes the score worse on the test rows."]
    more = f" and {len(needed) - MAX_NAMED} more" if len(needed) > MAX_NAMED else ""
    named = f"{', '.join(needed[:MAX_NAMED])}{more}"
    return [f"The model goes by {named}: on the test rows, shuffling any of these makes it worse."]


def _slices(found: Explanation) -> list[str]:
    worse = [f"{one.column} {one.slice}" for one in found.slices if one.worse]
    if not found.slices:
        return []
    if not worse:
        return [f"None of {count(len(found.slices))} slices is worse than the whole by more than chance."]
    more = f" and {len(worse) - MAX_NAMED} more" if len(worse) > MAX_NAMED else ""
    return [f"Worse than for all rows, by more than chance: {'; '.join(worse[:MAX_NAMED])}{more}."]


def _fairness(found: Explanation) -> list[str]:
    said = []
    for column, facts in found.fairness.items():
        parts = []
        for name, one in (
            ("demographic parity", facts.demographic_parity),
            ("equalised odds", facts.equalised_odds),
        ):
            verdict = "beyond" if one.beyond else "within"
            ends = f"{number(one.low)} to {number(one.high)}"
            said_by_chance = f"{verdict} the {number(one.random_level)} that chance alone reaches"
            parts.append(f"{name} difference {number(one.value)} (95% interval {ends}), {said_by_chance}")
        said.append(f"Decisions by {column}: {'; '.join(parts)}.")
    return said


def _curve(curve: LearningCurve) -> list[str]:
    points = [(point, point.valid) for point in curve.points if point.valid is not None]
    if len(points) < 2:
        return []
    sign, metric = curve.sign, curve.metric
    (_, first), (before, middle), (last, best) = points[0], *points[-2:]
    rising = best - middle > STILL_RISING * (best - first) > 0
    verdict = "it still improves, so more rows are likely to help" if rising else "more rows of this kind hardly help"
    fit = FIT.get(last.fit or "")
    errors = f"{number(sign * last.train)} on training rows, {number(sign * best)} on others"
    return [
        *([f"{metric} is {errors}: {fit}."] if fit else []),
        f"From {count(before.rows)} to {count(last.rows)} training rows, {metric} went from "
        f"{number(sign * middle)} to {number(sign * best)}: {verdict}.",
    ]


def _bias_variance(found: BiasVariance) -> list[str]:
    squared = found.squared
    if not squared.loss:
        return []
    return [
        f"Of the squared error, {percent(squared.bias / squared.loss)} is bias (and noise that no model can "
        f"predict), {percent(squared.variance / squared.loss)} is variance, which more rows or a simpler model "
        "would lower."
    ]
