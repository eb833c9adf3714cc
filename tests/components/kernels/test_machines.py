"""Kernel machines with any loss, and the perceptron in the space of a kernel."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.kernels.machine import KernelMachineClassifier, KernelMachineRegressor
from penstock.components.kernels.perceptron import CalibratedKernelPerceptron, KernelPerceptron

pytestmark = pytest.mark.usefixtures("one_thread")

XOR = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])


def machine(problem: str, **given: Any) -> Any:
    return build("kernel-machine", given, seed=0, problem=problem)


def rows(classes: bool = True) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    amount = X[:, 0] - X[:, 1] ** 2 + 0.3 * rng.normal(size=50)
    return X, np.where(amount > -0.5, 1, -1) if classes else amount


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        *(KernelMachineClassifier(loss=loss) for loss in ("logistic", "square", "hinge")),
        *(KernelMachineRegressor(loss=loss) for loss in ("square", "huber", "absolute")),
        KernelPerceptron(),
    ],
    ids=lambda estimator: f"{type(estimator).__name__}-{getattr(estimator, 'loss', '')}",
)
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.slow
def test_scikit_learn_agrees_with_the_calibrated_perceptron() -> None:
    assert len(check_estimator(CalibratedKernelPerceptron(), on_skip=None)) > 30


@pytest.mark.covers("kernel-erm")
def test_logistic_and_square_losses_are_known_methods() -> None:
    X, y = rows()
    logistic = machine("classification", kernel="linear", loss="logistic", penalty=0.1).fit(X, y)
    known = LogisticRegression(C=5, fit_intercept=False, tol=1e-10, max_iter=1000).fit(X, y)
    assert X.T @ logistic.row_weights_[:, 0] == pytest.approx(known.coef_[0], abs=1e-6)
    assert logistic.predict_proba(X) == pytest.approx(known.predict_proba(X), abs=1e-6)
    X, y = rows(classes=False)
    square = machine("regression", loss="square", penalty=0.3, gamma=0.5, fit_intercept=False).fit(X, y)
    ridge = KernelRidge(alpha=0.3, kernel="rbf", gamma=0.5).fit(X, y)
    assert square.row_weights_[:, 0] == pytest.approx(ridge.dual_coef_, abs=1e-9)


def _losses(loss: str, y: Any, f: Any) -> Any:
    error = np.abs(y - f)
    return {
        "logistic": np.logaddexp(0, -y * f),
        "hinge": np.maximum(0, 1 - y * f),
        "huber": np.where(error <= 1.345, error**2 / 2, 1.345 * (error - 1.345 / 2)),
        "absolute": error,
    }[loss]


@pytest.mark.slow
@pytest.mark.covers("kernel-erm")
@pytest.mark.parametrize("loss", ["logistic", "hinge", "huber", "absolute"])
def test_no_other_weights_have_a_smaller_objective(loss: str) -> None:
    classes = loss in ("logistic", "hinge")
    X, y = rows(classes)
    given: dict[str, Any] = {"loss": loss, "penalty": 0.2, "gamma": 0.5}
    as_it_is = {} if classes else {"fit_intercept": False}
    model = machine("classification" if classes else "regression", **given, **as_it_is)
    a = model.fit(X, y).row_weights_[:, 0]
    gram = rbf_kernel(X, gamma=0.5)

    def objective(a: Any) -> float:
        return float(_losses(loss, y, gram @ a).sum() + 0.2 * a @ gram @ a)

    rng = np.random.default_rng(1)
    moved = min(objective(a + 1e-3 * rng.normal(size=len(y))) for _ in range(20))
    assert objective(a) < moved
    if loss in ("logistic", "huber"):  # descent on a gets there too where there are no corners
        assert objective(a) == pytest.approx(minimize(objective, np.zeros(len(y)), method="L-BFGS-B").fun, rel=1e-3)


@pytest.mark.covers("kernel-erm")
@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly", "laplacian"])
@pytest.mark.parametrize("penalty", [0.005, 0.5, 50.0])
def test_the_bias_of_libsvm_is_held_at_zero(kernel: str, penalty: float) -> None:
    """Its answer is the optimum of the quadratic programme without a bias, of C = 1 / (2 penalty)."""
    X, y = rows()
    X, y, weights = np.vstack([X, X[:9]]), np.r_[y, -y[:9]], np.r_[np.ones(50), np.full(9, 2.5)]
    model = machine("classification", kernel=kernel, loss="hinge", penalty=penalty, gamma=0.5).fit(X, y, weights)
    gram = pairwise_kernels(X, metric=kernel, **({} if kernel == "linear" else {"gamma": 0.5}))
    C = weights / (2 * penalty)
    bounds = [(0.0, most) for most in C]
    signed = y[:, None] * gram * y
    best = minimize(lambda a: (a @ signed @ a / 2 - a.sum(), signed @ a - 1), C / 2, jac=True, bounds=bounds, tol=1e-14)
    multipliers = y * model.row_weights_[:, 0]
    assert ((multipliers >= 0) & (multipliers <= C)).all()
    scores = model.decision_function(X)
    dual = multipliers.sum() - multipliers @ signed @ multipliers / 2
    primal = C @ np.maximum(0, 1 - y * scores) + model.row_weights_[:, 0] @ scores / 2
    assert primal - dual == pytest.approx(0.0, abs=1e-8 * primal)
    assert dual >= -best.fun - 1e-8 * primal


def test_outliers_pull_squares_and_hardly_the_others() -> None:
    x = np.linspace(0, 6, 60)[:, None]
    truth = np.sin(x[:, 0])
    y = truth.copy()
    y[::10] += 30
    errors = {
        loss: np.abs(machine("regression", loss=loss, penalty=0.1, gamma=0.5).fit(x, y).predict(x) - truth).mean()
        for loss in ("square", "huber", "absolute")
    }
    assert errors["absolute"] < 0.3 < errors["huber"] < errors["square"]


def test_chances_of_three_classes_sum_to_one() -> None:
    X, _ = rows()
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    for loss in ("logistic", "square", "hinge"):
        model = machine("classification", loss=loss).fit(X, y)
        shares = model.predict_proba(X)
        assert shares.sum(axis=1) == pytest.approx(np.ones(50))
        if loss == "hinge":
            assert np.array_equal(model.classes_[shares.argmax(axis=1)], model.predict(X))


@pytest.mark.covers("kernel-erm")
def test_chances_of_the_hinge_are_the_likeliest_and_on_its_own_sides() -> None:
    X, y = rows()
    y = np.where(np.random.default_rng(1).random(50) < 0.2, -y, y)  # not to be separated
    model = machine("classification", kernel="linear", loss="hinge", penalty=0.1).fit(X, y)
    scores, shares = model.decision_function(X), model.predict_proba(X)[:, 1]
    assert shares == pytest.approx(1 / (1 + np.exp(-model.scale_ * scores)))
    assert np.array_equal(shares > 0.5, model.predict(X) == 1)
    counts = np.array([(y == -1).sum(), (y == 1).sum()])
    sure = (counts + 1) / (counts + 2)  # Platt: no class is surer than its rows allow
    wanted = np.where(y == 1, sure[1], 1 - sure[0])

    def unlikely(scale: float) -> float:
        return float(np.sum(np.logaddexp(0, scale * scores) - wanted * scale * scores))

    assert unlikely(model.scale_) < min(unlikely(0.99 * model.scale_), unlikely(1.01 * model.scale_))
    weights = np.random.default_rng(2).integers(1, 3, 50)
    weighted = machine("classification", loss="hinge").fit(X, y, weights)
    repeated = machine("classification", loss="hinge").fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.predict_proba(X) == pytest.approx(repeated.predict_proba(X), abs=1e-4)


@pytest.mark.parametrize(("problem", "loss"), [("classification", "hinge"), ("regression", "absolute")])
def test_weights_short_of_the_optimum_are_said_to_be(problem: str, loss: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = rows()
    wanted = X[:, 0] if problem == "regression" else y
    right = machine(problem, loss=loss, gamma=0.5).fit(X, wanted).row_weights_[:, 0]
    for share, far in ((0.99, True), (1 - 1e-7, False)):
        monkeypatch.setattr("penstock.components.kernels.machine.row_weights", lambda *_, share=share: share * right)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            machine(problem, loss=loss, gamma=0.5).fit(X, wanted)
        said = [str(one.message) for one in caught if one.category is ConvergenceWarning]
        assert bool(said) is far
        assert all("take a smaller gamma or degree of the kernel, or raise the penalty" in one for one in said)


@pytest.mark.covers("kernel-erm")
@pytest.mark.parametrize("seed", [3, 52])
def test_interior_points_do_not_go_in_circles(seed: int) -> None:
    """These few rows did, by steps whose first half was short: the objective stayed 0.3 and 1.3 of itself above."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(24, 3)) * rng.uniform(0.5, 2, 3) + rng.normal(size=3)
    y = np.sin(X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=24) + 3
    rng.permutation(24)
    times = rng.integers(0, 3, 24)
    times[:3] = 1
    given: dict[str, Any] = {"kernel": "poly", "loss": "absolute", "penalty": 0.5}
    weighted = machine("regression", **given).fit(X, y, times.astype(float))  # a warning would be an error
    repeated = machine("regression", **given).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert weighted.predict(X) == pytest.approx(repeated.predict(X), abs=1e-6)


@pytest.mark.covers("kernel-erm")
def test_a_square_loss_has_the_chance_of_half_one_plus_the_score() -> None:
    X, y = rows()
    model = machine("classification", loss="square", penalty=0.2, gamma=0.5).fit(X, y)
    scores = model.decision_function(X)
    assert np.abs(scores).max() > 1
    assert model.predict_proba(X)[:, 1] == pytest.approx(np.clip((1 + scores) / 2, 0, 1))


@pytest.mark.covers("kernel-perceptron")
def test_exclusive_or_is_learnt_in_one_pass_of_mistakes() -> None:
    y = np.array([-1, 1, 1, -1])
    given = {"kernel": "poly", "gamma": 1.0, "degree": 2, "coef0": 1.0, "folds": 2}
    model = build("kernel-perceptron", given, seed=0, problem="classification").fit(XOR, y)
    assert model.machine_.counts_.ravel().tolist() == [1, 1, 1, 1]
    assert model.machine_.mistakes_[0].tolist() == [0, 1, 2, 3]
    assert model.machine_.converged_.all()
    assert model.machine_.score(XOR, y) == 1.0
    straight = KernelPerceptron(kernel="linear", passes=200).fit(XOR, y)
    assert not straight.converged_.any()


@pytest.mark.covers("kernel-perceptron")
def test_with_the_linear_kernel_the_same_rows_are_mistaken_as_by_rosenblatt() -> None:
    X = np.array([[1.0, 2.0], [2.0, -1.0], [-1.0, 1.0], [-2.0, -1.5]])
    y = np.array([1, 1, -1, -1])
    rng = np.random.default_rng(0)
    many = rng.normal(size=(60, 3))
    for rows_, signs in ((X, y), (many, np.where(many @ [1.0, -1.0, 0.5] > 0, 1, -1))):
        weights, updates, clean = np.zeros(rows_.shape[1]), [], False
        while not clean:
            clean = True
            for place, (row, sign) in enumerate(zip(rows_, signs, strict=True)):
                if sign * (weights @ row) <= 0:
                    weights = weights + sign * row
                    updates.append(place)
                    clean = False
        model = KernelPerceptron(kernel="linear", passes=1000).fit(rows_, signs)
        assert model.mistakes_[0].tolist() == updates
        assert (model.counts_[:, 0] * signs) @ rows_ == pytest.approx(weights)
        assert model.converged_.all()
    assert KernelPerceptron(kernel="linear").fit(X, y).mistakes_[0].tolist() == [0, 1]


@pytest.mark.covers("kernel-perceptron")
def test_it_is_the_library_s_perceptron_on_an_exact_map_of_the_kernel() -> None:
    X, y = rows()
    model = KernelPerceptron(gamma=0.5, passes=20).fit(X, y)
    every = Nystroem(gamma=0.5, n_components=len(X), random_state=0)  # all rows as points: no approximation
    library = make_pipeline(every, Perceptron(fit_intercept=False, shuffle=False, tol=None, max_iter=20)).fit(X, y)
    assert model.decision_function(X) == pytest.approx(library.decision_function(X), abs=1e-8)
    assert len(model.mistakes_[0]) > 20


@settings(max_examples=6, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), loss=st.sampled_from(["logistic", "square", "hinge"]))
def test_whatever_the_data(seed: int, loss: str) -> None:
    """Rows may come in any order, and a weight of two is the row twice."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(25, 2)), np.arange(25) % 2
    model = KernelMachineClassifier(loss=loss, gamma=0.7)
    whole = model.fit(X, y).decision_function(X)
    order = rng.permutation(25)
    assert model.fit(X[order], y[order]).decision_function(X) == pytest.approx(whole, abs=1e-6)
    weights = np.r_[1, 1, rng.integers(0, 3, 23)]
    weighted = model.fit(X, y, weights).decision_function(X)
    repeated = model.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).decision_function(X)
    assert weighted == pytest.approx(repeated, abs=1e-6)
