"""Evaluate a reduction or a density on rows that it never saw."""

from __future__ import annotations

import numpy as np

from penstock.components.schema import ROW_ID
from penstock.document.candidates import Score
from penstock.problems.rows.groups import groups_of
from penstock.problems.rows.unsupervised.scores import evidence_of
from penstock.problems.rows.unsupervised.scoring import Scoring, require_finite_scores
from penstock.problems.training import Evaluated, EvaluateInput, Scores

MAX_IN_SAMPLE = 5000


def evaluate_scored(given: EvaluateInput, scoring: Scoring) -> Evaluated:
    """Scores with intervals, the main one also on rows trained on; and what each row adds."""
    model, seed, test = given.model, given.seed, given.test.frame
    preparation, estimator = model.pipeline[:-1], model.pipeline[-1]
    matrix, known = (np.asarray(preparation.transform(one)) for one in (test, given.training.frame))
    mean, groups = known.mean(axis=0), groups_of(model.schema, test)
    scores = scoring.all(estimator, mean, matrix, seed)
    main = scores[scoring.metric]
    require_finite_scores(main, model.card["method"])
    metrics = {
        name: Score(**found.interval(seed=seed, groups=groups).model_dump(), label=scoring.labels[name], sign=1)
        for name, found in scores.items()
    }
    seen = known[np.random.default_rng(seed).permutation(len(known))[:MAX_IN_SAMPLE]]
    in_sample = {scoring.metric: scoring.main(estimator, mean, seen, seed).value}
    evidence = evidence_of(main, test[ROW_ID].to_numpy(str), groups)
    return Evaluated(evidence, Scores(metrics=metrics, in_sample=in_sample))
