"""The estimators that turn probabilities into answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_predict
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.decision.calibrator import ProbabilityCalibrator, cross_fitted
from penstock.components.decision.classifier import DecidingClassifier
from penstock.components.decision.regressor import IntervalRegressor
from penstock.components.evaluation.functions import neg_log_loss
from penstock.components.trust import trusted_types
from penstock.store import dump_estimator, read_estimator

pytestmark = pytest.mark.usefixtures("one_thread")

METHODS = ["sigmoid", "isotonic", "temperature"]


def overconfident(n_classes: int = 2, rows: int = 2000, seed: int = 0) -> tuple[Any, Any]:
    """Outcomes drawn from probabilities, and the same probabilities with their log-odds tripled."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(rows, n_classes))
    honest = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    y = np.array([rng.choice(n_classes, p=row) for row in honest])
    loud = honest**3 / (honest**3).sum(axis=1, keepdims=True)
    return y, loud


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [DecidingClassifier(LogisticRegression()),
     # Any other threshold answers other than the likeliest class, which one of the checks does not allow.
     DecidingClassifier(LogisticRegression(), threshold=0.5),
     IntervalRegressor(Ridge(), half_width=1.0)],
    ids=["classifier", "threshold", "regressor"],
)  # fmt: skip
def test_the_conventions_of_scikit_learn(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("method", METHODS)
def test_a_calibrator_brings_probabilities_back(method: str, n_classes: int) -> None:
    y, loud = overconfident(n_classes)
    new_y, new = overconfident(n_classes, seed=1)
    calibrated = ProbabilityCalibrator(method).fit(loud, y).predict_proba(new)
    assert calibrated.sum(axis=1) == pytest.approx(np.ones(len(new)))
    assert -neg_log_loss(new_y, calibrated) < -0.8 * neg_log_loss(new_y, new)


@pytest.mark.parametrize("method", METHODS)
def test_a_calibrator_does_what_scikit_learn_does_with_the_same_scores(method: str) -> None:
    X, y = make_classification(600, random_state=0)
    model = LogisticRegression().fit(X[:300], y[:300])
    ours = ProbabilityCalibrator(method).fit(model.predict_proba(X[300:]), y[300:])
    theirs = CalibratedClassifierCV(FrozenEstimator(model), method=method).fit(X[300:], y[300:])
    expected = theirs.predict_proba(X)
    found = ours.predict_proba(model.predict_proba(X))
    extreme = np.abs(model.decision_function(X)) > 6  # there scores are held back
    assert found[~extreme] == pytest.approx(expected[~extreme], abs=0.01)


def test_a_weight_is_so_many_copies() -> None:
    y, loud = overconfident(rows=300)
    weight = np.random.default_rng(0).integers(1, 4, 300)
    copies = np.repeat(np.arange(300), weight)
    weighted = ProbabilityCalibrator("temperature").fit(loud, y, weight.astype(float))
    copied = ProbabilityCalibrator("temperature").fit(loud[copies], y[copies])
    assert weighted.predict_proba(loud) == pytest.approx(copied.predict_proba(loud), abs=0.03)


@pytest.mark.parametrize("groups", [None, np.arange(2000) // 4], ids=["rows", "groups"])
def test_cross_fitted_rows_are_corrected_by_others(groups: Any) -> None:
    """In the rows that a step function was fitted to, it looks better than it is."""
    y, loud = overconfident()
    honest = cross_fitted("isotonic", loud, y, groups, None, seed=0)
    flattering = ProbabilityCalibrator("isotonic").fit(loud, y).predict_proba(loud)
    assert neg_log_loss(y, honest) < neg_log_loss(y, flattering)
    assert neg_log_loss(y, honest) > neg_log_loss(y, loud)


def test_fewer_groups_than_parts_are_cross_fitted_too() -> None:
    y, loud = overconfident(rows=300)
    groups = np.arange(300) % 3
    corrected = cross_fitted("sigmoid", loud, y, groups, None, seed=0)
    first = groups == groups[0]
    expected = ProbabilityCalibrator("sigmoid").fit(loud[~first], y[~first]).predict_proba(loud[first])
    assert corrected[first] == pytest.approx(expected)


def test_rows_whose_class_no_other_group_has_are_left_as_they_are() -> None:
    y, loud = overconfident(rows=300)
    groups = np.where(y == 1, 0, 1 + np.arange(300) % 2)
    corrected = cross_fitted("sigmoid", loud, y, groups, None, seed=0)
    assert np.array_equal(corrected[y == 1], loud[y == 1])
    assert not np.allclose(corrected[y == 0], loud[y == 0])


def test_the_positive_class_is_answered_above_the_threshold() -> None:
    X, y = make_classification(200, random_state=1)
    for threshold in (0.2, 0.5, 0.9):
        model = DecidingClassifier(LogisticRegression(), threshold=threshold).fit(X, y)
        assert np.array_equal(model.predict(X), (model.predict_proba(X)[:, 1] > threshold).astype(int))
    plain = LogisticRegression().fit(X, y)
    assert np.array_equal(DecidingClassifier(LogisticRegression()).fit(X, y).predict(X), plain.predict(X))


def test_the_answer_of_least_expected_cost() -> None:
    model = DecidingClassifier(LogisticRegression(), costs=[[0, 1, 1], [10, 0, 1], [1, 1, 0]])
    probabilities = np.array([[0.6, 0.15, 0.25], [0.6, 0.01, 0.39], [0.1, 0.8, 0.1]])
    assert model.decide(probabilities).tolist() == [2, 0, 1]
    halves = DecidingClassifier(LogisticRegression(), costs=[[0, 1], [4, 0]])
    assert halves.decide(np.array([[0.81, 0.19], [0.79, 0.21]])).tolist() == [0, 1]


def test_a_threshold_is_for_two_classes() -> None:
    X, y = make_classification(90, n_classes=3, n_informative=4, random_state=0)
    with pytest.raises(ValueError, match="decides between two classes, and y has 3"):
        DecidingClassifier(LogisticRegression(), threshold=0.3).fit(X, y)


def test_a_set_is_never_empty() -> None:
    model = DecidingClassifier(LogisticRegression(), nonconformity=0.3)
    sets = model.sets(np.array([[0.8, 0.1, 0.1], [0.4, 0.35, 0.25]]))
    assert sets.tolist() == [[True, False, False], [True, False, False]]
    assert not hasattr(DecidingClassifier(LogisticRegression()), "sets")


@pytest.mark.parametrize("method", METHODS)
def test_a_rule_is_saved_before_and_after_its_model_is_fitted(tmp_path: Path, method: str) -> None:
    X, y = make_classification(200, random_state=2)
    unseen = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")
    rule = DecidingClassifier(None, calibrator=ProbabilityCalibrator(method).fit(unseen, y), threshold=0.4)
    path = tmp_path / "rule.skops"
    path.write_bytes(dump_estimator(rule))
    fitted = read_estimator(path, trusted_types()).set_params(estimator=LogisticRegression()).fit(X, y)
    path.write_bytes(dump_estimator(fitted))
    loaded = read_estimator(path, trusted_types())
    assert np.array_equal(loaded.predict_proba(X), fitted.predict_proba(X))
    assert np.array_equal(loaded.predict(X), fitted.predict(X))


def test_an_interval_regression_predicts_as_its_model() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2))
    y = X @ [1.0, 2.0]
    model = IntervalRegressor(Ridge(), half_width=0.5).fit(X, y)
    assert np.array_equal(model.predict(X), Ridge().fit(X, y).predict(X))
    low, high = model.intervals(model.predict(X)).T
    assert high - low == pytest.approx(np.ones(50))
    assert (low + high) / 2 == pytest.approx(model.predict(X))
