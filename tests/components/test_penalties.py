"""One lambda in every convention gives the same weights; noise and prior decide on loss and penalty."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from penstock.components.catalog import build, entries
from penstock.components.penalties import method_for, penalty_parameters
from penstock.errors import UsageError

Array = np.ndarray[Any, Any]
ROWS, LAMBDA = 30, 1.7
# Weight of the summed loss and of the penalty, as the books print them.
PRINTED: dict[str, tuple[float, float]] = {
    "sum": (1, LAMBDA),
    "mean": (1 / ROWS, LAMBDA),
    "mean-both": (1 / ROWS, LAMBDA / ROWS),
    "half-both": (1 / 2, LAMBDA / 2),
    "half-loss": (1 / 2, LAMBDA),
}


@pytest.fixture(scope="module")
def table() -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, 4))
    return X, X @ np.array([2.0, -1.0, 0.5, 0.0]) + rng.normal(size=ROWS)


def fitted(method: str, convention: str, X: Array, y: Array, problem: str = "regression", **given: Any) -> Any:
    parameters = penalty_parameters(method, LAMBDA, rows=ROWS, convention=convention)  # type: ignore[arg-type]
    return build(method, {**parameters, "fit_intercept": False, **given}, seed=0, problem=problem).fit(X, y)


@pytest.mark.covers("proc_lambda_convention", "met_regularised_objective", "met_gram_objective")
@pytest.mark.parametrize("convention", list(PRINTED))
def test_ridge_lasso_logistic_and_kernel_ridge_minimise_what_is_printed(
    table: tuple[Array, Array], convention: str
) -> None:
    X, y = table
    loss, penalty = PRINTED[convention]

    ridge = fitted("ridge", convention, X, y).coef_
    assert 2 * loss * X.T @ (X @ ridge - y) + 2 * penalty * ridge == pytest.approx(np.zeros(4), abs=1e-6)

    lasso = fitted("lasso", convention, X, y, tol=1e-14).coef_
    slope = 2 * loss * X.T @ (X @ lasso - y)
    kept = lasso != 0
    assert slope[kept] == pytest.approx(-penalty * np.sign(lasso[kept]), abs=1e-6)
    assert (np.abs(slope[~kept]) <= penalty + 1e-6).all()

    signs = np.where(y > 0, 1.0, -1.0)
    logistic = fitted("logistic-regression", convention, X, (y > 0).astype(int), "classification", tol=1e-12).coef_[0]

    def objective(weights: Array) -> float:
        return float(loss * np.log1p(np.exp(-signs * (X @ weights))).sum() + penalty * weights @ weights)

    found = minimize(objective, np.zeros(4), method="BFGS", options={"gtol": 1e-10, "xrtol": 1e-12})
    assert logistic == pytest.approx(found.x, abs=1e-5)
    slope = -loss * X.T @ (signs / (1 + np.exp(signs * (X @ logistic)))) + 2 * penalty * logistic
    assert slope == pytest.approx(np.zeros(4), abs=1e-6)

    kernel = fitted("kernel-ridge", convention, X, y, kernel="linear")
    K = X @ X.T
    dual = kernel.dual_coef_
    assert 2 * loss * K @ (K @ dual - y) + 2 * penalty * K @ dual == pytest.approx(np.zeros(ROWS), abs=1e-6)
    assert kernel.predict(X) == pytest.approx(X @ ridge, abs=1e-6)


@pytest.mark.covers("proc_lambda_convention")
def test_fits_in_four_conventions_coincide_after_conversion(table: tuple[Array, Array]) -> None:
    """The same weights from (1/n) loss + lambda/n, sum + lambda, mean + lambda/n and half + lambda/2."""
    X, y = table
    same = {"sum": LAMBDA, "mean": LAMBDA / ROWS, "mean-both": LAMBDA, "half-both": LAMBDA, "half-loss": LAMBDA / 2}
    for method in ("ridge", "lasso", "kernel-ridge", "logistic-regression"):
        problem = "classification" if method == "logistic-regression" else "regression"
        target = (y > 0).astype(int) if problem == "classification" else y
        plain = {"kernel": "linear"} if method == "kernel-ridge" else {"tol": 1e-12} if method != "ridge" else {}
        answers = []
        for convention, stated in same.items():
            given = penalty_parameters(method, stated, rows=ROWS, convention=convention)  # type: ignore[arg-type]
            model = build(method, {**given, **plain, "fit_intercept": False}, seed=0, problem=problem).fit(X, target)
            answers.append(model.predict_proba(X)[:, 1] if problem == "classification" else model.predict(X))
        for answer in answers[1:]:
            assert answer == pytest.approx(answers[0], abs=1e-6)
    assert penalty_parameters("lasso", 3.0, rows=10) == {"alpha": 3.0 / 20}
    assert penalty_parameters("lasso", 3.0, rows=10, convention="half-loss") == {"alpha": 3.0 / 10}
    assert penalty_parameters("logistic-regression", 3.0, rows=10) == {"C": 1 / 6}
    assert penalty_parameters("kernel-ridge", 3.0, rows=10, convention="mean") == {"alpha": 30.0}
    recorded = {name: entries()[name].objective for name in ("ridge", "lasso", "kernel-ridge", "logistic-regression")}
    assert all(recorded.values())


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        ({"method": "rigde", "penalty": 1.0, "rows": 5}, "did you mean 'ridge'?"),
        ({"method": "ridge", "penalty": 1.0, "rows": 5, "convention": "meen"}, "did you mean 'mean'?"),
        ({"method": "ridge", "penalty": 0.0, "rows": 5}, "give a penalty above 0"),
    ],
)
def test_what_has_no_meaning_is_refused(arguments: dict[str, Any], remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        penalty_parameters(**arguments)
    assert caught.value.code == "PEN314"
    assert remedy in caught.value.remedy


@pytest.mark.covers("proc_regulariser_choice", "cl_map_ridge_lambda")
def test_the_most_probable_weights_are_ridge_with_noise_over_prior_variance() -> None:
    """60 rows, 40 columns, prior variance 1, noise variance 4: of these penalties 4 errs least."""
    penalties = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
    method, stated = method_for("gaussian", "gaussian", spread=4.0, scale=1.0, rows=60)
    assert (method, stated) == ("ridge", {"alpha": 4.0})
    rng = np.random.default_rng(0)
    errors = np.zeros(len(penalties))
    for _ in range(300):
        weights, X = rng.normal(size=40), rng.normal(size=(60, 40))
        y = X @ weights + 2 * rng.normal(size=60)
        left, values, right = np.linalg.svd(X, full_matrices=False)
        for place, penalty in enumerate(penalties):  # ridge by its singular values: 2,400 fits in a moment
            errors[place] += np.sum((right.T @ (values / (values**2 + penalty) * (left.T @ y)) - weights) ** 2)
    model = build("ridge", {**stated, "fit_intercept": False}, seed=0, problem="regression").fit(X, y)
    assert model.coef_ == pytest.approx(right.T @ (values / (values**2 + 4.0) * (left.T @ y)), abs=1e-9)
    assert penalties[errors.argmin()] == stated["alpha"]


@pytest.mark.covers("proc_regulariser_choice")
def test_noise_and_prior_fix_loss_and_penalty(table: tuple[Array, Array]) -> None:
    X, y = table
    method, given = method_for("gaussian", "laplace", spread=4.0, scale=0.2, rows=ROWS)
    weights = (
        build(method, {**given, "fit_intercept": False, "tol": 1e-12}, seed=0, problem="regression").fit(X, y).coef_
    )
    slope = X.T @ (X @ weights - y) / 4.0  # of the squares over twice the noise's variance
    kept = weights != 0
    assert method == "lasso"
    assert kept.any()
    assert not kept.all()
    assert slope[kept] == pytest.approx(-np.sign(weights[kept]) / 0.2, abs=1e-6)
    assert (np.abs(slope[~kept]) <= 1 / 0.2).all()

    assert method_for("bernoulli", "gaussian", spread=0.0, scale=2.5, rows=ROWS) == ("logistic-regression", {"C": 2.5})
    assert method_for("laplace", None, spread=1.0, scale=1.0, rows=ROWS) == ("least-absolute-deviations", {})
    with pytest.raises(UsageError, match="bernoulli noise with no prior") as caught:
        method_for("bernoulli", None, spread=1.0, scale=1.0, rows=ROWS)
    assert caught.value.code == "PEN315"
    assert "weights grow without end" in caught.value.remedy


@pytest.mark.slow
@pytest.mark.covers("proc_regulariser_choice")
def test_logistic_weights_explode_without_a_penalty_and_never_with_one() -> None:
    x, y = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    weight, sizes = 0.0, []
    for step in range(1, 100_001):
        weight += 0.5 * float(np.mean(y * x / (1 + np.exp(y * x * weight))))
        if step in (100, 1_000, 10_000, 100_000):
            sizes.append(weight)
    assert sizes == pytest.approx([3.38, 5.55, 7.83, 10.13], abs=0.011)
    given = penalty_parameters("logistic-regression", 0.1, rows=4)
    model = build("logistic-regression", {**given, "fit_intercept": False}, seed=0, problem="classification")
    assert model.fit(x[:, None], y).coef_[0, 0] == pytest.approx(1.8472, abs=1e-3)
    assert "none" not in entries()["logistic-regression"].space_for("classification")["penalty"]


@pytest.mark.covers("linreg-lad", "ex_robust_vs_least_squares")
def test_absolute_errors_are_hardly_pulled_by_an_outlier() -> None:
    x = np.linspace(0, 1, 21)
    y = 2 * x
    y[-1] = 50
    plain = {"fit_intercept": False}
    lad, squares = (
        build(name, plain, seed=0, problem="regression").fit(x[:, None], y).coef_[0]
        for name in ("least-absolute-deviations", "linear-regression")
    )
    assert lad == pytest.approx(2.0, abs=1e-6)
    assert squares == pytest.approx(8.689895, abs=1e-6)


@pytest.mark.covers("proc_bias_column", "ex_ridge_penalised_bias")
def test_the_intercept_is_free_unless_it_is_a_column() -> None:
    """The courses' column of ones is penalised with the others; the library's own intercept never is."""
    x, y = np.arange(5.0), np.array([10.0, 12, 14, 16, 18])
    free = build("ridge", {"alpha": 1.0}, seed=0, problem="regression").fit(x[:, None], y)
    assert [free.coef_[0], free.intercept_] == pytest.approx([1.81818181818, 10.3636363636], abs=1e-9)
    ones = np.column_stack([x, np.ones(5)])
    penalised = build("ridge", {"alpha": 1.0, "fit_intercept": False}, seed=0, problem="regression").fit(ones, y)
    assert penalised.coef_ == pytest.approx([3.02325581395, 6.62790697674], abs=1e-9)
