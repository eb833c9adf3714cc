"""The scores of many resamples at once are those of scikit-learn, one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import median_absolute_error

from penstock.components.evaluation.intervals import bootstrap_interval
from penstock.components.evaluation.metrics import METRICS, Metric, metric
from penstock.components.evaluation.scorers import scorer_of

Array = np.ndarray[Any, Any]

FITTING = [
    (name, n_classes)
    for name, judge in METRICS.items()
    for n_classes in (2, 4)
    if judge.fits(n_classes) or (judge.target == "quantity" and n_classes == 2)
]


def task(
    name: str, n_rows: int, rng: np.random.Generator, decimals: int = 2, n_classes: int = 2
) -> tuple[Array, Array]:
    """Targets and a prediction that knows something of them, with ties where it is rounded."""
    if METRICS[name].target == "quantity":
        y = rng.normal(3.0, 2.0, size=n_rows)
        return y, np.round(0.7 * y + rng.normal(size=n_rows), decimals)
    y = rng.integers(0, n_classes, size=n_rows)
    odds = np.round(rng.random((n_rows, n_classes)) + 0.4 * np.eye(n_classes)[y], decimals) + 0.01
    return y, odds / odds.sum(axis=1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize("weighting", ["counts", "left out", "fractions"])
@pytest.mark.parametrize("decimals", [1, 8])
@pytest.mark.parametrize(("name", "n_classes"), FITTING)
def test_a_scorer_equals_sklearn(name: str, n_classes: int, decimals: int, weighting: str) -> None:
    rng = np.random.default_rng(5)
    y, prediction = task(name, 120, rng, decimals, n_classes)
    weights = rng.poisson(1.0, size=(6, 120)).astype(float)
    if weighting == "left out":
        weights = (weights == 0).astype(float)
    if weighting == "fractions":
        weights *= rng.random(weights.shape)
    expected = [METRICS[name].function(y, prediction, weight) for weight in weights]
    assert scorer_of(METRICS[name], y, prediction)(weights) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("name", "n_classes"), FITTING)
def test_a_scorer_equals_sklearn_where_rows_are_few(name: str, n_classes: int) -> None:
    """Resamples of few rows miss classes, or have but one: NaN on both sides."""
    rng = np.random.default_rng(6)
    y, prediction = task(name, 6, rng, n_classes=n_classes)
    weights = rng.multinomial(6, np.full(6, 1 / 6), size=30).astype(float)
    weights[:6] = 6 * np.eye(6)
    expected = [METRICS[name].function(y, prediction, weight) for weight in weights]
    assert scorer_of(METRICS[name], y, prediction)(weights) == pytest.approx(expected, abs=1e-10, nan_ok=True)


def test_an_unlisted_metric_is_asked_for_every_resample() -> None:
    def function(y: Array, prediction: Array, weight: Array | None = None) -> float:
        return -float(median_absolute_error(y, prediction, sample_weight=weight))

    own = Metric("neg_median_absolute_error", "median error", "regression", "any", -1, function)
    y, prediction = task("r2", 60, np.random.default_rng(0))
    interval = bootstrap_interval(own, y, prediction, seed=0, resamples=200)
    assert interval.value == -median_absolute_error(y, prediction)
    assert interval.low < interval.value < interval.high


def test_costs_are_counted_by_the_answer_of_least_expected_cost() -> None:
    """Flagging costs 1, missing 9: above one in ten a flag is cheaper."""
    judge = metric("neg_cost:0,1,9,0", 2)
    y, p = np.array([0, 0, 1, 1]), np.array([0.05, 0.2, 0.09, 0.11])
    prediction = np.column_stack([1 - p, p])
    assert judge.function(y, prediction) == -(0 + 1 + 9 + 0) / 4
    weights = np.array([[1.0, 1, 1, 1], [0, 2, 1, 1], [1, 0, 0, 0]])
    assert scorer_of(judge, y, prediction)(weights) == pytest.approx([-10 / 4, -11 / 4, 0])


@pytest.mark.parametrize(
    "name", ["f_beta:0.5", "top_k_accuracy:3", "neg_mean_pinball_loss:0.9", "neg_cost:0,1,2,3,0,4,5,6,0"]
)
def test_a_metric_with_numbers_has_the_same_scorer(name: str) -> None:
    family = name.partition(":")[0]
    n_classes = {"f_beta": 2, "top_k_accuracy": 4, "neg_cost": 3, "neg_mean_pinball_loss": 0}[family]
    rng = np.random.default_rng(2)
    y, prediction = task(family, 80, rng, n_classes=n_classes)
    judge = metric(name, n_classes)
    weights = rng.poisson(1.0, size=(5, 80)).astype(float)
    expected = [judge.function(y, prediction, weight) for weight in weights]
    assert scorer_of(judge, y, prediction)(weights) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["average_precision", "roc_auc", "roc_auc_ovr", "roc_auc_ovo"])
def test_rows_of_one_class_define_no_area(name: str) -> None:
    y = np.zeros(6, dtype=int)
    prediction = np.tile([0.7, 0.3], (6, 1))
    assert np.isnan(scorer_of(METRICS[name], y, prediction)(np.ones((2, 6)))).all()


@pytest.mark.parametrize("name", ["f1_macro", "precision_macro", "recall_macro", "jaccard_macro"])
def test_a_class_that_is_not_drawn_counts_for_nothing(name: str) -> None:
    y = np.array([0, 0, 1, 1, 2])
    drawn = np.array([[1.0, 1.0, 1.0, 1.0, 0.0]])
    assert scorer_of(METRICS[name], y, np.eye(3)[y])(drawn) == pytest.approx([1.0])
