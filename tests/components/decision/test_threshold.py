from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier

from penstock.components.decision.classifier import DecidingClassifier
from penstock.components.decision.threshold import threshold_curve, threshold_scores
from penstock.components.evaluation.metrics import METRICS, metric

OF_ANSWERS = [name for name, judge in METRICS.items() if judge.response == "labels" and judge.fits(2)]


def task(rows: int = 300, seed: int = 0) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.2).astype(int)
    p = np.clip(np.round(0.1 + 0.25 * y + 0.3 * rng.random(rows), 2), 0, 1)
    return y, p, rng.integers(1, 4, rows).astype(float)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", OF_ANSWERS)
def test_scores_are_those_of_the_metric_at_each_threshold(name: str, weighted: bool) -> None:
    y, p, weight = task()
    judge = metric("neg_cost:0,1,6,0", 2) if name == "neg_cost" else METRICS[name]
    given = weight if weighted else None
    thresholds = np.array([0.105, 0.2, 0.31, 0.45, 0.6])
    expected = [judge.function(y, np.eye(2)[(p > threshold).astype(int)], given) for threshold in thresholds]
    assert threshold_scores(judge, y, p, thresholds, given) == pytest.approx(expected, rel=1e-12)


@pytest.mark.covers("proc_threshold_tuning")
@pytest.mark.parametrize("name", ["f1", "balanced_accuracy", "neg_cost:0,1,6,0", "f_beta:2", "matthews_corrcoef"])
def test_the_best_threshold_is_the_best_of_all(name: str) -> None:
    y, p, _ = task()
    judge = metric(name, 2)
    found = threshold_curve(judge, y, p)
    every = np.linspace(0, 1, 1001)
    scores = threshold_scores(judge, y, p, every)
    assert found.best_score == pytest.approx(scores.max())
    assert found.best_score == pytest.approx(judge.function(y, np.eye(2)[(p > found.best).astype(int)]))
    assert found.usual_score == pytest.approx(judge.function(y, np.eye(2)[(p > 0.5).astype(int)]))
    assert found.best_score > found.usual_score


def test_costs_of_calibrated_probabilities_ask_for_their_own_threshold() -> None:
    """Missing costs four times as much as flagging, so that one in five is the limit."""
    rng = np.random.default_rng(1)
    p = rng.random(60_000)
    y = (rng.random(60_000) < p).astype(int)
    found = threshold_curve(metric("neg_cost:0,1,4,0", 2), y, p)
    assert found.best == pytest.approx(0.2, abs=0.03)
    assert len(found.thresholds) <= 200


def test_of_equally_good_thresholds_the_middle_is_taken() -> None:
    y, p = np.array([0, 0, 0, 1, 1, 1]), np.array([0.1, 0.2, 0.3, 0.7, 0.8, 0.9])
    assert threshold_curve(METRICS["accuracy"], y, p).best == pytest.approx(0.5)


@pytest.mark.parametrize("p", [np.full(6, 0.4), np.array([0, 0, 0, 1, 1, 1.0])], ids=["all alike", "sure"])
def test_few_levels(p: Any) -> None:
    found = threshold_curve(METRICS["f1"], np.array([0, 0, 0, 1, 1, 1]), p)
    assert 0 <= found.best <= 1
    assert found.best_score in (pytest.approx(2 / 3), 1.0)


@pytest.mark.covers("linclf-threshold")
def test_the_rule_for_ties_and_the_ends_of_the_scale() -> None:
    """At a probability of exactly 0.5 a strict rule answers 0, and scikit-learn 1."""
    X, y = np.array([[-1.0], [1.0], [0.0], [0.0]]), np.array([0, 1, 0, 1])
    model = LogisticRegression().fit(X, y)
    assert model.predict_proba([[0.0]])[0, 1] == pytest.approx(0.5, abs=1e-9)
    model.intercept_[:] = 0.0
    assert model.predict_proba([[0.0]])[0, 1] == 0.5
    library = FixedThresholdClassifier(FrozenEstimator(model), threshold=0.5).fit(X, y)
    answers = {
        ties: DecidingClassifier(FrozenEstimator(model), threshold=0.5, ties=ties).fit(X, y).predict([[0.0]])[0]
        for ties in ("first", "second")
    }
    assert answers == {"first": 0, "second": 1}
    assert library.predict([[0.0]])[0] == 1
    assert DecidingClassifier(FrozenEstimator(model), threshold=0.5).fit(X, y).predict([[0.0]])[0] == 0

    def answered(threshold: float) -> Any:
        return DecidingClassifier(FrozenEstimator(model), threshold=threshold).fit(X, y).predict(X)

    assert (answered(0.0) == 1).all()
    assert (answered(1.1) == 0).all()
    truth, p, _ = task()
    curve = threshold_curve(METRICS["f1"], truth, p)
    assert max(curve.scores) == pytest.approx(curve.best_score)
    scores = dict(zip(curve.thresholds, curve.scores, strict=True))
    assert min(scores, key=lambda one: abs(one - curve.best)) in [
        t for t, s in scores.items() if s == max(curve.scores)
    ]
