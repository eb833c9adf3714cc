from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.fft import idct
from sklearn.linear_model import Ridge
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.linear_regression.basis import SparseSignalRegressor

pytestmark = pytest.mark.usefixtures("one_thread")


def measured(seed: int, waves: bool) -> tuple[Any, Any, Any]:
    """A signal of 200 places that 8 weights make up, and 80 measurements of it."""
    rng = np.random.default_rng(seed)
    weights = np.zeros(200)
    places = rng.choice(200, 8, replace=False)
    weights[places] = rng.normal(size=8)
    signal = idct(np.eye(200), axis=0, norm="ortho") @ weights if waves else weights
    F = rng.normal(size=(80, 200)) / np.sqrt(80)
    return F, F @ signal, signal


def away(found: Any, signal: Any) -> float:
    return float(np.linalg.norm(found - signal) / np.linalg.norm(signal))


def test_scikit_learn_agrees() -> None:
    assert len(check_estimator(SparseSignalRegressor(), on_skip=None)) > 30


@pytest.mark.covers("linreg-compressed-sensing", "proc_compressed_sensing_flow")
def test_eight_waves_are_found_from_fewer_measurements_than_places() -> None:
    F, y, signal = measured(0, waves=True)
    model = build("sparse-signal", {"alpha": 1e-4}, seed=0, problem="regression").fit(F, y)
    ridge = Ridge(1.0, fit_intercept=False).fit(F, y)
    assert away(model.coef_, signal) == pytest.approx(0.006, abs=0.001)
    assert np.sum(np.abs(model.sparse_coef_) > 1e-3) == 8
    assert away(ridge.coef_, signal) == pytest.approx(0.78, abs=0.02)
    assert model.coef_ == pytest.approx(idct(model.sparse_coef_, norm="ortho"))


@pytest.mark.covers("proc_compressed_sensing_flow", "cl_compressed_sensing")
def test_the_shortest_solution_does_not_find_it() -> None:
    F, y, signal = measured(1, waves=False)
    places = {"alpha": 1e-4, "basis": "places"}
    model = build("sparse-signal", places, seed=0, problem="regression").fit(F, y)
    shortest = build("linear-regression", {"fit_intercept": False}, seed=0, problem="regression").fit(F, y)
    assert away(model.coef_, signal) < 0.05
    assert away(shortest.coef_, signal) > 0.5
