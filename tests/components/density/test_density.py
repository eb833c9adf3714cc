from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.density.kernel import KernelDensityEstimate
from penstock.components.density.mixture import MixtureDensity

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [MixtureDensity(), KernelDensityEstimate()], ids=["mixture", "kernel"])
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 20


@pytest.mark.parametrize(
    ("name", "given"), [("gaussian-mixture-density", {"components": 1}), ("kernel-density", {"bandwidth": 0.3})]
)
def test_the_density_of_a_normal_and_its_rare_rows(name: str, given: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(1000, 2)), rng.normal(size=(2000, 2))
    model = build(name, {**given, "rare": 0.05}, seed=0, problem="density").fit(X)
    truth = -np.log(2 * np.pi) - (new**2).sum(axis=1) / 2
    assert model.score_samples(new).mean() == pytest.approx(truth.mean(), abs=0.06)
    assert model.is_outlier(new).mean() == pytest.approx(0.05, abs=0.02)
    assert model.is_outlier(np.array([[9.0, 9.0], [0.0, 0.0]])).tolist() == [True, False]
    assert not hasattr(build(name, {**given, "rare": None}, seed=0, problem="density").fit(X[:50]), "threshold_")
    assert np.isfinite(build(name, given, seed=0, problem="density").fit(X[:4]).threshold_)  # too few to leave any out
