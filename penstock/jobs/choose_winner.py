"""Choose among fitted candidates."""

from __future__ import annotations

import numpy as np

from penstock.component import fingerprint
from penstock.components.catalog import Problem
from penstock.components.evaluation.intervals import bootstrap_interval
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.evaluation.selection import correct_for_selection, rank
from penstock.components.search import Candidate
from penstock.jobs import Fitted, Progress, Selection
from penstock.store import Ref, Store

RESAMPLES_OF_A_CANDIDATE = 200


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
    facts = [{"candidate": fit.candidate, **store.facts(fit.result)} for fit in fits]
    predictions = [store.arrays(Ref(**fact["predictions"]))["prediction"] for fact in facts]
    # A single held-out part predicts only its own rows.
    covered = np.isfinite(predictions[0].reshape(len(predictions[0]), -1)).all(axis=1)
    y, predictions = arrays["y"][covered], [prediction[covered] for prediction in predictions]
    groups = arrays["groups"][covered] if "groups" in arrays else None

    ranked = []
    for position in rank([fact["folds"] for fact in facts]):
        interval = bootstrap_interval(
            judge, y, predictions[position], groups=groups, seed=seed, resamples=RESAMPLES_OF_A_CANDIDATE
        )
        fact = facts[position]
        ranked.append(
            {name: fact[name] for name in ("candidate", "folds", "score")}
            | {"low": interval.low, "high": interval.high}
        )
    corrected = correct_for_selection(judge, y, predictions, groups=groups, seed=seed)
    winner: Candidate = ranked[0]["candidate"]
    evidence = {"number": winner.number, "metric": judge.name, "ranked": ranked, **corrected.model_dump()}
    chosen = {"name": winner.name, "parameters": winner.parameters, "component": fingerprint(winner.name, problem)}
    return Selection(winner=store.put_facts(chosen), evidence=store.put_facts(evidence))
