"""Choose among reductions or densities by what they are worth on rows that their fits had not seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.evaluation.comparisons import Against, against_on_rows, fold_interval, with_holm
from penstock.components.held_out.judging import METRICS
from penstock.components.held_out.rows import RowScores, corrected, differences, joined
from penstock.evidence.folds import Folds
from penstock.problems.fits import Fitted
from penstock.problems.selection import Selection, SelectRequest
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]


def select(store: Store, problem: str, request: SelectRequest, fits: list[Fitted]) -> Selection:
    """The best over all rows together; each other compared with it, and its score corrected for having been picked."""
    seed, components = request.seed, request.components
    cut = Folds.load(store, request.folds)
    facts = [[store.facts(result) for result in fit.results] for fit in fits]
    parts = [[RowScores(**store.arrays(Ref(**fold["rows"]))) for fold in by_fold] for by_fold in facts]
    numbers = [fold["fold"] for fold in facts[0]]
    units = _units(cut, numbers)
    ratio = cut.ratio(numbers)
    scores = [joined(one) for one in parts]
    best_first = sorted(range(len(fits)), key=lambda position: -scores[position].value)
    winner = best_first[0]
    others = best_first[1:]
    found = corrected(scores, seed=seed, groups=units)
    compared = with_holm([_against(scores, winner, one, units, ratio, seed) for one in others])
    against = dict(zip(others, compared, strict=True))
    ranked = [
        {
            "candidate": fits[position].candidate,
            "folds": [fold["score"] for fold in facts[position]],
            "score": scores[position].value,
            "low": found.candidates[position].low,
            "high": found.candidates[position].high,
            "over_folds": fold_interval([one.value for one in parts[position]], ratio),
            "against": against.get(position),
            "members": [],
        }
        for position in best_first
    ]
    chosen = fits[winner].candidate
    evidence = {
        "number": chosen.number,
        "metric": METRICS[problem],
        "ranked": ranked,
        "left_out": [],
        "rule": "best",
        "best": chosen.label,
        "standard_error": None,
        "alike": [fits[position].candidate.label for position in others if against[position].alike],
        **found.model_dump(exclude={"candidates"}),
    }
    told = {"name": chosen.name, "parameters": chosen.parameters, "component": components[chosen.name]}
    return Selection(winner=store.put_facts(told), evidence=store.put_facts(evidence))


def _units(folds: Folds, numbers: list[int]) -> Array | None:
    """What is drawn whole: groups, or rows where one was judged several times; None where every row stands alone."""
    judged = np.concatenate([folds.valid(number) for number in numbers])
    if folds.groups is not None:
        return folds.groups_of(judged)
    return judged if len(np.unique(judged)) < len(judged) else None


def _against(scores: list[RowScores], winner: int, other: int, units: Array | None, ratio: float, seed: int) -> Against:
    drawn = differences(scores[winner], scores[other], seed=seed, groups=units)
    return against_on_rows(scores[winner].value, scores[other].value, drawn, ratio)
