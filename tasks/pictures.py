"""Pictures of the rows that are asked for: for people alone, nothing is fitted to them or evaluated by them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.dimensionality_reduction.pictures import MAX_ROWS, MIN_ROWS, Picture, picture
from penstock.model import load_bundle
from penstock.problems.data import DataSplit
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Store


@stage(worker=True, libraries=("matplotlib",))
def draw_pictures(store: Store, trained: Trained, data_split: DataSplit, names: list[Picture], seed: int) -> Explained:
    """Some of the test rows, as the model's preparation makes them, coloured by what the finished model says."""
    from penstock.components.plots.output import to_svg
    from penstock.components.plots.reduction_and_density import (
        rows_in_a_picture,  # it draws, so it takes a while to load
    )

    bundle, frame = load_bundle(store.path(trained.model)), store.frame(data_split.test)
    if len(frame) > MAX_ROWS:
        frame = frame.sample(MAX_ROWS, random_state=seed)
    if len(frame) < MIN_ROWS:
        return Explained(facts=store.put_facts({"rows": len(frame), "names": []}), figures=store.put_facts({}))
    X = np.asarray(bundle.pipeline[:-1].transform(frame), dtype=np.float64)
    scored = bundle.score_frame(frame, enforce=False)
    kinds = _kinds(scored)
    figures = {f"picture_{name}": to_svg(rows_in_a_picture(name, picture(name, X, seed=seed), kinds)) for name in names}
    return Explained(facts=store.put_facts({"rows": len(frame), "names": names}), figures=store.put_facts(figures))


def _kinds(scored: pd.DataFrame) -> list[str] | None:
    if "prediction" in scored:
        return ["noise" if label < 0 else f"cluster {label}" for label in scored["prediction"]]
    if "outlier" in scored:
        return ["rare" if rare else "usual" for rare in scored["outlier"]]
    return None
