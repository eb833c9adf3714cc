from __future__ import annotations

import numpy as np
import pytest

from penstock.components.catalog import build


@pytest.mark.covers("linreg-ridge")
def test_both_conventions_of_the_bias() -> None:
    x = np.arange(5.0)[:, None]
    y = 10 + 2 * x[:, 0]
    free = build("ridge", {"alpha": 1.0}, seed=0, problem="regression").fit(x, y)
    assert (*free.coef_, free.intercept_) == pytest.approx((1.81818182, 10.36363636), abs=1e-8)
    with_ones = np.column_stack([x, np.ones(5)])
    penalised = build("ridge", {"alpha": 1.0, "fit_intercept": False}, seed=0, problem="regression").fit(with_ones, y)
    assert penalised.coef_ == pytest.approx((3.02325581, 6.62790698), abs=1e-8)


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
