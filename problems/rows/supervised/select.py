"""Choose among fitted candidates, and among ensembles of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from penstock.actions.component import Fingerprints
from penstock.components.evaluation.comparisons import Decisions, corrected_error, mcnemar
from penstock.components.evaluation.intervals import Floats
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.evaluation.one_standard_error import Simplicity, simplest_first
from penstock.components.evaluation.selection import correct_draws, draw_scores, pick
from penstock.components.search.candidates import BASELINE
from penstock.evidence.evidence import Evidence
from penstock.problems.ranking import Resampled, Standing, best_first, compare_with_winner
from penstock.problems.rows.supervised.ensembles import assemble
from penstock.problems.rows.supervised.pooling import Pool, pool_folds
from penstock.problems.selection import Rule, Selected, SelectInput, Winner


def select(given: SelectInput) -> Selected:
    """Rank the candidates, compare each with the winner, and correct the winner's score for having been picked."""
    settings, n_classes = given.settings, given.folds.n_classes
    deciding = metric(settings.metric or default_metric(n_classes), n_classes)
    pool, single = pool_folds(given.fits, given.folds, deciding, settings.seed)
    made, left_out = assemble(settings.ensembles, single, pool, settings.components)
    standings = [*single, *made]
    draws = draw_scores(
        deciding,
        pool.y,
        [one.evidence.prediction for one in standings],
        folds=pool.part if pool.by_folds else None,
        groups=pool.groups,
        weight=pool.weight,
        seed=settings.seed,
    )
    best = best_first(standings)[0]
    error = _standard_error(pool, standings[best], draws.scores[best])
    order, tolerance = _preference(settings.rule, standings, settings.simplicity, error)
    winner = int(pick(np.array([[one.score] for one in standings]), order, tolerance)[0]) if order else best
    corrected = correct_draws(draws, order=order, tolerance=tolerance)
    decides = bool(n_classes) and pool.independent and pool.weight is None
    found = compare_with_winner(
        standings,
        winner,
        Resampled(draws.scores, corrected, pool.ratio),
        metric=deciding.name,
        decisions=_decisions if decides else None,
    )
    return Selected(
        winner=_winner(standings[winner], settings.components),
        evidence=found.model_copy(update={"rule": settings.rule, "standard_error": error, "left_out": left_out}),
        unseen=standings[winner].evidence,
    )


def _winner(chosen: Standing, components: Fingerprints) -> Winner:
    candidate = chosen.candidate
    return Winner(
        name=candidate.name,
        parameters=candidate.parameters,
        preparation=candidate.preparation,
        members=chosen.members,
        component=None if chosen.members else components[candidate.name],
    )


def _standard_error(pool: Pool, best: Standing, drawn: Floats) -> float:
    """Of the best score: over folds where there are several, else over resampled rows."""
    if len(best.scores) > 1:
        return corrected_error(best.scores, pool.ratio)
    known = drawn[~np.isnan(drawn)]
    return math.sqrt(1 + pool.ratio) * float(np.std(known, ddof=1)) if len(known) > 1 else 0.0


def _preference(
    rule: Rule, standings: Sequence[Standing], simplicity: Mapping[str, Simplicity], error: float
) -> tuple[list[int] | None, float]:
    """In which order candidates are preferred, and how far below the best they may be. The baseline is a floor only."""
    if rule == "best":
        return None, 0.0
    simplest = simplest_first([one.candidate for one in standings], [one.score for one in standings], simplicity)
    floor = [position for position in simplest if standings[position].candidate.name == BASELINE]
    return [position for position in simplest if position not in floor] + floor, error


def _decisions(winner: Evidence, other: Evidence) -> Decisions:
    return mcnemar(winner.y, winner.prediction, other.prediction)
