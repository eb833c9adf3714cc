from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import make_blobs
from sklearn.linear_model import Lasso

from penstock.components.catalog import build
from penstock.components.optimisation.descent import (
    backtracked,
    gradient_descent,
    schedule,
)
from penstock.components.optimisation.risk import Risk
from penstock.components.optimisation.trace import Stop, Trace
from penstock.components.teaching.solvers.newton import newton

Array = np.ndarray[Any, Any]
BENT = np.array([1.0, 50.0])


def valley(t: Array) -> float:
    return float(BENT @ t**2) / 2


def steep(t: Array) -> Array:
    slope: Array = BENT * t
    return slope


def run(**given: Any) -> Trace:
    return gradient_descent(valley, steep, [1.0, 1.0], **given)


@pytest.mark.covers("opt-gradient-descent", "proc_gd_loop_dual_stop", "met_gradient_stop")
def test_a_valley_by_rates_below_and_above_the_limit() -> None:
    good = run(rate=0.039)
    assert good.steps == 286
    assert good.rule in ("step", "gradient")
    assert run(rate=0.041).rule == "diverged"
    slow = run(rate=0.01)
    assert slow.rule == "step"
    assert np.linalg.norm(slow.end) == pytest.approx(1e-4, rel=0.05)
    assert run(rate=0.01, stop=Stop(step=None)).rule == "gradient"
    assert np.linalg.norm(steep(run(rate=0.01, stop=Stop(step=None)).end)) <= 1e-6
    assert run(rate=0.01, stop=Stop(most=50)).rule == "most"
    assert run(rate=0.01, stop=Stop(most=50)).steps == 50
    assert backtracked(lambda x: float(x[0] ** 4), np.array([1.0]), np.array([4.0])) == 0.25
    assert run(rate="search").rule in ("step", "gradient")


@pytest.mark.covers("opt-gradient-descent", "met_normal_equation_residual")
def test_least_squares_by_descent() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    risk = Risk(X, y)
    assert risk.slope(np.ones(3)) == pytest.approx(-2 / 30 * X.T @ (y - X @ np.ones(3)))
    exact = np.linalg.lstsq(X, y, rcond=None)[0]
    assert risk.slope(exact) == pytest.approx(np.zeros(3), abs=1e-12)  # X'(y - Xw) = 0
    assert risk.curvature(exact) == pytest.approx(2 / 30 * X.T @ X)  # columns by columns, never rows by rows
    for rate in (1 / risk.steepest(), "search"):
        found = gradient_descent(risk.value, risk.slope, np.zeros(3), rate=rate, stop=Stop(step=None, gradient=1e-10))
        assert found.end == pytest.approx(exact, abs=1e-8)


@pytest.mark.covers("proc_learning_rate_rule", "ex_lr_schedules")
def test_rates_decay() -> None:
    times = [0, 25, 50, 75, 100]
    assert [schedule("cosine", 1.0, 100)(t) for t in times] == pytest.approx(
        [1.0, 0.853553390593, 0.5, 0.146446609407, 0.0], abs=1e-6
    )
    assert [schedule("linear", 1.0, 100)(t) for t in times] == pytest.approx([1.0, 0.75, 0.5, 0.25, 0.0])
    asked = [0, 29, 30, 59, 60, 89, 90]
    assert [schedule("step", 1.0, 100)(t) for t in asked] == pytest.approx([1, 1, 0.1, 0.1, 0.01, 0.01, 0.001])
    assert [schedule("root", 1.0, 100)(t) for t in (0, 3, 99)] == pytest.approx([1, 0.5, 0.1])


@pytest.mark.covers("proc_learning_rate_rule", "cl_momentum_ill_conditioned")
def test_momentum_crosses_the_valley_and_adaptive_steps_shrink() -> None:
    stop = Stop(step=None, gradient=1e-6)
    plain, fast = run(rate=0.02, stop=stop), run(rate=0.02, stop=stop, momentum=0.9)
    assert plain.steps == 684
    assert fast.steps < 0.6 * plain.steps
    wild = run(rate=0.05, stop=Stop(step=None, gradient=None, most=100))
    assert wild.rule == "diverged"
    assert np.linalg.norm(wild.points[-1]) > 1e6
    along = gradient_descent(
        lambda t: float(t[0]), lambda t: np.ones(1), [0.0], rate=0.1, adaptive=True, stop=Stop(step=None, most=1000)
    )
    assert along.points[999, 0] - along.points[1000, 0] == pytest.approx(0.1 / np.sqrt(1000), rel=1e-6)


@pytest.mark.covers("proc_stopping_criteria")
def test_each_rule_fires_alone() -> None:
    never: dict[str, Any] = {"step": None, "gradient": None}
    assert run(rate=0.02, stop=Stop(**never, error=0.5)).rule == "error"
    assert run(rate=0.02, stop=Stop(step=1e-3, gradient=None)).rule == "step"
    assert run(rate=0.02, stop=Stop(**never, most=7)).rule == "most"

    def elsewhere(t: Array) -> float:
        return float((t[0] - 0.5) ** 2)  # other rows, whose least error the path passes

    watched = run(rate=0.02, stop=Stop(**never, patience=5), validation_loss=elsewhere)
    assert watched.rule == "validation"
    assert elsewhere(watched.end) == min(map(elsewhere, watched.points))
    assert watched.steps > 5
    # The best copy is the answer also where another rule is the first to fire.
    most = watched.steps - 2
    rules = {"most": Stop(**never, patience=1000, most=most), "error": Stop(**never, patience=1000, error=1e-3)}
    rules |= {"step": Stop(step=1e-3, gradient=None, patience=1000)}
    for rule, stop in rules.items():
        ended = run(rate=0.02, stop=stop, validation_loss=elsewhere)
        assert ended.rule == rule
        assert elsewhere(ended.end) == min(map(elsewhere, ended.points)) < elsewhere(ended.points[-1])
    rising = run(rate=0.02, stop=Stop(step=0.02, gradient=None, patience=1000), validation_loss=valley)
    assert rising.rule == "step"
    assert np.array_equal(rising.end, rising.points[-1])  # the last point is asked too


@pytest.mark.covers("met_logistic_score_hessian")
def test_slope_and_curvature_of_the_likelihood_are_those_of_finite_differences() -> None:
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(40, 3)), rng.normal(size=3)
    y = np.where(rng.random(40) < 0.4, 1.0, -1.0)
    risk, step = Risk(X, y, "logistic"), 1e-5 * np.eye(3)
    chance = expit(X @ w)
    # Of the sum of log-likelihoods: X'(y - h), and -X' diag(h (1 - h)) X, which is never positive.
    assert -40 * risk.slope(w) == pytest.approx(X.T @ ((y > 0) - chance))
    assert 40 * risk.curvature(w) == pytest.approx(X.T @ np.diag(chance * (1 - chance)) @ X)
    assert risk.slope(w) == pytest.approx([(risk.value(w + s) - risk.value(w - s)) / 2e-5 for s in step], abs=1e-8)
    bend = np.array([(risk.slope(w + s) - risk.slope(w - s)) / 2e-5 for s in step])
    assert risk.curvature(w) == pytest.approx(bend, abs=1e-8)
    assert np.linalg.eigvalsh(risk.curvature(w))[0] > 0
    for steep in (Risk(X, y, loss, penalty) for loss in ("squared", "logistic") for penalty in (0.0, 3.0)):
        # Nowhere does it bend more than where all probabilities are one half.
        assert steep.steepest() == pytest.approx(np.linalg.eigvalsh(steep.curvature(np.zeros(3)))[-1])
        assert steep.steepest() >= np.linalg.eigvalsh(steep.curvature(w))[-1] * (1 - 1e-12)
    fit = newton(risk.value, risk.slope, risk.curvature, np.zeros(3), stop=Stop(step=None, gradient=1e-12))
    assert risk.slope(fit.end) == pytest.approx(np.zeros(3), abs=1e-12)


@pytest.mark.covers("opt-subgradient")
def test_subgradients_come_near_zero_and_never_stay_there() -> None:
    X = np.linalg.qr(np.random.default_rng(0).normal(size=(6, 2)))[0]
    y = X @ np.array([3.0, -0.4])

    risk = Risk(X, y, penalty=1.0, power=1)  # the mean over six rows of the sum that the rate of 0.01 is of
    trace = gradient_descent(risk.value, risk.slope, np.zeros(2), rate=0.01 * 6, stop=Stop(step=None, most=3000))
    lasso = Lasso(1 / 12, fit_intercept=False, tol=1e-12).fit(X, y)
    assert trace.end == pytest.approx([2.5, -0.004], abs=0.005)
    assert trace.end[1] != 0.0
    assert lasso.coef_ == pytest.approx([2.5, 0], abs=1e-9)
    assert 6 * risk.value(trace.end) <= 6 * risk.value(lasso.coef_) + 0.01
    assert 6 * risk.value(lasso.coef_) == pytest.approx(np.sum((y - X @ lasso.coef_) ** 2) + 2.5)
    assert 6 * risk.penalty_slope(np.array([2.0, 0.0])) == pytest.approx([1.0, 0.0])


@pytest.mark.covers("opt-subgradient", "cl_l1_zeros_l2_none")
def test_of_fifteen_weights_at_zero_subgradients_reach_none() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 20))
    y = X @ np.array([2.0, -1.5, 1.0, 3.0, -2.0] + [0.0] * 15) + rng.normal(size=100)
    risk = Risk(X, y, penalty=2 * 100 * 0.2, power=1)
    trace = gradient_descent(risk.value, risk.slope, np.zeros(20), rate=1e-3, stop=Stop(step=None, most=4000))
    lasso = Lasso(0.2, fit_intercept=False, tol=1e-10).fit(X, y)
    assert np.sum(lasso.coef_ == 0) >= 12
    assert np.sum(trace.end == 0) == 0
    assert np.sum(np.abs(trace.end) < 1e-2) >= 12


@pytest.mark.filterwarnings("ignore:Number of distinct clusters")  # after one round a start may hold no row
@pytest.mark.covers("proc_restarts", "cl_kmeans_monotone_local_optima")
def test_k_means_falls_in_every_run_and_ends_where_its_start_leads() -> None:
    X, _ = make_blobs(400, centers=9, random_state=0)

    def end(seed: int, **given: Any) -> float:
        settings = {"clusters": 9, "init": "random", "n_init": 1, **given}
        return float(build("k-means", settings, seed=seed, problem="clustering").fit(X).inertia_)

    ends = [end(seed) for seed in range(30)]
    assert max(ends) > 1.05 * min(ends)
    for seed in range(3):
        falling = [end(seed, max_iter=most, tol=0.0) for most in range(1, 8)]
        assert (np.diff(falling) <= 1e-9).all()
    assert end(0, n_init=10) <= ends[0] + 1e-9
