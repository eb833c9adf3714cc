from __future__ import annotations

import numpy as np
import pytest

from penstock.components.catalog import build, check_parameters, find
from penstock.components.optimisation.descent import gradient_descent
from penstock.components.optimisation.risk import Risk
from penstock.components.optimisation.trace import Stop
from penstock.components.teaching.solvers.newton import newton
from penstock.components.teaching.solvers.sequential import sequential_least_squares


@pytest.mark.covers("linreg-ols")
@pytest.mark.parametrize("solver", ["lstsq", "normal", "qr", "gd", "sgd", "newton"])
def test_least_squares_by_every_road(solver: str) -> None:
    x = np.array([0.0, 1.0, 2.0])
    y = np.array([1.0, 2.0, 4.0])
    given = {"solver": solver, "tol": 1e-12}
    check_parameters(find("linear-regression"), given)
    model = build("linear-regression", given, seed=0, problem="regression").fit(x[:, None], y)
    assert (model.coef_[0], model.intercept_) == pytest.approx((1.5, 0.833333), abs=1e-6)

    X = np.column_stack([x, np.ones(3)])
    found = np.array([model.coef_[0], model.intercept_])
    assert np.abs(X.T @ (y - X @ found)).max() < 1e-10
    risk, start, near = Risk(X, y), np.zeros(2), Stop(step=None, gradient=1e-8)
    ways = {
        "normal equations": np.linalg.solve(X.T @ X, X.T @ y),
        "QR": sequential_least_squares(X, y).weights,
        "gradient descent": gradient_descent(risk.value, risk.slope, start, rate=1 / risk.steepest(), stop=near).end,
        "Newton": newton(risk.value, risk.slope, risk.curvature, start).end,
    }
    for way, other in ways.items():
        assert found == pytest.approx(other, abs=1e-6), way


@pytest.mark.covers("linreg-ols", "ex_simple_regression_closed_form")
def test_one_column_has_a_closed_form() -> None:
    """The system's first entry is the sum of squares: printed as a plain sum, it gives another line."""
    x, y = np.array([1.0, 2, 3, 4]), np.array([2.0, 3, 5, 4])
    model = build("linear-regression", {}, seed=0, problem="regression").fit(x[:, None], y)
    slope = np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2)
    assert (model.coef_[0], model.intercept_) == pytest.approx((0.8, 1.5), abs=1e-9)
    assert (slope, y.mean() - slope * x.mean()) == pytest.approx((0.8, 1.5), abs=1e-9)
    system = np.array([[np.sum(x**2), x.sum()], [x.sum(), 4.0]])
    assert np.linalg.solve(system, [x @ y, y.sum()]) == pytest.approx([0.8, 1.5], abs=1e-9)


@pytest.mark.covers("linreg-min-norm", "ex_pseudo_inverse")
def test_least_squares_of_every_direction_are_the_pseudo_inverse() -> None:
    X = np.array([[1.0, 0], [1, 1], [1, 2]])
    given = {"fit_intercept": False}
    inverse = build("linear-regression", given, seed=0, problem="regression").fit(X, np.eye(3)).coef_.T
    assert inverse == pytest.approx(np.array([[5 / 6, 1 / 3, -1 / 6], [-0.5, 0.0, 0.5]]), abs=1e-12)
    assert inverse @ X == pytest.approx(np.eye(2), abs=1e-12)
    assert X @ inverse @ X == pytest.approx(X, abs=1e-12)
    assert inverse @ X @ inverse == pytest.approx(inverse, abs=1e-12)
    onto = X @ inverse
    assert onto - onto.T == pytest.approx(np.zeros((3, 3)), abs=1e-12)


@pytest.mark.covers("linreg-min-norm")
def test_of_many_solutions_the_shortest() -> None:
    X = np.array([[1.0, 2.0]])
    plain = {"fit_intercept": False}
    found = build("linear-regression", plain, seed=0, problem="regression").fit(X, [5.0]).coef_
    assert found == pytest.approx([1.0, 2.0], abs=1e-12)
    inverse = build("linear-regression", plain, seed=0, problem="regression").fit(X, [[1.0]]).coef_.T
    assert inverse == pytest.approx(np.array([[0.2], [0.4]]), abs=1e-12)
    assert inverse @ X @ inverse == pytest.approx(inverse, abs=1e-12)
    assert X @ inverse @ X == pytest.approx(X, abs=1e-12)
    ridge = build("ridge", {"alpha": 1e-9, **plain}, seed=0, problem="regression").fit(X, [5.0]).coef_
    assert ridge == pytest.approx(found, abs=1e-8)
