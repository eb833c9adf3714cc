"""Find the method and the number of clusters without being told any."""

from __future__ import annotations

import numpy as np

from penstock.components.search.candidates import CLUSTERS, Candidate
from penstock.components.structure.assess import StructureVerdict
from penstock.components.structure.chooser import Choice, choose_automatically
from penstock.problems import find
from penstock.problems.fits import Prepared
from penstock.stage import stage
from penstock.store import Ref, Store

MIN_GROUPS = 2


@stage(worker=True)
def choose_method(store: Store, prepared: Prepared, structure: Ref[StructureVerdict], seed: int) -> Ref[Choice]:
    """The choice: method, parameters, number of clusters, the reason, and what spoke for it and against it."""
    verdict = store.facts(structure)
    matrix = np.asarray(store.matrix(prepared.train))
    chosen = choose_automatically(matrix, seed=seed, verdict=verdict)
    return store.put_facts(chosen)


def suggested(store: Store, found: Ref[Choice]) -> list[Candidate]:
    """The method that the rows decided on; after it, to see whether they agree, others with as many clusters."""
    choice = store.facts(found)
    if choice.clusters < MIN_GROUPS:
        return []
    beside = [name for name in find("clustering").candidates if name != choice.method]
    asked = [(choice.method, choice.parameters), *((name, {CLUSTERS: choice.clusters}) for name in beside)]
    return [Candidate(name=name, parameters=given, number=number) for number, (name, given) in enumerate(asked)]
