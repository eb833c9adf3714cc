"""Ask whether the rows lie in groups at all."""

from __future__ import annotations

import numpy as np

from penstock.components.plots.output import to_svg
from penstock.components.plots.structure import null_comparison
from penstock.components.structure.assess import assess_structure
from penstock.problems.fits import Prepared
from penstock.problems.training import Explained
from penstock.stage import stage
from penstock.store import Store


@stage(worker=True, libraries=("matplotlib",))
def find_structure(store: Store, prepared: Prepared, seed: int) -> Explained:
    """The prepared rows against references without groups, and the picture of it."""
    found = assess_structure(np.asarray(store.matrix(prepared.train)), seed=seed)
    return Explained.of(store, found, {"null_comparison": to_svg(null_comparison(found.model_dump()))})
