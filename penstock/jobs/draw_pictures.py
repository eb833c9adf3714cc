"""Draw the rows by methods that only draw."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.dimensionality_reduction.pictures import FEWEST_ROWS, MOST_ROWS, Picture, picture
from penstock.components.plots.held_out import rows_in_a_picture
from penstock.components.plots.output import to_svg
from penstock.jobs import Progress
from penstock.model import load_bundle
from penstock.store import Ref, Store


def work(store: Store, progress: Progress, model: Ref, test: Ref, names: list[Picture], seed: int) -> tuple[Ref, Ref]:
    """Some of the test rows, as the model's preparation makes them, coloured by what the finished model says."""
    bundle, frame = load_bundle(store.path(model)), store.frame(test)
    if len(frame) > MOST_ROWS:
        frame = frame.sample(MOST_ROWS, random_state=seed)
    if len(frame) < FEWEST_ROWS:
        return store.put_facts({"rows": len(frame), "names": []}), store.put_facts({})
    X = np.asarray(bundle.pipeline[:-1].transform(frame), dtype=np.float64)
    scored = bundle.score_frame(frame, enforce=False)
    kinds = _kinds(scored)
    figures = {f"picture_{name}": to_svg(rows_in_a_picture(name, picture(name, X, seed=seed), kinds)) for name in names}
    return store.put_facts({"rows": len(frame), "names": names}), store.put_facts(figures)


def _kinds(scored: pd.DataFrame) -> list[str] | None:
    if "prediction" in scored:
        return ["noise" if label < 0 else f"cluster {label}" for label in scored["prediction"]]
    if "outlier" in scored:
        return ["rare" if rare else "usual" for rare in scored["outlier"]]
    return None
