"""Ask whether the rows lie in groups at all."""

from __future__ import annotations

import numpy as np

from penstock.components.plots.output import to_svg
from penstock.components.plots.structure import null_comparison
from penstock.components.structure.assess import assess_structure
from penstock.jobs import Prepared, Progress
from penstock.store import Ref, Store


def work(store: Store, progress: Progress, prepared: Prepared, seed: int) -> tuple[Ref, Ref]:
    """The prepared rows against references without groups, and the picture of it."""
    found = assess_structure(np.asarray(store.matrix(prepared.train)), seed=seed).model_dump()
    figures = {"null_comparison": to_svg(null_comparison(found))}
    return store.put_facts(found), store.put_facts(figures)
