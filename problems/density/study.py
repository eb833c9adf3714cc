"""Say what a density found, in the columns of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from penstock.components.clustering.describe import project_2d
from penstock.components.plots.output import to_svg
from penstock.components.plots.reduction_and_density import density_histogram, density_map
from penstock.components.schema import ROW_ID
from penstock.model import PenstockModel, load_bundle
from penstock.problems.data import Parts
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Store

MAX_RARE = 10


@stage(worker=True, libraries=("matplotlib",))
def study_density(store: Store, trained: Trained, parts: Parts, seed: int) -> Explained:
    """The rarest test rows, and pictures."""
    bundle = load_bundle(store.path(trained.model))
    facts, figures = _study(bundle, store.frame(parts.learning), store.frame(parts.test), seed)
    drawn = {name: to_svg(figure) for name, figure in figures.items()}
    return Explained(facts=store.put_facts(facts), figures=store.put_facts(drawn))


def _study(
    bundle: PenstockModel, training: pd.DataFrame, test: pd.DataFrame, seed: int
) -> tuple[dict[str, Any], dict[str, Figure]]:
    learnt, unseen = (bundle.score_frame(rows, enforce=False) for rows in (training, test))
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
