"""Say what a reduction found, in the columns of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from penstock.components.dimensionality_reduction.described import loadings, spectrum
from penstock.components.evaluation.unsupervised.reconstruction import brought_back
from penstock.components.plots.features import scree
from penstock.components.plots.output import to_svg
from penstock.components.plots.reduction_and_density import reconstructions, reduced_map
from penstock.components.preprocessing.preparation import feature_names
from penstock.model import PenstockModel, load_bundle
from penstock.problems.data import Parts
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Store

MAX_BROUGHT_BACK = 4


@stage(worker=True, libraries=("matplotlib",))
def study_reduction(store: Store, trained: Trained, parts: Parts, seed: int) -> Explained:
    """What the new columns are made of, and pictures."""
    bundle = load_bundle(store.path(trained.model))
    facts, figures = _study(bundle, store.frame(parts.learning), store.frame(parts.test))
    drawn = {name: to_svg(figure) for name, figure in figures.items()}
    return Explained(facts=store.put_facts(facts), figures=store.put_facts(drawn))


def _study(
    bundle: PenstockModel, training: pd.DataFrame, test: pd.DataFrame
) -> tuple[dict[str, Any], dict[str, Figure]]:
    prepared, reducer = bundle.pipeline[:-1], bundle.pipeline[-1]
    names, made = feature_names(prepared), bundle.score_frame(test.head(0), enforce=False).columns.tolist()
    known, unseen = (np.asarray(prepared.transform(rows), dtype=float) for rows in (training, test))
    found = spectrum(known, min(len(made), known.shape[1]), None)
    share = found["explained"][min(len(made), len(found["explained"])) - 1]
    said = f"{len(made)} of {found['components']} directions could hold {share:.0%} of how the rows vary"
    few = unseen[:MAX_BROUGHT_BACK]
    figures = {
        "reduced_map": reduced_map(np.asarray(reducer.transform(unseen)), made),
        "variances": scree(found, said),
        "reconstructions": reconstructions(few, brought_back(reducer, few), names, len(made)),
    }
    facts = {"from": len(names), "to": len(made), "loadings": loadings(reducer, names, made), "share": share}
    return facts, figures
