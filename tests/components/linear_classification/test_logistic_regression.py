from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, softmax

from penstock.components.catalog import build


def test_the_maximum_of_the_likelihood() -> None:
    x = np.repeat([0.0, 1.0], 4)[:, None]
    y = np.array([1, 0, 0, 0, 1, 1, 1, 0])
    given = {"C": np.inf, "tol": 1e-10}
    model = build("logistic-regression", given, seed=0, problem="classification").fit(x, y)
    assert model.intercept_[0] == pytest.approx(-1.098612, abs=1e-5)
    assert model.coef_[0, 0] == pytest.approx(2.197225, abs=1e-5)
    assert model.predict_proba(x)[:, 1] == pytest.approx(np.repeat([0.25, 0.75], 4), abs=1e-5)


def test_on_separable_data_the_penalty_keeps_the_weights_finite() -> None:
    x = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    y = np.array([0, 0, 1, 1])
    weights = [
        build("logistic-regression", {"C": C}, seed=0, problem="classification").fit(x, y).coef_[0, 0]
        for C in (0.01, 1.0, 100.0)
    ]
    assert weights == sorted(weights)
    assert weights[1] == pytest.approx(1.006594, abs=1e-4)


@pytest.mark.covers("linclf-softmax")
def test_softmax_over_one_weight_vector_per_class() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=150), [-0.5, 0.5])
    model = build("logistic-regression", {}, seed=0, problem="classification").fit(X, y)
    scores = X @ model.coef_.T + model.intercept_
    shares = model.predict_proba(X)
    assert model.coef_.shape == (3, 3)
    assert np.allclose(shares.sum(axis=1), 1.0, atol=1e-12)
    assert np.allclose(shares, softmax(scores, axis=1), atol=1e-12)
    moved = X @ (model.coef_ + rng.normal(size=3)).T + model.intercept_
    assert np.allclose(shares, softmax(moved, axis=1), atol=1e-12)
    assert np.array_equal(model.predict(X), shares.argmax(axis=1))

    two = build("logistic-regression", {}, seed=0, problem="classification").fit(X, (y > 0).astype(int))
    halves = np.column_stack([-two.decision_function(X) / 2, two.decision_function(X) / 2])
    assert np.allclose(softmax(halves, axis=1)[:, 1], expit(two.decision_function(X)), atol=1e-12)
    assert np.allclose(two.predict_proba(X), softmax(halves, axis=1), atol=1e-12)
