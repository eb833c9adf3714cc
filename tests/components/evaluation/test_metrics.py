from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer

from penstock.components.evaluation.metrics import METRICS, all_metrics, decided, default_metric, metric
from penstock.errors import UsageError


class SaysWhatItIsGiven(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose features are its probabilities."""

    def __init__(self, n_classes: int = 2) -> None:
        self.n_classes = n_classes

    @property
    def classes_(self) -> np.ndarray[Any, Any]:
        return np.arange(self.n_classes)

    def fit(self, X: Any, y: Any) -> SaysWhatItIsGiven:
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict_proba(self, X: Any) -> Any:
        return X

    def predict(self, X: Any) -> Any:
        return X.argmax(axis=1)


class SaysItsFirstFeature(RegressorMixin, BaseEstimator):
    def fit(self, X: Any, y: Any) -> SaysItsFirstFeature:
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Any:
        return X[:, 0]


def two(p: Any) -> np.ndarray[Any, Any]:
    p = np.asarray(p, dtype=float)
    return np.column_stack([1 - p, p])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_the_scorer_of_its_name(name: str, weighted: bool) -> None:
    rng = np.random.default_rng(3)
    weight = rng.integers(0, 4, size=200).astype(float) if weighted else None
    judge = METRICS[name]
    if judge.problem == "regression":
        y, model = rng.normal(size=200), SaysItsFirstFeature()
        prediction = y + rng.normal(size=200)
        X = prediction[:, None]
    else:
        n_classes = 2 if judge.classes == "two" else 4
        y, model = rng.integers(0, n_classes, size=200), SaysWhatItIsGiven(n_classes)
        X = prediction = rng.dirichlet(np.ones(n_classes), size=200)
    expected = get_scorer(name)(model, X, y, sample_weight=weight)
    assert judge.function(y, prediction, weight) == pytest.approx(expected, rel=1e-12)


@pytest.mark.covers("met_zero_one")
def test_confusion_by_hand() -> None:
    """TP 6, FP 2, FN 3, TN 9."""
    y = np.array([1] * 6 + [0] * 2 + [1] * 3 + [0] * 9)
    prediction = two([0.9] * 8 + [0.1] * 12)
    assert METRICS["accuracy"].function(y, prediction) == pytest.approx(0.75, abs=1e-9)
    assert METRICS["f1"].function(y, prediction) == pytest.approx(0.705882352941, abs=1e-9)
    assert METRICS["balanced_accuracy"].function(y, prediction) == pytest.approx((6 / 9 + 9 / 11) / 2, abs=1e-9)


@pytest.mark.covers("met_roc_auc", "met_average_precision")
def test_ranking_by_hand() -> None:
    relevant = np.array([1, 0, 1, 0, 0])
    prediction = two([0.9, 0.8, 0.7, 0.6, 0.5])
    assert METRICS["roc_auc"].function(relevant, prediction) == pytest.approx(0.833333333333, abs=1e-9)
    assert METRICS["average_precision"].function(relevant, prediction) == pytest.approx(0.833333333333, abs=1e-9)
    rng = np.random.default_rng(0)
    random = METRICS["roc_auc"].function(rng.integers(0, 2, 20_000), two(rng.random(20_000)))
    assert random == pytest.approx(0.5, abs=0.015)


@pytest.mark.covers("met_log_loss")
def test_log_loss_by_hand() -> None:
    assert METRICS["neg_log_loss"].function(np.array([1]), two([0.2])) == pytest.approx(-1.60943791243, abs=1e-9)


@pytest.mark.covers("met_rmse")
def test_rmse_is_the_root_of_the_mean_square() -> None:
    y, prediction = np.array([1.0, 2.0, 2.0, 4.0]), np.array([0.9, 1.8, 2.7, 3.6])
    mean_square = (0.1**2 + 0.2**2 + 0.7**2 + 0.4**2) / 4
    assert METRICS["neg_root_mean_squared_error"].function(y, prediction) == pytest.approx(-math.sqrt(mean_square))


@pytest.mark.covers("met_mae")
def test_mae_by_hand() -> None:
    mae = METRICS["neg_mean_absolute_error"].function
    losses = [-mae(np.array([100.0]), np.array([guess])) for guess in (-10_000.0, 0.0, 100.0, 10_000.0)]
    assert losses == [10_100.0, 100.0, 0.0, 9_900.0]


@pytest.mark.covers("met_mae")
def test_mae_is_least_for_the_robust_line_and_rmse_for_least_squares() -> None:
    x = np.linspace(0, 1, 21)
    y = np.append(2 * x[:-1], 50.0)
    slopes = np.linspace(0, 12, 121)
    mae, rmse = METRICS["neg_mean_absolute_error"].function, METRICS["neg_root_mean_squared_error"].function
    assert slopes[np.argmax([mae(y, slope * x) for slope in slopes])] == pytest.approx(2.0)
    assert slopes[np.argmax([rmse(y, slope * x) for slope in slopes])] == pytest.approx(8.7)
    least_squares = 8.68989547038
    assert all(rmse(y, least_squares * x) > rmse(y, (least_squares + step) * x) for step in (-1e-5, 1e-5))


@pytest.mark.covers("cl_accuracy_unbalanced")
def test_accuracy_misleads_on_unbalanced_classes() -> None:
    y = np.array([1] * 50 + [0] * 950)
    prediction = two(np.zeros(1000))
    assert METRICS["accuracy"].function(y, prediction) == pytest.approx(0.95)
    assert (decided(prediction)[y == 1] == 1).mean() == 0.0
    assert METRICS["f1"].function(y, prediction) == 0.0
    assert METRICS["balanced_accuracy"].function(y, prediction) == pytest.approx(0.5)


def test_half_is_not_enough_for_the_positive_class() -> None:
    assert decided(two([0.5, 0.500001])).tolist() == [0, 1]


@pytest.mark.parametrize("name", ["roc_auc", "roc_auc_ovr", "average_precision", "r2"])
def test_what_one_class_or_value_does_not_define_is_nan(name: str) -> None:
    judge = METRICS[name]
    prediction = np.zeros(4) if judge.problem == "regression" else two([0.1, 0.2, 0.3, 0.4])
    y = np.zeros(4) if judge.problem == "regression" else np.zeros(4, dtype=int)
    assert math.isnan(judge.function(y, prediction))
    y[0] = 1
    assert not math.isnan(judge.function(y, prediction))
    assert math.isnan(judge.function(y, prediction, np.array([0.0, 1, 1, 1])))


def test_classes_that_do_not_occur_are_left_out_of_averages() -> None:
    y = np.array([0, 0, 1, 1])
    prediction = np.array([[0.8, 0.1, 0.1], [0.3, 0.3, 0.4], [0.1, 0.9, 0.0], [0.2, 0.7, 0.1]])
    assert METRICS["roc_auc_ovr"].function(y, prediction) == 1.0
    assert METRICS["balanced_accuracy"].function(y, prediction) == pytest.approx((0.5 + 1) / 2)


@pytest.mark.parametrize(
    ("problem", "n_classes", "default", "names"),
    [
        (
            "classification",
            2,
            "roc_auc",
            {"roc_auc", "average_precision", "accuracy", "balanced_accuracy", "f1", "f1_macro", "neg_log_loss",
             "neg_brier_score"},
        ),
        (
            "classification",
            3,
            "roc_auc_ovr",
            {"roc_auc_ovr", "accuracy", "balanced_accuracy", "f1_macro", "neg_log_loss", "neg_brier_score"},
        ),
        ("regression", None, "r2", {"r2", "neg_root_mean_squared_error", "neg_mean_absolute_error"}),
    ],
)  # fmt: skip
def test_metrics_that_fit(problem: Any, n_classes: int | None, default: str, names: set[str]) -> None:
    assert {judge.name for judge in all_metrics(problem, n_classes)} == names
    assert default_metric(problem, n_classes) == default
    assert metric(default, problem, n_classes).name == default


def test_errors_are_shown_positive() -> None:
    shown = {judge.label: judge.sign for judge in METRICS.values() if judge.name.startswith("neg_")}
    assert shown == {"log loss": -1, "Brier score": -1, "RMSE": -1, "MAE": -1}
    assert all(judge.sign == 1 for judge in METRICS.values() if not judge.name.startswith("neg_"))


@pytest.mark.parametrize(
    ("name", "problem", "n_classes", "what", "remedy"),
    [
        ("acuracy", "classification", 2, "unknown metric 'acuracy'", "did you mean 'accuracy'?"),
        ("log_loss", "classification", 3, "unknown metric 'log_loss'", "did you mean 'neg_log_loss'?"),
        ("rmse", "regression", None, "unknown metric 'rmse'", "did you mean 'neg_root_mean_squared_error'?"),
        ("roc_auc", "classification", 3, "'roc_auc' does not fit a classification with 3 classes", "'roc_auc_ovr'"),
        ("accuracy", "regression", None, "'accuracy' does not fit a regression", "choose one of: neg_mean_absolute"),
    ],
)
def test_a_metric_that_cannot_be_used(name: str, problem: Any, n_classes: int | None, what: str, remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        metric(name, problem, n_classes)
    assert caught.value.code == "PEN011"
    assert what in caught.value.what
    assert remedy in caught.value.remedy
    assert caught.value.where == "search.metric"
