from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from penstock.components import catalog


@pytest.mark.covers("proc_evidence_maximisation")
def test_the_penalty_is_that_of_greatest_evidence() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 8))
    y = X @ rng.normal(scale=0.5, size=8) + rng.normal(size=60)
    model = catalog.build("bayesian-ridge", {"compute_score": True, "tol": 1e-8}, seed=0, problem="regression")
    model.fit(X, y)
    assert np.diff(model.scores_).min() >= -1e-9
    penalty = model.lambda_ / model.alpha_
    assert model.coef_ == pytest.approx(Ridge(alpha=penalty).fit(X, y).coef_, abs=1e-6)

    def log_evidence(noise: float, prior: float) -> float:
        """Of the centred rows, with weights drawn from a Gaussian."""
        centred, outcome = X - X.mean(axis=0), y - y.mean()
        covariance = noise * np.eye(60) + prior * centred @ centred.T
        return float(-0.5 * (np.linalg.slogdet(covariance)[1] + outcome @ np.linalg.solve(covariance, outcome)))

    noise, prior = 1 / model.alpha_, 1 / model.lambda_
    best = log_evidence(noise, prior)
    for factor in (0.8, 1.25):
        assert log_evidence(noise * factor, prior) < best
        assert log_evidence(noise, prior * factor) < best
