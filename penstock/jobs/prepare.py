"""Prepare one fold."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.analysis.prepared import study_correlations
from penstock.components.preprocessing.preparation import build_preparation, feature_names, fit_steps, with_copies
from penstock.components.preprocessing.unseen import unseen_levels
from penstock.jobs import Prepared, Progress
from penstock.store import Ref, Store

SYLLABUS = ("proc_fit_transform_on_train",)

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
    recipe = store.facts(plan)
    preparation = build_preparation(recipe, seed=seed)
    everything = np.arange(len(frame))
    train = everything if fold is None else arrays[f"train_{fold}"]
    judging, unseen = None, {}
    if fold is not None:
        judging = frame.iloc[arrays[f"valid_{fold}"]]
        unseen = unseen_levels(recipe, frame.iloc[train], judging, f"fold {fold + 1}")
    taught, origin = with_copies(recipe, frame.iloc[train])
    y = arrays["y"][train][origin] if "y" in arrays else None
    steps = [TREATED]
    treated = preparation[:1].fit_transform(taught, y)
    steps.append(STUDIED)
    offered = feature_names(preparation[:1])
    study = study_correlations(_dense(treated), offered, y, int(arrays["n_classes"]))
    steps.append(SELECTED)
    matrix = fit_steps(preparation, treated, y, begun=1)
    told = {**study, "steps": steps, "unseen": unseen}
    if "select" in preparation.named_steps:
        told["selected"] = {"offered": offered, "kept": feature_names(preparation[:2])}
    return Prepared(
        train=store.put_matrix(_dense(matrix)),
        valid=None if judging is None else store.put_matrix(_dense(preparation.transform(judging))),
        names=store.put_facts(feature_names(preparation)),
        study=store.put_facts(told),
        copies=store.put_arrays(origin=origin) if isinstance(origin, np.ndarray) else None,
        balance=_balance(recipe),
    )


def _balance(recipe: dict[str, Any]) -> dict[str, Any] | None:
    chosen: dict[str, Any] | None = recipe.get("balance")
    return {**chosen, "component": recipe.get("components", {}).get(chosen["name"])} if chosen else None


def _dense(matrix: Any) -> np.ndarray[Any, Any]:
    return np.ascontiguousarray(matrix, dtype=float)
