"""Prepare one fold."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.preprocessing.preparation import build_preparation, feature_names
from penstock.jobs import Prepared, Progress
from penstock.store import Ref, Store


def work(
    store: Store, progress: Progress, plan: Ref, learning: Ref, folds: Ref, fold: int | None, seed: int
) -> Prepared:
    """Fit the preparation on one fold's training rows alone, and prepare both sides of the fold."""
    frame = store.frame(learning)
    arrays = store.arrays(folds)
    preparation = build_preparation(store.facts(plan), seed=seed)
    everything = np.arange(len(frame))
    train = everything if fold is None else arrays[f"train_{fold}"]
    matrix = preparation.fit_transform(frame.iloc[train], arrays["y"][train] if "y" in arrays else None)
    valid = (
        None if fold is None else store.put_matrix(_dense(preparation.transform(frame.iloc[arrays[f"valid_{fold}"]])))
    )
    names = store.put_facts(feature_names(preparation))
    return Prepared(train=store.put_matrix(_dense(matrix)), valid=valid, names=names)


def _dense(matrix: Any) -> np.ndarray[Any, Any]:
    return np.ascontiguousarray(matrix, dtype=float)
