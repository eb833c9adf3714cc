"""Solvers, bounds, bridges, bases, risks and subsets against scikit-learn's linear models."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import Lasso, LinearRegression, QuantileRegressor, Ridge, lars_path

from benchmarks.estimators.pairs import Pair
from penstock.components.linear_regression.basis import SparseSignalRegressor
from penstock.components.linear_regression.bridge import BridgeRegressor
from penstock.components.linear_regression.constrained import NormConstrainedRegressor
from penstock.components.linear_regression.least_squares import LeastSquaresRegressor
from penstock.components.linear_regression.ridge import RidgeRegressor
from penstock.components.linear_regression.risk import PenalisedRiskRegressor
from penstock.components.linear_regression.subset import SubsetSelector


class _Path(Lasso):  # type: ignore[misc]
    """The whole path of the lasso, which is what a bound on sizes needs."""

    def fit(self, X: Any, y: Any) -> _Path:
        self.coef_ = lars_path(X - X.mean(axis=0), y - y.mean(), method="lasso")[2][:, -1]
        self.intercept_ = y.mean() - X.mean(axis=0) @ self.coef_
        return self


class _Svd(Ridge):  # type: ignore[misc]
    """Ridge by singular values, the library's way for columns that follow from each other."""

    def __init__(self) -> None:
        super().__init__(solver="svd")


def _sparse(rows: int, columns: int) -> tuple[Any, Any]:
    """Five columns matter; all go together a little."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, columns)) + 0.5 * rng.normal(size=(rows, 1))
    return X, X[:, :5] @ [3.0, -2, 2, 1, -1] + rng.normal(size=rows)


def _stepwise(direction: str) -> Any:
    def make() -> SequentialFeatureSelector:
        return SequentialFeatureSelector(
            LinearRegression(), n_features_to_select=5, direction=direction, scoring="neg_mean_squared_error", cv=2
        )

    return make


PAIRS = (
    Pair("linear-regression", LeastSquaresRegressor, LinearRegression, _sparse, rows=20_000),
    Pair("linear-regression, normal", lambda: LeastSquaresRegressor(solver="normal"), LinearRegression, _sparse),
    Pair("linear-regression, qr", lambda: LeastSquaresRegressor(solver="qr"), LinearRegression, _sparse),
    Pair("linear-regression, gd", lambda: LeastSquaresRegressor(solver="gd"), None, _sparse),
    Pair(
        "linear-regression, sgd",
        lambda: LeastSquaresRegressor(solver="sgd", random_state=0),
        lambda: Ridge(0.0, solver="saga", tol=1e-8, max_iter=10_000, random_state=0),
        _sparse,
    ),
    Pair("linear-regression, newton", lambda: LeastSquaresRegressor(solver="newton"), LinearRegression, _sparse),
    Pair("ridge", RidgeRegressor, Ridge, _sparse, rows=20_000),
    Pair("ridge, penalised bias", lambda: RidgeRegressor(penalise_intercept=True), Ridge, _sparse, rows=20_000),
    Pair("norm-constrained, ball", NormConstrainedRegressor, _Svd, _sparse, rows=20_000),
    Pair("norm-constrained, diamond", lambda: NormConstrainedRegressor("l1"), _Path, _sparse, rows=20_000),
    Pair("bridge, q 1", lambda: BridgeRegressor(1.0, 2000.0), lambda: Lasso(0.05, tol=1e-8), _sparse, rows=20_000),
    Pair("bridge, q 0.5", lambda: BridgeRegressor(0.5, 200.0), None, _sparse),
    Pair("bridge, q 1.5", lambda: BridgeRegressor(1.5, 200.0), None, _sparse),
    Pair(
        "sparse-signal",
        lambda: SparseSignalRegressor(alpha=0.05),
        lambda: Lasso(0.05, fit_intercept=False),
        _sparse,
        rows=20_000,
    ),
    Pair("penalised-risk, squared l2", PenalisedRiskRegressor, Ridge, _sparse, rows=20_000),
    Pair(
        "penalised-risk, absolute",
        lambda: PenalisedRiskRegressor("absolute", "none"),
        lambda: QuantileRegressor(alpha=0),
        _sparse,
        rows=500,
    ),
    Pair("subset, forward", SubsetSelector, _stepwise("forward"), _sparse),
    Pair("subset, backward", lambda: SubsetSelector(search="backward"), _stepwise("backward"), _sparse),
    Pair("subset, exact", lambda: SubsetSelector(search="exact"), None, _sparse),
)
