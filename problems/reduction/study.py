"""Say what a reduction found, in the columns of the data."""

from __future__ import annotations

import numpy as np

from penstock.components.dimensionality_reduction.described import loadings, spectrum
from penstock.components.evaluation.unsupervised.reconstruction import brought_back
from penstock.components.plots.features import scree
from penstock.components.plots.output import to_svg
from penstock.components.plots.reduction_and_density import reconstructions, reduced_map
from penstock.components.preprocessing.preparation import feature_names
from penstock.model import load_bundle
from penstock.problems.data import DataSplit
from penstock.problems.reduction.sections import Reduction
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Store

MAX_BROUGHT_BACK = 4


@stage(worker=True, libraries=("matplotlib",))
def study_reduction(store: Store, trained: Trained, data_split: DataSplit, seed: int) -> Explained:
    """What its new columns are made of, and how much of the rows they hold. And pictures."""
    model = load_bundle(store.path(trained.model))
    training, test = store.frame(data_split.train), store.frame(data_split.test)
    prepared, reducer = model.pipeline[:-1], model.pipeline[-1]
    names, made = feature_names(prepared), model.score_frame(test.head(0), enforce=False).columns.tolist()
    known, unseen = (np.asarray(prepared.transform(rows), dtype=float) for rows in (training, test))
    found = spectrum(known, min(len(made), known.shape[1]), None)
    share = found["explained"][min(len(made), len(found["explained"])) - 1]
    title = f"{len(made)} of {found['components']} directions could hold {share:.0%} of how the rows vary"
    few = unseen[:MAX_BROUGHT_BACK]
    figures = {
        "reduced_map": reduced_map(np.asarray(reducer.transform(unseen)), made),
        "variances": scree(found, title),
        "reconstructions": reconstructions(few, brought_back(reducer, few), names, len(made)),
    }
    facts = {"from": len(names), "to": len(made), "loadings": loadings(reducer, names, made), "share": share}
    drawn = {name: to_svg(figure) for name, figure in figures.items()}
    return Explained.of(store, Reduction.model_validate(facts), drawn)
