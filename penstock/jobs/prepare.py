"""Prepare one fold."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.analysis.prepared import study_correlations
from penstock.components.preprocessing.preparation import build_preparation, feature_names, with_copies
from penstock.jobs import Prepared, Progress
from penstock.store import Ref, Store

# The steps of supervised learning that a preparation takes.
TREATED, STUDIED, SELECTED = 3, 4, 5


def work(
    store: Store, progress: Progress, plan: Ref, learning: Ref, folds: Ref, fold: int | None, seed: int
) -> Prepared:
    """Fit the preparation on one fold's training rows alone, and prepare both sides of the fold.

    Between the treatment of the columns and the selection of features, the correlations are studied.
    """
    frame = store.frame(learning)
    arrays = store.arrays(folds)
    preparation = build_preparation(store.facts(plan), seed=seed)
    everything = np.arange(len(frame))
    train = everything if fold is None else arrays[f"train_{fold}"]
    taught, origin = with_copies(store.facts(plan), frame.iloc[train])
    y = arrays["y"][train][origin] if "y" in arrays else None
    steps = [TREATED]
    treated = preparation[:1].fit_transform(taught, y)
    steps.append(STUDIED)
    study = study_correlations(_dense(treated), feature_names(preparation[:1]), y, int(arrays["n_classes"]))
    steps.append(SELECTED)
    matrix = preparation[1:].fit_transform(treated, y)
    valid = (
        None if fold is None else store.put_matrix(_dense(preparation.transform(frame.iloc[arrays[f"valid_{fold}"]])))
    )
    names = store.put_facts(feature_names(preparation))
    told = store.put_facts({**study, "steps": steps})
    copies = store.put_arrays(origin=origin) if isinstance(origin, np.ndarray) else None
    return Prepared(train=store.put_matrix(_dense(matrix)), valid=valid, names=names, study=told, copies=copies)


def _dense(matrix: Any) -> np.ndarray[Any, Any]:
    return np.ascontiguousarray(matrix, dtype=float)
