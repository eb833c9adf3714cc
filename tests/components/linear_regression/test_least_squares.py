"""Every solver of least squares ends at the same weights, or says that it did not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.linear_regression.least_squares import LeastSquaresRegressor

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
SOLVERS = ("lstsq", "normal", "qr", "gd", "sgd", "newton")
EVERY = pytest.mark.parametrize("solver", SOLVERS)


def least_squares(solver: str, **given: Any) -> LeastSquaresRegressor:
    return LeastSquaresRegressor(solver=solver, tol=1e-10, random_state=0, **given)


def units(rows: int = 200, columns: int = 5) -> tuple[Array, Array]:
    """Columns of very different sizes, far from zero."""
    rng = np.random.default_rng(0)
    sizes = np.logspace(-4, 4, columns)
    X = sizes * (rng.normal(size=(rows, columns)) + 3)
    return X, X @ (rng.normal(size=columns) / sizes) + rng.normal(size=rows) + 40


@pytest.mark.slow
@EVERY
def test_scikit_learn_agrees(solver: str) -> None:
    assert len(check_estimator(least_squares(solver), on_skip=None)) > 30


@pytest.mark.covers("linreg-ols")
@pytest.mark.parametrize("solver", ["lstsq", "qr"])
def test_a_tiny_column_is_not_taken_for_nothing(solver: str) -> None:
    rng = np.random.default_rng(0)
    for size in (1e-8, 1e8):
        X = rng.normal(size=(50, 2)) * [1.0, size]
        found = LeastSquaresRegressor(solver=solver).fit(X, X[:, 0] + X[:, 1] / size)
        assert found.coef_ * [1.0, size] == pytest.approx([1.0, 1.0], rel=1e-12)


@pytest.mark.covers("linreg-ols", "linreg-polynomial")
@pytest.mark.parametrize("solver", ["lstsq", "qr"])
def test_a_polynomial_through_every_point(solver: str) -> None:
    x = np.linspace(0, 1, 14)  # of more, rounding of the weights alone may cost so much
    X, y = x[:, None] ** np.arange(1, 14), np.sin(7 * x) + np.random.default_rng(0).normal(size=14)
    found = LeastSquaresRegressor(solver=solver).fit(X, y)
    assert np.mean((found.predict(X) - y) ** 2) < 1e-10


@pytest.mark.covers("linreg-ols")
@EVERY
@pytest.mark.parametrize("constant", [True, False])
def test_units_of_the_columns_do_not_matter(solver: str, constant: bool) -> None:
    X, y = units()
    weight = np.random.default_rng(1).integers(0, 3, len(y))
    found = least_squares(solver, fit_intercept=constant).fit(X, y, weight)
    rows = np.column_stack([X, np.full(len(y), float(constant))])
    sizes = np.abs(rows).max(axis=0) + (0 if constant else np.append(np.zeros(5), 1))
    root = np.sqrt(weight)
    exact = np.linalg.lstsq(root[:, None] * rows / sizes, root * y, rcond=None)[0] / sizes
    assert found.coef_ == pytest.approx(exact[:-1], rel=1e-6)
    assert found.intercept_ == pytest.approx(exact[-1], rel=1e-6)


@pytest.mark.covers("linreg-ols", "linreg-min-norm")
@EVERY
def test_where_rows_settle_nothing_the_shortest_weights(solver: str) -> None:
    rng = np.random.default_rng(0)
    wide, few = rng.normal(size=(8, 20)) * rng.uniform(0.1, 10, 20), rng.normal(size=8)
    twice = np.column_stack([wide.T[:, 0], 10 * wide.T[:, 0], wide.T[:, 1], np.ones(20)])
    for X, y in ((wide, few), (twice, wide.T[:, 2]), (np.ones((4, 2)), few[:4]), (wide[:1], few[:1])):
        found, library = least_squares(solver).fit(X, y), LinearRegression().fit(X, y)
        assert found.coef_ == pytest.approx(library.coef_, abs=1e-7)
        assert found.intercept_ == pytest.approx(library.intercept_, abs=1e-7)


@pytest.mark.covers("linreg-ols", "linreg-min-norm")
@EVERY
@pytest.mark.parametrize("level", [0.1, 7e5 + 0.3, 1e9 + 0.1])
def test_a_constant_whose_mean_is_rounded_has_no_weight(solver: str, level: float) -> None:
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(30, 2)), rng.integers(0, 3, 30)
    y = X @ [1.0, -2.0] + 5 + 0.1 * rng.normal(size=30)
    beside = np.column_stack([X, np.full(30, level)])
    beside[weight == 0, 2] = 1.0  # of rows that do not count
    found = least_squares(solver).fit(beside, y, weight)
    assert found.coef_[2] == 0.0
    assert found.coef_[:2] == pytest.approx(LinearRegression().fit(X, y, weight).coef_, rel=1e-6)


@EVERY
def test_several_targets_at_once(solver: str) -> None:
    X, y = units()
    both = np.column_stack([y, X[:, 1] ** 2])
    found = least_squares(solver).fit(X, both)
    assert found.coef_.shape == (2, 5)
    for place in range(2):
        one = least_squares(solver).fit(X, both[:, place])
        assert found.predict(X)[:, place] == pytest.approx(one.predict(X), rel=1e-7)
        assert isinstance(one.intercept_, float)


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["gd", "sgd"])
def test_steps_that_do_not_suffice_are_told(solver: str) -> None:
    rng = np.random.default_rng(0)
    alike = rng.normal(size=(60, 1)) + 0.01 * rng.normal(size=(60, 4))
    y = alike.sum(axis=1) + rng.normal(size=60)
    with pytest.warns(ConvergenceWarning, match=f"{solver} did not converge.*raise max_iter"):
        LeastSquaresRegressor(solver=solver, max_iter=50, random_state=0).fit(alike, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        patient = LeastSquaresRegressor(solver=solver, max_iter=500_000, random_state=0).fit(alike, y)
    assert patient.coef_ == pytest.approx(LinearRegression().fit(alike, y).coef_, abs=0.05)
    assert patient.n_iter_ > 50


def test_weights_of_one_sign_are_for_one_solver() -> None:
    X, y = units()
    assert (LeastSquaresRegressor(positive=True).fit(X, -y).coef_ >= 0).all()
    with pytest.raises(ValueError, match="positive=True is for solver='lstsq', not 'qr'"):
        LeastSquaresRegressor(positive=True, solver="qr").fit(X, y)
