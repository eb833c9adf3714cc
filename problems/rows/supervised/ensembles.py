"""Ensembles of the finished candidates, as candidates among them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from penstock.actions.component import Fingerprints
from penstock.components.ensembles.combining import Kind, Rows, cross_fitted, weigh
from penstock.components.evaluation.selection import rank
from penstock.components.search.candidates import BASELINE, Candidate
from penstock.problems.rows.supervised.contenders import Contender, Contest

FEWEST = 2


def assemble(
    kinds: Sequence[Kind], contenders: Sequence[Contender], contest: Contest, components: Fingerprints
) -> tuple[list[Contender], list[dict[str, Any]]]:
    """The ensembles, judged with weights that the judging rows had no part in; and those left out, with the reason.

    The weights that ship are learnt from all judged rows. What ships prepares its rows once, so that the members are
    those that chose the preparation of the best candidate.
    """
    members = [one for one in contenders if one.candidate.name != BASELINE]
    preparation = members[rank([one.scores for one in members])[0]].candidate.preparation if members else {}
    members = [one for one in members if one.candidate.preparation == preparation]
    number = max((one.candidate.number for one in contenders), default=0)
    made: list[Contender] = []
    left_out: list[dict[str, Any]] = []
    for place, kind in enumerate(kinds, start=1):
        if len(members) < FEWEST:
            alike = " with the preparation of the best" if preparation else ""
            reason = f"fewer than two candidates finished beside the baseline{alike}"
            left_out.append(_left_out(kind, number + place, reason))
            continue
        rows = Rows(contest.y, contest.weight, np.stack([one.prediction for one in members]))
        methods = [one.candidate.name for one in members]
        learn = partial(weigh, kind, contest.judge, methods=methods)
        weights = learn(rows)
        chosen = [(one, float(weight)) for one, weight in zip(members, weights, strict=True) if weight > 0]
        if len(chosen) < FEWEST:
            left_out.append(_left_out(kind, number + place, f"it would be {chosen[0][0].candidate.label} alone"))
            continue
        prediction = cross_fitted(rows, learn, contest.part, contest.units, ordered=contest.ordered)
        candidate = Candidate(
            name=_name(kind), parameters=_described(chosen), preparation=preparation, number=number + place
        )
        parts = [_member(one.candidate, weight, components) for one, weight in chosen]
        made.append(Contender(candidate, contest.scores_of(prediction), prediction, parts))
    return made, left_out


def _name(kind: Kind) -> str:
    return f"{kind}-ensemble"


def _member(candidate: Candidate, weight: float, components: Fingerprints) -> dict[str, Any]:
    return {
        "name": candidate.name,
        "parameters": candidate.parameters,
        "weight": round(weight, 6),
        "component": components[candidate.name],
    }


def _described(chosen: Sequence[tuple[Contender, float]]) -> dict[str, Any]:
    heaviest = sorted(chosen, key=lambda member: -member[1])
    return {"members": " + ".join(f"{weight:.2f} {one.candidate.name}" for one, weight in heaviest)}


def _left_out(kind: Kind, number: int, reason: str) -> dict[str, Any]:
    candidate = Candidate(name=_name(kind), parameters={}, number=number)
    return {"candidate": candidate, "reason": reason}
