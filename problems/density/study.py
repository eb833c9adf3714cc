"""Say what a density found, in the columns of the data."""

from __future__ import annotations

import numpy as np

from penstock.components.clustering.describe import project_2d
from penstock.components.plots.output import to_svg
from penstock.components.plots.reduction_and_density import density_histogram, density_map
from penstock.components.schema import ROW_ID
from penstock.model import load_bundle
from penstock.problems.data import DataSplit
from penstock.problems.density.sections import Density, RareRow
from penstock.problems.rows.cells import plain
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Store

MAX_RARE = 10


@stage(worker=True, libraries=("matplotlib",))
def study_density(store: Store, trained: Trained, data_split: DataSplit, seed: int) -> Explained:
    """The rarest test rows. And pictures."""
    model = load_bundle(store.path(trained.model))
    training, test = store.frame(data_split.train), store.frame(data_split.test)
    known, unseen = (model.score_frame(rows, enforce=False) for rows in (training, test))
    logs, rare = unseen["log_density"].to_numpy(), unseen["outlier"].to_numpy()
    columns = [column.name for column in model.schema.features]
    rarest = [
        RareRow(
            id=str(test[ROW_ID].iloc[place]),
            log_density=float(logs[place]),
            outlier=bool(rare[place]),
            values={name: plain(test[name].iloc[place]) for name in columns},
        )
        for place in np.argsort(logs, kind="stable")[:MAX_RARE]
    ]
    threshold = getattr(model.pipeline[-1], "threshold_", None)
    points, explained = project_2d(np.asarray(model.pipeline[:-1].transform(test), dtype=float), seed)
    figures = {
        "density_histogram": density_histogram(logs, known["log_density"].to_numpy(), threshold),
        "density_map": density_map(points, rare, explained.tolist()),
    }
    found = Density(rows=len(test), flagged=int(rare.sum()), threshold=threshold, rarest=rarest)
    return Explained.of(store, found, {name: to_svg(figure) for name, figure in figures.items()})
