"""Choose among fitted candidates."""

from __future__ import annotations

import numpy as np

from penstock.component import fingerprint
from penstock.components.catalog import Problem
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.evaluation.selection import correct_for_selection, pool, rank
from penstock.jobs import Fitted, Progress, Selection
from penstock.store import Ref, Store


def work(
    store: Store,
    progress: Progress,
    fits: list[Fitted],
    problem: Problem,
    folds: Ref,
    metric_name: str | None,
    seed: int,
) -> Selection:
    """Rank the candidates, give each an interval, and correct the winner's score for having been picked."""
    arrays = store.arrays(folds)
    n_classes = int(arrays["n_classes"])
    judge = metric(metric_name or default_metric(problem, n_classes), problem, n_classes)
    facts = [[store.facts(result) for result in fit.results] for fit in fits]
    scores = [[fold["score"] for fold in by_fold if fold["score"] is not None] for by_fold in facts]
    pooled = [[store.arrays(Ref(**fold["predictions"]))["prediction"] for fold in by_fold] for by_fold in facts]
    rows, predictions = pool([arrays[f"valid_{fold['fold']}"] for fold in facts[0]], pooled, str(arrays["judging"]))
    y = arrays["y"][rows]
    groups, weight = (arrays[name][rows] if name in arrays else None for name in ("groups", "weight"))
    if groups is None and len(np.unique(rows)) < len(rows):
        groups = rows  # a row that is judged several times is still one row
    if str(arrays["judging"]) != "folds" or not all(scores):  # no fold alone may define the metric
        scores = [[judge.function(y, prediction, weight)] for prediction in predictions]

    corrected = correct_for_selection(judge, y, predictions, groups=groups, weight=weight, seed=seed)
    best_first = rank(scores)
    ranked = [
        {
            "candidate": fits[position].candidate,
            "folds": scores[position],
            "score": float(np.mean(scores[position])),
            **corrected.candidates[position].model_dump(include={"low", "high"}),
        }
        for position in best_first
    ]
    winner = fits[best_first[0]].candidate
    evidence = {
        "number": winner.number,
        "metric": judge.name,
        "ranked": ranked,
        **corrected.model_dump(exclude={"candidates"}),
    }
    chosen = {"name": winner.name, "parameters": winner.parameters, "component": fingerprint(winner.name, problem)}
    return Selection(
        winner=store.put_facts(chosen),
        evidence=store.put_facts(evidence),
        unseen=store.put_arrays(rows=rows, prediction=predictions[best_first[0]]),
    )
