"""Ensembles of the finished candidates, as candidates among them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from penstock.actions.component import Fingerprints
from penstock.components.ensembles.chosen import Member
from penstock.components.ensembles.combining import Kind, Rows, cross_fitted, weigh
from penstock.components.search.candidates import BASELINE, Candidate
from penstock.components.search.spaces import Parameters
from penstock.problems.ranking import Standing, best_first
from penstock.problems.rows.supervised.pooling import Pool
from penstock.problems.selection import LeftOut

MIN_MEMBERS = 2


def assemble(
    kinds: Sequence[Kind], standings: Sequence[Standing], pool: Pool, components: Fingerprints
) -> tuple[list[Standing], list[LeftOut]]:
    """The ensembles, evaluated with weights that the rows had no part in; and those left out, with the reason.

    The weights that ship are trained on all rows of the pool. What ships prepares its rows once, so that the members
    are those that chose the preparation of the best candidate.
    """
    members = [one for one in standings if one.candidate.name != BASELINE]
    preparation = members[best_first(members)[0]].candidate.preparation if members else {}
    members = [one for one in members if one.candidate.preparation == preparation]
    number = max((one.candidate.number for one in standings), default=0)
    made: list[Standing] = []
    left_out: list[LeftOut] = []
    for place, kind in enumerate(kinds, start=1):
        if len(members) < MIN_MEMBERS:
            alike = " with the preparation of the best" if preparation else ""
            reason = f"fewer than two candidates finished beside the baseline{alike}"
            left_out.append(_left_out(kind, number + place, reason))
            continue
        rows = Rows(pool.y, pool.weight, np.stack([one.evidence.prediction for one in members]))
        learn = partial(weigh, kind, pool.metric, methods=[one.candidate.name for one in members])
        weights = learn(rows)
        chosen = [(one, float(weight)) for one, weight in zip(members, weights, strict=True) if weight > 0]
        if len(chosen) < MIN_MEMBERS:
            left_out.append(_left_out(kind, number + place, f"it would be {chosen[0][0].candidate.label} alone"))
            continue
        prediction = cross_fitted(rows, learn, pool.part, pool.units, ordered=pool.ordered)
        candidate = Candidate(
            name=_name(kind), parameters=_described(chosen), preparation=preparation, number=number + place
        )
        data_split = [_member(one.candidate, weight, components) for one, weight in chosen]
        scores = pool.scores_of(prediction)
        made.append(Standing(candidate, pool.evidence(prediction), scores, members=data_split))
    return made, left_out


def _name(kind: Kind) -> str:
    return f"{kind}-ensemble"


def _member(candidate: Candidate, weight: float, components: Fingerprints) -> Member:
    return Member(
        name=candidate.name,
        parameters=candidate.parameters,
        weight=round(weight, 6),
        component=components[candidate.name],
    )


def _described(chosen: Sequence[tuple[Standing, float]]) -> Parameters:
    heaviest = sorted(chosen, key=lambda member: -member[1])
    return {"members": " + ".join(f"{weight:.2f} {one.candidate.name}" for one, weight in heaviest)}


def _left_out(kind: Kind, number: int, reason: str) -> LeftOut:
    return LeftOut(candidate=Candidate(name=_name(kind), parameters={}, number=number), reason=reason)
