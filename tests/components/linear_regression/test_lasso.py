from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.catalog import build

Array = np.ndarray[Any, Any]


def orthonormal(weights: list[float], rows: int = 6) -> tuple[Array, Array]:
    """Columns at right angles and of length one, and a target whose least squares are these weights."""
    X, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(rows, len(weights))))
    return X, X @ np.array(weights)


def weights(name: str, X: Array, y: Array, **given: Any) -> Array:
    given = {"fit_intercept": False, "tol": 1e-12, **given}
    return np.asarray(build(name, given, seed=0, problem="regression").fit(X, y).coef_)


@pytest.mark.covers("linreg-lasso", "ex_orthonormal_ridge_lasso")
def test_the_soft_threshold_in_both_scalings() -> None:
    X, y = orthonormal([3.0, -0.4])
    for alpha, shrunk in ((1 / 6, 2.0), (1 / 12, 2.5)):
        found = weights("lasso", X, y, alpha=alpha)
        assert found[0] == pytest.approx(shrunk, abs=1e-9)
        assert found[1] == 0.0
    X, y = orthonormal([3.0, -0.5, 1.2])
    assert weights("lasso", X, y, alpha=1 / 6) == pytest.approx([2.0, 0.0, 0.2], abs=1e-9)
    ridge = build("ridge", {"alpha": 1.0, "fit_intercept": False}, seed=0, problem="regression").fit(X, y)
    assert ridge.coef_ == pytest.approx([1.5, -0.25, 0.6], abs=1e-9)


@pytest.mark.covers("cl_l1_zeros_l2_none")
def test_lasso_sets_weights_to_zero_and_ridge_does_not() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 20))
    y = X @ np.array([2.0, -1.5, 1.0, 3.0, -2.0] + [0.0] * 15) + rng.normal(size=100)
    assert np.sum(weights("lasso", X, y, alpha=0.2) == 0) >= 12
    assert np.sum(build("ridge", {"alpha": 20.0}, seed=0, problem="regression").fit(X, y).coef_ == 0) == 0


@pytest.mark.covers("linreg-elastic-net", "met_regularised_objective")
def test_the_elastic_net_lies_between() -> None:
    X, y = orthonormal([3.0, -0.2])

    def net(penalty: float, share: float) -> Array:
        alpha, ratio = penalty * (2 - share) / (2 * len(X)), share / (2 - share)
        return weights("elastic-net", X, y, alpha=alpha, l1_ratio=ratio)

    found = net(1.0, 0.5)
    assert found[0] == pytest.approx(1.833333, abs=1e-6)
    assert found[1] == 0.0
    assert net(1.0, 1.0) == pytest.approx(weights("lasso", X, y, alpha=1 / 12), abs=1e-9)
    ridge = build("ridge", {"alpha": 1.0, "fit_intercept": False}, seed=0, problem="regression").fit(X, y)
    assert net(1.0, 1e-6) == pytest.approx(ridge.coef_, abs=1e-5)


@pytest.mark.covers("linreg-lars-path")
def test_the_whole_path_by_its_knots() -> None:
    X, y = orthonormal([3.0, 1.0])
    model = build("lasso-lars", {"alpha": 0.0, "fit_intercept": False}, seed=0, problem="regression").fit(X, y)
    assert len(X) * model.alphas_ == pytest.approx([3, 1, 0], abs=1e-9)
    assert model.coef_path_[0] == pytest.approx([0, 2, 3], abs=1e-9)
    assert model.coef_path_[1] == pytest.approx([0, 0, 1], abs=1e-9)

    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6)) @ rng.normal(size=(6, 6))
    y = rng.normal(size=40)
    for alpha in (0.01, 0.1, 0.5):
        assert weights("lasso", X, y, alpha=alpha, max_iter=100_000) == pytest.approx(
            build("lasso-lars", {"alpha": alpha, "fit_intercept": False}, seed=0, problem="regression").fit(X, y).coef_,
            abs=1e-6,
        )
    # Columns come in the order of their correlation with what is left.
    first = build("lasso-lars", {"alpha": 0.0, "fit_intercept": False}, seed=0, problem="regression").fit(X, y)
    assert np.flatnonzero(first.coef_path_[:, 1]).tolist() == [np.abs(X.T @ y).argmax()]


@pytest.mark.covers("linreg-elastic-net")
def test_an_elastic_net_without_sizes_is_ridge() -> None:
    X = np.linalg.qr(np.random.default_rng(0).normal(size=(6, 2)))[0]
    given = {"alpha": 2 / 12, "l1_ratio": 0.0, "fit_intercept": False}
    found = build("elastic-net", given, seed=0, problem="regression").fit(X, X @ [3, -0.2])
    assert found.coef_ == pytest.approx([1.5, -0.1], abs=1e-6)
