"""Choose among fitted clusterings."""

from __future__ import annotations

from penstock.component import fingerprint
from penstock.components.clustering.choice import choose
from penstock.jobs import Fitted, Progress, Selection
from penstock.store import Store


def work(store: Store, progress: Progress, fits: list[Fitted]) -> Selection:
    facts = [{"candidate": fit.candidate, **store.facts(fit.results[0])} for fit in fits]
    position, reason = choose(
        [
            {**fact, "name": fit.candidate.name, "parameters": fit.candidate.parameters}
            for fact, fit in zip(facts, fits, strict=True)
        ]
    )
    winner = fits[position].candidate
    evidence = {"number": winner.number, "reason": reason, "fits": facts, "position": position}
    component = fingerprint(winner.name, "clustering")
    chosen = {"name": winner.name, "parameters": winner.parameters, "component": component}
    return Selection(winner=store.put_facts(chosen), evidence=store.put_facts(evidence))
