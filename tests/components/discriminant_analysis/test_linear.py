from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.components.catalog import build


def lda(**given: Any) -> Any:
    return build("linear-discriminant-analysis", given, seed=0, problem="classification")


@pytest.mark.covers("da-lda", "ex_lda_boundary", "met_nb_estimates")
def test_the_straight_border_between_two_classes() -> None:
    cross = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    X = np.vstack([cross, cross + np.array([2.0, 0.0])])
    y = np.repeat([0, 1], 4)
    model = lda().fit(X, y)
    assert model.covariance_ == pytest.approx(0.5 * np.eye(2), abs=1e-9)
    assert (*model.coef_[0], *model.intercept_) == pytest.approx((4.0, 0.0, -4.0), abs=1e-9)
    assert -model.intercept_[0] / model.coef_[0, 0] == pytest.approx(1.0, abs=1e-9)
    unequal = lda(priors=[0.75, 0.25]).fit(X, y)
    assert -unequal.intercept_[0] / unequal.coef_[0, 0] == pytest.approx(1.274653, abs=1e-6)

    X = np.array([[0, 0], [1, 1], [2, 0], [4, 3], [5, 5], [6, 3]], dtype=float)
    model = lda().fit(X, np.repeat([0, 1], 3))
    assert (*model.coef_[0], *model.intercept_) == pytest.approx((6.0, 6.0, -30.0), abs=1e-8)


def test_columns_that_say_the_same_do_no_harm() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int)
    twice = lda().fit(np.hstack([X, X]), y)
    assert np.allclose(twice.predict_proba(np.hstack([X, X])), lda().fit(X, y).predict_proba(X), atol=1e-6)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.floats(1e-4, 1e4), st.floats(-100, 100))
def test_units_mixtures_and_the_order_of_rows_do_not_matter(seed: int, unit: float, shift: float) -> None:
    """Its distances are those of the pooled covariance, which follows any mixture of the columns."""
    rng = np.random.default_rng(seed)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 3)) + y[:, None] * [1.0, 0.5, 0.0]
    said = lda().fit(X, y).predict_proba(X)
    mixed = X @ (np.linalg.qr(rng.normal(size=(3, 3)))[0] * [1.0, unit, 2.0]) + shift
    assert lda().fit(mixed, y).predict_proba(mixed) == pytest.approx(said, abs=1e-5)
    order = rng.permutation(60)
    assert lda().fit(X[order], y[order]).predict_proba(X) == pytest.approx(said, abs=1e-9)
