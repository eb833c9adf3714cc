"""Choose among fitted candidates, and among ensembles of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.actions.component import Fingerprints
from penstock.components.evaluation.comparisons import (
    MIN_FOLDS,
    Against,
    against_on_folds,
    against_on_rows,
    corrected_error,
    fold_interval,
    mcnemar,
    with_holm,
)
from penstock.components.evaluation.intervals import Floats, Interval
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.evaluation.selection import correct_draws, draw_scores, pick, rank
from penstock.components.evaluation.simplicity import simplest_first
from penstock.components.search.candidates import BASELINE
from penstock.evidence.folds import Folds
from penstock.problems.fits import Fitted
from penstock.problems.rows.supervised.contenders import Contender, Contest, open_contest
from penstock.problems.rows.supervised.ensembles import assemble
from penstock.problems.selection import Rule, Selection, SelectRequest
from penstock.store import Store


def select(store: Store, problem: str, request: SelectRequest, fits: list[Fitted]) -> Selection:
    """Rank the candidates, compare each with the winner, and correct the winner's score for having been picked."""
    seed, components = request.seed, request.components
    known = Folds.load(store, request.folds)
    n_classes = known.n_classes
    judge = metric(request.metric or default_metric(n_classes), n_classes)
    contest, single = open_contest(store, fits, known, judge, seed)
    made, left_out = assemble(request.ensembles, single, contest, components)
    contenders = [*single, *made]
    best_first = rank([one.scores for one in contenders])
    draws = draw_scores(
        judge,
        contest.y,
        [one.prediction for one in contenders],
        parts=contest.part if contest.by_folds else None,
        groups=contest.groups,
        weight=contest.weight,
        seed=seed,
    )
    error = _standard_error(contest, contenders[best_first[0]], draws.scores[best_first[0]])
    order, tolerance = _preference(request.rule, contenders, request.simplicity, error)
    winner = best_first[0]
    if order:
        winner = int(pick(np.array([[one.score] for one in contenders]), order, tolerance)[0])
    against = _compare(contest, contenders, winner, draws.scores, classes=problem == "classification")
    corrected = correct_draws(draws, order=order, tolerance=tolerance)
    ranked = [
        _facts(contest, contenders[position], corrected.candidates[position], against.get(position))
        for position in best_first
    ]
    chosen = contenders[winner]
    evidence = {
        "number": chosen.candidate.number,
        "metric": judge.name,
        "ranked": ranked,
        "left_out": left_out,
        "rule": request.rule,
        "best": contenders[best_first[0]].candidate.label,
        "standard_error": error,
        "alike": [contenders[position].candidate.label for position in best_first if _alike(against, position)],
        **corrected.model_dump(exclude={"candidates"}),
    }
    return Selection(
        winner=store.put_facts(_winner(chosen, components)),
        evidence=store.put_facts(evidence),
        unseen=store.put_arrays(rows=contest.rows, prediction=chosen.prediction, part=contest.part),
    )


def _winner(chosen: Contender, components: Fingerprints) -> dict[str, Any]:
    candidate = chosen.candidate
    facts: dict[str, Any] = {"name": candidate.name, "parameters": candidate.parameters}
    if candidate.preparation:
        facts["preparation"] = candidate.preparation
    if chosen.members:
        return {**facts, "members": chosen.members}
    return {**facts, "component": components[candidate.name]}


def _standard_error(contest: Contest, best: Contender, drawn: Floats) -> float:
    """Of the best score: over folds where there are several, else over resampled rows."""
    if len(best.scores) > 1:
        return corrected_error(best.scores, contest.test_to_train)
    known = drawn[~np.isnan(drawn)]
    return math.sqrt(1 + contest.test_to_train) * float(np.std(known, ddof=1)) if len(known) > 1 else 0.0


def _preference(
    rule: Rule, contenders: Sequence[Contender], simplicity: dict[str, dict[str, Any]], error: float
) -> tuple[list[int] | None, float]:
    """In which order candidates are preferred, and how far below the best they may be. The baseline is a floor only."""
    if rule == "best":
        return None, 0.0
    simplest = simplest_first([one.candidate for one in contenders], [one.score for one in contenders], simplicity)
    floor = [position for position in simplest if contenders[position].candidate.name == BASELINE]
    return [position for position in simplest if position not in floor] + floor, error


def _compare(
    contest: Contest, contenders: Sequence[Contender], winner: int, drawn: Floats, *, classes: bool
) -> dict[int, Against]:
    """Each other contender against the winner."""
    first = contenders[winner]
    others = [position for position in range(len(contenders)) if position != winner]
    found = []
    for position in others:
        other = contenders[position]
        if len(first.scores) == len(other.scores) >= MIN_FOLDS:
            against = against_on_folds(first.scores, other.scores, contest.test_to_train)
        else:
            differences = drawn[winner] - drawn[position]
            against = against_on_rows(first.score, other.score, differences, contest.test_to_train)
        if classes and contest.independent and contest.weight is None:
            decisions = mcnemar(contest.y, first.prediction, other.prediction)
            against = against.model_copy(update={"decisions": decisions})
        found.append(against)
    return dict(zip(others, with_holm(found), strict=True))


def _alike(against: dict[int, Against], position: int) -> bool:
    return position in against and against[position].alike


def _facts(contest: Contest, one: Contender, interval: Interval, against: Against | None) -> dict[str, Any]:
    return {
        "candidate": one.candidate,
        "folds": one.scores,
        "score": one.score,
        "low": interval.low,
        "high": interval.high,
        "over_folds": fold_interval(one.scores, contest.test_to_train),
        "against": against,
        "members": one.members,
    }
