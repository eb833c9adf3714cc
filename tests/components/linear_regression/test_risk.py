from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.linear_model import Lasso, QuantileRegressor, Ridge
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.linear_regression.risk import PenalisedRiskRegressor

pytestmark = pytest.mark.usefixtures("one_thread")

LAM = 1.7


def table() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(45, 4))
    return X, X @ [1.0, -2, 0, 0.3] + rng.laplace(size=45)


def weights(loss: str, penalty: str, **given: Any) -> Any:
    given = {"loss": loss, "penalty": penalty, "lam": LAM, "fit_intercept": False, "tol": 1e-10, **given}
    return build("penalised-risk", given, seed=0, problem="regression").fit(*table()).coef_


def test_scikit_learn_agrees() -> None:
    assert len(check_estimator(PenalisedRiskRegressor(), on_skip=None)) > 30


@pytest.mark.covers("linreg-glm-erm")
def test_pairs_of_loss_and_penalty_are_the_library_s_models() -> None:
    X, y = table()
    plain: dict[str, Any] = {"fit_intercept": False}
    assert weights("squared", "l2") == pytest.approx(Ridge(LAM, **plain).fit(X, y).coef_, abs=1e-6)
    lasso = Lasso(LAM / (2 * len(y)), **plain, tol=1e-10)
    assert weights("squared", "l1") == pytest.approx(lasso.fit(X, y).coef_, abs=1e-6)
    median = QuantileRegressor(quantile=0.5, alpha=0, **plain)
    assert weights("absolute", "none") == pytest.approx(median.fit(X, y).coef_, abs=1e-6)


@pytest.mark.covers("linreg-glm-erm")
def test_every_pair_has_the_least_objective() -> None:
    X, y = table()
    rng = np.random.default_rng(1)
    for loss in ("squared", "absolute"):
        for penalty in ("l2", "l1", "none"):
            found = weights(loss, penalty)

            def objective(w: Any, loss: str = loss, penalty: str = penalty) -> float:
                residual = y - X @ w
                total = np.sum(residual**2) if loss == "squared" else np.abs(residual).sum()
                return float(total + LAM * {"l2": np.sum(w**2), "l1": np.abs(w).sum(), "none": 0.0}[penalty])

            nearby = found + rng.normal(scale=[[1e-3], [1e-2], [0.1]] * 40, size=(120, 4))
            assert objective(found) <= min(map(objective, nearby)) + 1e-7, (loss, penalty)


def test_absolute_errors_with_sizes_are_a_linear_programme() -> None:
    X, y = table()
    rows, columns = X.shape
    cost = np.concatenate([np.full(2 * columns, LAM), np.ones(2 * rows)])
    equal = np.hstack([X, -X, np.eye(rows), -np.eye(rows)])
    exact = linprog(cost, A_eq=equal, b_eq=y)
    found = weights("absolute", "l1")
    assert np.abs(y - X @ found).sum() + LAM * np.abs(found).sum() == pytest.approx(exact.fun, abs=1e-6)


def test_an_intercept_is_never_penalised() -> None:
    X, y = table()
    for loss in ("squared", "absolute"):
        for penalty in ("l2", "l1"):
            far = PenalisedRiskRegressor(loss, penalty, 1e6).fit(X, y + 1000)
            assert far.coef_ == pytest.approx(np.zeros(4), abs=1e-3)
            assert far.intercept_ == pytest.approx(1000 + (np.mean(y) if loss == "squared" else np.median(y)), abs=0.3)


@pytest.mark.covers("linreg-glm-erm")
@pytest.mark.parametrize("penalty", ["l2", "l1", "none"])
@pytest.mark.parametrize("constant", [True, False])
def test_absolute_errors_in_any_unit_and_far_from_zero(penalty: str, constant: bool) -> None:
    X, y = (np.round(part * 2**10) / 2**10 for part in table())

    def fitted(X: Any, y: Any, lam: float = 1.0) -> Any:
        return PenalisedRiskRegressor("absolute", penalty, lam, fit_intercept=constant, tol=1e-6).fit(X, y)

    found = fitted(X, y)
    for unit in (1e-8, 1e-6, 1e6, 1e8):
        by_columns = {"l2": unit**2, "l1": unit, "none": 1.0}[penalty]
        assert fitted(X * unit, y, by_columns).coef_ * unit == pytest.approx(found.coef_, abs=1e-4)
        by_target = 1 / unit if penalty == "l2" else 1.0
        assert fitted(X, y * unit, by_target).coef_ / unit == pytest.approx(found.coef_, abs=1e-4)
    if constant:
        for far in (1e3, 1e9):
            there = fitted(X + far, y + far)
            assert there.coef_ == pytest.approx(found.coef_, abs=1e-4)
            assert there.predict(X + far) - far == pytest.approx(found.predict(X), abs=1e-3)


@pytest.mark.parametrize("penalty", ["l1", "none"])
def test_absolute_errors_where_columns_differ_much_in_size(penalty: str) -> None:
    X, y = table()
    best = np.abs(y - PenalisedRiskRegressor("absolute", "none").fit(X, y).predict(X)).sum()
    for sizes in ([1, 1, 1e10, 1], [1, 1e10, 1e5, 1]):
        model = PenalisedRiskRegressor("absolute", penalty, 1e-13).fit(X * sizes, y)
        assert np.abs(y - model.predict(X * sizes)).sum() == pytest.approx(best, rel=1e-2)
    least = PenalisedRiskRegressor("absolute", "l1").fit(X * [1, 1e-60, 1, 1], y)
    assert least.coef_ == pytest.approx(PenalisedRiskRegressor("absolute", "l1").fit(X * [1, 0, 1, 1], y).coef_)


def test_rows_counted_twice_and_not_at_all_where_errors_are_absolute() -> None:
    X, y = table()
    weight = np.arange(len(y)) % 3
    for penalty in ("l2", "l1", "none"):
        weighed = PenalisedRiskRegressor("absolute", penalty, tol=1e-8).fit(X, y, weight)
        repeated = PenalisedRiskRegressor("absolute", penalty, tol=1e-8).fit(
            *(np.repeat(part, weight, 0) for part in (X, y))
        )
        assert weighed.predict(X) == pytest.approx(repeated.predict(X), abs=1e-4)
