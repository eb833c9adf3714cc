"""Judge a reduction or a density on rows that it never saw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.held_out.judging import LABELS, METRICS, all_scores, main_score, require_finite_scores
from penstock.model import PenstockModel, load_bundle
from penstock.problems.training import EvaluateRequest
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]

MAX_LEARNT = 5000


def evaluate(store: Store, problem: str, request: EvaluateRequest) -> tuple[Ref, Ref]:
    """Scores with intervals, the main one also on rows learnt from; and what each row adds."""
    bundle = load_bundle(store.path(request.trained.model))
    seed = request.seed
    frame, taught = store.frame(request.parts.test), store.frame(request.parts.learning)
    matrix, known = (np.asarray(bundle.pipeline[:-1].transform(one)) for one in (frame, taught))
    estimator, mean = bundle.pipeline[-1], known.mean(axis=0)
    groups = _groups(bundle, frame)
    scores = all_scores(problem, estimator, mean, matrix, seed)
    main = scores[METRICS[problem]]
    require_finite_scores(main, bundle.card["method"])
    metrics = {
        name: {**found.interval(seed=seed, groups=groups).model_dump(), "label": LABELS[name], "sign": 1}
        for name, found in scores.items()
    }
    seen = known[np.random.default_rng(seed).permutation(len(known))[:MAX_LEARNT]]
    in_sample = {METRICS[problem]: main_score(problem, estimator, mean, seen, seed).value}
    facts = {"metrics": metrics, "in_sample": in_sample, "rows": len(frame)}
    return store.put_facts(facts), store.put_arrays(gain=main.gain, base=main.base)


def _groups(bundle: PenstockModel, frame: pd.DataFrame) -> Array | None:
    group = bundle.schema.named("group")
    return pd.factorize(frame[group])[0] if group else None
