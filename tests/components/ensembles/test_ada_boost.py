from __future__ import annotations

import numpy as np
import pytest

from penstock.components.catalog import build


def test_three_rounds_by_hand() -> None:
    x = np.arange(10.0)[:, None]
    y = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
    model = build("ada-boost", {"n_estimators": 3}, seed=0, problem="classification").fit(x, y)
    errors, alphas = np.array([0.3, 0.214286, 0.181818]), np.array([0.423649, 0.649641, 0.752039])
    assert model.estimator_errors_ == pytest.approx(errors, abs=1e-6)
    assert model.estimator_weights_ / 2 == pytest.approx(alphas, abs=1e-6)
    assert [np.mean(stage != y) for stage in model.staged_predict(x)][-1] == 0.0

    weights = np.full(10, 0.1)
    for stump, error, alpha in zip(
        model.estimators_, model.estimator_errors_, model.estimator_weights_ / 2, strict=True
    ):
        answer = stump.predict(x)
        assert weights @ (answer != y) == pytest.approx(error)
        weights = weights * np.exp(-alpha * y * answer)
        assert weights.sum() == pytest.approx(2 * np.sqrt(error * (1 - error)))
        weights /= weights.sum()
        assert weights @ (answer != y) == pytest.approx(0.5)
