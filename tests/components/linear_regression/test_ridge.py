from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build, check_parameters, find
from penstock.components.linear_regression.ridge import RidgeRegressor


@pytest.mark.slow
@pytest.mark.parametrize("penalised", [True, False])
def test_scikit_learn_agrees(penalised: bool) -> None:
    assert len(check_estimator(RidgeRegressor(penalise_intercept=penalised), on_skip=None)) > 30


@pytest.mark.covers("linreg-ridge")
def test_a_constant_under_the_penalty_is_the_weight_of_a_column_of_ones() -> None:
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(30, 3)) + 2, rng.integers(0, 3, 30)
    ones = np.column_stack([X, np.ones(30)])
    for y in (X @ [1.0, 2.0, 3.0] + 5, rng.normal(size=(30, 2)) + 5):
        inside = RidgeRegressor(2.0, penalise_intercept=True).fit(X, y, weight)
        library = Ridge(2.0, fit_intercept=False).fit(ones, y, weight)
        assert inside.predict(X) == pytest.approx(library.predict(ones), abs=1e-12)
        free, theirs = RidgeRegressor(2.0).fit(X, y, weight), Ridge(2.0).fit(X, y, weight)
        assert (free.predict(X) == theirs.predict(X)).all()
    without = RidgeRegressor(2.0, fit_intercept=False, penalise_intercept=True).fit(X, y)
    assert without.intercept_ == 0.0


@pytest.mark.covers("linreg-ridge", "ex_ridge_penalised_bias")
def test_both_conventions_of_the_bias() -> None:
    x = np.arange(5.0)[:, None]
    y = 10 + 2 * x[:, 0]
    free = build("ridge", {"alpha": 1.0}, seed=0, problem="regression").fit(x, y)
    assert (*free.coef_, free.intercept_) == pytest.approx((1.81818182, 10.36363636), abs=1e-8)
    given = {"alpha": 1.0, "penalise_intercept": True}
    check_parameters(find("ridge"), given)
    penalised = build("ridge", given, seed=0, problem="regression").fit(x, y)
    assert (*penalised.coef_, penalised.intercept_) == pytest.approx((3.02325581, 6.62790698), abs=1e-8)


@pytest.mark.covers("linreg-map-gaussian")
def test_the_penalty_is_the_ratio_of_noise_to_prior_variance() -> None:
    noise, prior = 4.0, 0.5
    penalties = np.array([2.0, 4.0, 8.0, 16.0, 32.0])
    errors = np.zeros(len(penalties))
    rng = np.random.default_rng(0)
    for _ in range(60):
        weights = rng.normal(scale=np.sqrt(prior), size=10)
        X = rng.normal(size=(30, 10))
        y = X @ weights + rng.normal(scale=np.sqrt(noise), size=30)
        for place, penalty in enumerate(penalties):
            given = {"alpha": float(penalty), "fit_intercept": False}
            model = build("ridge", given, seed=0, problem="regression").fit(X, y)
            errors[place] += np.sum((model.coef_ - weights) ** 2)  # the test error on standard normal rows
            if penalty == noise / prior:
                mean = np.linalg.solve(X.T @ X / noise + np.eye(10) / prior, X.T @ y / noise)
                assert model.coef_ == pytest.approx(mean, abs=1e-12)
    assert penalties[errors.argmin()] == noise / prior
