from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.linear_classification.bridge import BridgeClassifier

pytestmark = pytest.mark.usefixtures("one_thread")

X = np.array([[1.0], [2.0], [-1.0], [-2.0]])
Y = np.array([1, 1, -1, -1])


def bridge(X: Any, y: Any, **given: Any) -> Any:
    return build("bridge", given, seed=0, problem="classification").fit(X, y)


@pytest.mark.slow
def test_scikit_learn_agrees() -> None:
    assert len(check_estimator(BridgeClassifier(), on_skip=None)) > 30


@pytest.mark.covers("linclf-logistic-lp")
def test_any_power_of_the_weights() -> None:
    for power, weight in ((1.0, 1.587401), (1.5, 1.180369), (2.0, 1.006594), (3.0, 0.882936)):
        found = bridge(X, Y, q=power, lam=0.5, fit_intercept=False)
        assert found.coef_[0, 0] == pytest.approx(weight, abs=1e-5 if power == 1 else 1e-6)
    penalised = bridge(X, Y, q=2.0, lam=0.1, penalise_intercept=True)
    assert [*penalised.coef_[0], *penalised.intercept_] == pytest.approx([1.847201, 0], abs=1e-5)
    # The form C * sum of losses + 1/2 * squares is lam = 1 / (2 C).
    assert bridge(X, Y, q=2.0, lam=0.25, fit_intercept=False).coef_[0, 0] == pytest.approx(
        LogisticRegression(C=2.0, fit_intercept=False, tol=1e-10).fit(X, Y).coef_[0, 0], abs=1e-6
    )


@pytest.mark.covers("linclf-logistic-lp")
@pytest.mark.parametrize("power", [1.1, 1.5, 3.0])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_slope_vanishes_at_the_weights_found(power: float, classes: int) -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(120, 4))
    y = np.digitize(points[:, 0] + 0.5 * rng.normal(size=120), [-0.3, 0.6][: classes - 1])
    found = bridge(points, y, q=power, lam=0.7)
    truth = y[:, None] == (np.arange(3) if classes == 3 else 1)
    pulls = found.predict_proba(points)[:, -found.coef_.shape[0] :] - truth
    weights = found.coef_
    slope = pulls.T @ points + 0.7 * power * np.abs(weights) ** (power - 1) * np.sign(weights)
    settled = np.abs(weights) > 1e-6  # nearer to zero a small power's slope turns within rounding
    assert slope[settled] == pytest.approx(np.zeros(settled.sum()), abs=1e-4)
    assert pulls.sum(axis=0) == pytest.approx(np.zeros(len(weights)), abs=1e-4)


def test_several_classes_and_labels_of_any_type() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(150, 3))
    y = np.array(["low", "mid", "high"])[np.digitize(points[:, 0], [-0.5, 0.5])]
    found = bridge(points, y, q=1.9999999, lam=1.0)
    library = LogisticRegression(C=0.5, tol=1e-10).fit(points, y)
    assert found.classes_.tolist() == ["high", "low", "mid"]
    assert found.predict_proba(points) == pytest.approx(library.predict_proba(points), abs=1e-5)
    assert bridge(points, y == "low").classes_.tolist() == [False, True]
    with pytest.raises(ValueError, match="one class: 'low'"):
        bridge(points[y == "low"], y[y == "low"])


@pytest.mark.covers("linclf-logistic-lp")
@pytest.mark.parametrize("power", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_constant_under_the_penalty_is_the_weight_of_a_column_of_ones(power: float, classes: int) -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(90, 2)) + 2.0
    y = np.digitize(points[:, 0] + 0.5 * rng.normal(size=90), [1.5, 2.5][: classes - 1])
    inside = bridge(points, y, q=power, lam=2.0, penalise_intercept=True)
    ones = bridge(np.column_stack([points, np.ones(90)]), y, q=power, lam=2.0, fit_intercept=False)
    assert np.column_stack([inside.coef_, inside.intercept_]) == pytest.approx(ones.coef_, abs=1e-9)
    free = bridge(points, y, q=power, lam=2.0)
    assert np.abs(free.intercept_).max() > np.abs(inside.intercept_).max()
    none = bridge(points, y, q=power, lam=2.0, fit_intercept=False, penalise_intercept=True)
    assert none.coef_.shape[1] == 2
    assert not none.intercept_.any()


@pytest.mark.covers("linclf-logistic-lp")
@pytest.mark.parametrize("power", [1.0, 1.5, 2.0, 3.0])
def test_units_of_the_columns_only_change_the_penalty(power: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = np.digitize(X @ [1.0, -2.0, 0.5] + rng.normal(size=40), [-1.0, 1.0])
    for labels in (y, y > 0):
        found = bridge(X, labels, q=power, lam=1.0)
        for unit in (1e-30, 1e-6, 1e6, 1e30):
            other = bridge(X * unit, labels, q=power, lam=unit**power)
            assert other.coef_ * unit == pytest.approx(found.coef_, abs=1e-4)
