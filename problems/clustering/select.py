"""Choose among fitted clusterings; where there is no structure, one group is the answer."""

from __future__ import annotations

from typing import Any

from penstock.components.clustering.choice import ONE_GROUP, choose, leaves_number_open
from penstock.components.search.candidates import Candidate
from penstock.problems.fits import Fitted
from penstock.problems.selection import Selection, SelectRequest
from penstock.store import Store


def select(store: Store, problem: str, request: SelectRequest, fits: list[Fitted]) -> Selection:
    """A number of clusters that the pipeline file fixes stands; the gate then hears that there is no structure.

    What the rows decided on (`method`) is the first of the fits, if it could be fitted.
    """
    chosen, components = request.found.get("method"), request.components
    found = store.facts(request.found["structure"])
    facts: list[dict[str, Any]] = [{"candidate": fit.candidate, **store.facts(fit.results[0])} for fit in fits]
    candidates = [{**fact, **fact["candidate"].model_dump(include={"name", "parameters"})} for fact in facts]
    decided = store.facts(chosen) if chosen else None
    weighed: dict[str, Any] = {}
    if decided and candidates and candidates[0]["name"] == decided["method"]:
        position, reason, weighed = 0, decided["reason"], decided["evidence"]
    elif found["structured"] or (candidates and not leaves_number_open([one["parameters"] for one in candidates])):
        position, reason = choose(candidates)
    else:
        number = max((fit.candidate.number for fit in fits), default=-1) + 1
        facts.append({"candidate": Candidate(**ONE_GROUP, number=number), "clusters_found": 1})
        position, reason = len(fits), f"one group. {found['sentence']}"
    winner = facts[position]["candidate"]
    evidence = {
        "number": winner.number,
        "reason": reason,
        "fits": facts,
        "position": position,
        "one_group": position == len(fits),
        "weighed": weighed,
    }
    told = {"name": winner.name, "parameters": winner.parameters, "component": components[winner.name]}
    return Selection(winner=store.put_facts(told), evidence=store.put_facts(evidence))
