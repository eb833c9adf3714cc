"""Say what a reduction or a density found, in the columns of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from penstock.components.clustering.describe import project_2d
from penstock.components.dimensionality_reduction.described import loadings, spectrum
from penstock.components.evaluation.unsupervised.reconstruction import brought_back
from penstock.components.plots.features import scree
from penstock.components.plots.output import to_svg
from penstock.components.plots.reduction_and_density import density_histogram, density_map, reconstructions, reduced_map
from penstock.components.preprocessing.preparation import feature_names
from penstock.components.schema import ROW_ID
from penstock.model import PenstockModel, load_bundle
from penstock.problems.data import Parts
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Store

MAX_RARE = 10
MAX_BROUGHT_BACK = 4


@stage(worker=True, libraries=("matplotlib",))
def study_on_test_rows(store: Store, trained: Trained, parts: Parts, seed: int) -> Explained:
    """Of a reduction, what its new columns are made of; of a density, the rarest test rows. And pictures."""
    bundle = load_bundle(store.path(trained.model))
    study = _density if bundle.schema.problem == "density" else _reduction
    facts, figures = study(bundle, store.frame(parts.learning), store.frame(parts.test), seed)
    drawn = {name: to_svg(figure) for name, figure in figures.items()}
    return Explained(facts=store.put_facts(facts), figures=store.put_facts(drawn))


def _reduction(
    bundle: PenstockModel, learning: pd.DataFrame, test: pd.DataFrame, seed: int
) -> tuple[dict[str, Any], dict[str, Figure]]:
    prepared, reducer = bundle.pipeline[:-1], bundle.pipeline[-1]
    names, made = feature_names(prepared), bundle.score_frame(test.head(0), enforce=False).columns.tolist()
    known, unseen = (np.asarray(prepared.transform(rows), dtype=float) for rows in (learning, test))
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


def _density(
    bundle: PenstockModel, learning: pd.DataFrame, test: pd.DataFrame, seed: int
) -> tuple[dict[str, Any], dict[str, Figure]]:
    learnt, unseen = (bundle.score_frame(rows, enforce=False) for rows in (learning, test))
    logs, rare = unseen["log_density"].to_numpy(), unseen["outlier"].to_numpy()
    columns = [column.name for column in bundle.schema.features]
    rarest = [
        {
            "id": str(test[ROW_ID].iloc[place]),
            "log_density": float(logs[place]),
            "outlier": bool(rare[place]),
            "values": {name: _plain(test[name].iloc[place]) for name in columns},
        }
        for place in np.argsort(logs, kind="stable")[:MAX_RARE]
    ]
    threshold = getattr(bundle.pipeline[-1], "threshold_", None)
    points, explained = project_2d(np.asarray(bundle.pipeline[:-1].transform(test), dtype=float), seed)
    figures = {
        "density_histogram": density_histogram(logs, learnt["log_density"].to_numpy(), threshold),
        "density_map": density_map(points, rare, explained.tolist()),
    }
    facts = {"rows": len(test), "flagged": int(rare.sum()), "threshold": threshold, "rarest": rarest}
    return facts, figures


def _plain(value: Any) -> Any:
    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat()
    return value.item() if hasattr(value, "item") else value
