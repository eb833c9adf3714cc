"""Find the method and the number of clusters without being told any."""

from __future__ import annotations

import numpy as np

from penstock.components.structure.assess import StructureVerdict
from penstock.components.structure.chooser import choose_automatically
from penstock.jobs import Prepared, Progress
from penstock.store import Ref, Store


def work(store: Store, progress: Progress, prepared: Prepared, structure: Ref, seed: int) -> Ref:
    """The choice: method, parameters, number of clusters, the reason, and what spoke for it and against it."""
    verdict = StructureVerdict(**store.facts(structure))
    matrix = np.asarray(store.matrix(prepared.train))
    chosen = choose_automatically(matrix, seed=seed, verdict=verdict)
    return store.put_facts(chosen.model_dump())
