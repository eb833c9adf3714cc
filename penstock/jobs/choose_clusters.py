"""Choose among fitted clusterings."""

from __future__ import annotations

from penstock.component import fingerprint
from penstock.components.clustering.choice import choose
from penstock.components.search import Candidate
from penstock.jobs import Progress
from penstock.store import Ref, Store


def work(store: Store, progress: Progress, fits: list[Ref]) -> Ref:
    facts = [store.facts(fit) for fit in fits]
    flat = [
        {**fact, "name": fact["candidate"]["name"], "parameters": fact["candidate"]["parameters"]} for fact in facts
    ]
    position, reason = choose(flat)
    winner = Candidate(**facts[position]["candidate"])
    component = fingerprint(winner.name, "clustering")
    return store.put_facts(
        {"winner": winner, "component": component, "reason": reason, "fits": facts, "position": position}
    )
