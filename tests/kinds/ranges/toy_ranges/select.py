"""The box that holds most rows."""

from __future__ import annotations

from penstock.problems.fits import Fitted
from penstock.problems.selection import Selection, SelectRequest
from penstock.store import Store


def select(store: Store, problem: str, request: SelectRequest, fits: list[Fitted]) -> Selection:
    scores = [store.facts(one.results[0])["score"] for one in fits]
    best_first = sorted(range(len(fits)), key=lambda position: -scores[position])
    chosen = fits[best_first[0]].candidate
    ranked = [
        {
            "candidate": fits[position].candidate,
            "folds": [scores[position]],
            "score": scores[position],
            "low": None,
            "high": None,
            "over_folds": None,
            "against": None,
            "members": [],
        }
        for position in best_first
    ]
    evidence = {"number": chosen.number, "metric": "held", "ranked": ranked, "left_out": []}
    component = request.components[chosen.name]
    winner = {"name": chosen.name, "parameters": chosen.parameters, "component": component}
    return Selection(winner=store.put_facts(winner), evidence=store.put_facts(evidence))
