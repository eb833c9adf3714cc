"""Compare two models on rows that neither has learnt from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.clustering.scores import internal_scores
from penstock.components.evaluation.gate import decide
from penstock.components.evaluation.intervals import mean_interval, paired_interval
from penstock.components.evaluation.metrics import Metric, answering, metric
from penstock.components.schema import ROW_ID, encode_target
from penstock.jobs import Progress
from penstock.model import PenstockModel, load_bundle
from penstock.store import Ref, Store


def work(
    store: Store,
    progress: Progress,
    challenger: Ref,
    champion: Path,
    champion_ids: Path,
    rows: Ref,
    metric_name: str | None,
    margin: float,
    confidence: float,
    seed: int,
) -> dict[str, Any]:
    """The gate's verdict, from a paired difference with its interval."""
    new, old = load_bundle(store.path(challenger)), load_bundle(champion)
    frame = store.frame(rows)
    fresh = frame[~frame[ROW_ID].isin(pd.read_parquet(champion_ids)[ROW_ID])].reset_index(drop=True)
    group, weighing = new.schema.named("group"), new.schema.named("weight")
    groups = pd.factorize(fresh[group])[0] if group else None
    units = len(fresh) if groups is None else len(np.unique(groups))
    obstacle = _obstacle(new, old, units)
    if obstacle:
        return {"verdict": "inconclusive", "reason": obstacle, "difference": None, "rows": len(fresh)}
    if new.schema.problem == "clustering":
        gain = _silhouettes(new, fresh, seed) - _silhouettes(old, fresh, seed)
        difference = mean_interval(gain, seed=seed, confidence=confidence)
    else:
        assert metric_name is not None
        assert new.schema.target is not None
        judge = metric(new.card.get("objective") or metric_name, new.schema.problem, len(new.schema.classes or []))
        y = encode_target(fresh[new.schema.target], new.schema)
        difference = paired_interval(
            judge,
            y,
            _predict(new, fresh, judge),
            _predict(old, fresh, judge),
            groups=groups,
            weight=fresh[weighing].to_numpy() if weighing else None,
            seed=seed,
            confidence=confidence,
        )
    verdict = decide(difference, margin, units)
    return {**verdict.model_dump(), "difference": difference.model_dump(), "rows": len(fresh)}


def _obstacle(new: PenstockModel, old: PenstockModel, units: int) -> str | None:
    if units < 2:
        return f"only {units} of the test rows are new to the champion"
    if (new.schema.problem, new.schema.target, new.schema.classes) != (
        old.schema.problem,
        old.schema.target,
        old.schema.classes,
    ):
        return "the champion answers another question: its problem, target or classes differ"
    return None


def _predict(model: PenstockModel, frame: pd.DataFrame, judge: Metric) -> np.ndarray[Any, Any]:
    """Where answers are judged, those that the model gives by its own rule."""
    if model.schema.problem == "classification":
        probabilities = model.predict_proba(frame, enforce=False).to_numpy()
        return answering(judge, probabilities, model.decide(probabilities) if model.decides else None)
    return model.predict(frame, enforce=False).to_numpy()


def _silhouettes(model: PenstockModel, frame: pd.DataFrame, seed: int) -> np.ndarray[Any, Any]:
    """How well each row fits its cluster, in the space that the model prepares; zero where all rows are in one."""
    labels = model.predict(frame, enforce=False).to_numpy()
    matrix = np.asarray(model.pipeline[:-1].transform(frame))
    scores = internal_scores(matrix, labels, seed=seed, most_rows=len(frame))
    return scores["silhouette_values"] if len(scores["silhouette_values"]) else np.zeros(len(frame))
