from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit, softmax
from scipy.stats import logistic
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import f1_score

from penstock.components.catalog import build, check_parameters, entries, find
from penstock.components.decision.classifier import DecidingClassifier
from penstock.components.decision.threshold import threshold_curve
from penstock.components.evaluation.metrics import METRICS
from penstock.components.optimisation.descent import gradient_descent
from penstock.components.optimisation.risk import Risk
from penstock.components.optimisation.trace import Stop


@pytest.mark.covers("linclf-logistic", "linclf-logistic-solvers")
@pytest.mark.parametrize("solver", ["lbfgs", "newton-cholesky", "newton-cg", "sag", "saga"])
def test_the_maximum_of_the_likelihood(solver: str) -> None:
    x = np.repeat([0.0, 1.0], 4)[:, None]
    y = np.array([1, 0, 0, 0, 1, 1, 1, 0])
    given = {"penalty": "none", "tol": 1e-10, "solver": solver}
    check_parameters(find("logistic-regression"), given)
    model = build("logistic-regression", given, seed=0, problem="classification").fit(x, y)
    assert model.intercept_[0] == pytest.approx(-1.098612, abs=1e-5)
    assert model.coef_[0, 0] == pytest.approx(2.197225, abs=1e-5)
    assert model.predict_proba(x)[:, 1] == pytest.approx(np.repeat([0.25, 0.75], 4), abs=1e-5)
    rows = np.column_stack([np.ones(8), x])
    assert np.abs(rows.T @ (y - model.predict_proba(x)[:, 1])).max() < 1e-4
    assert (model.predict(x) == (model.predict_proba(x)[:, 1] > 0.5)).all()


@pytest.mark.slow
@pytest.mark.covers("linclf-logistic", "ex_logistic_weights_explode")
def test_without_a_penalty_weights_of_separable_rows_grow_without_end() -> None:
    risk = Risk(np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([-1.0, -1.0, 1.0, 1.0]), "logistic")
    never = Stop(step=None, gradient=None, most=100_000)
    trace = gradient_descent(risk.value, risk.slope, [0.0], rate=0.5, stop=never)
    assert trace.rule == "most"
    assert trace.points[[100, 1_000, 10_000, 100_000], 0] == pytest.approx([3.38, 5.55, 7.83, 10.13], abs=0.006)
    assert "none" not in entries()["logistic-regression"].space_for("classification")["penalty"]


@pytest.mark.covers("linclf-softmax", "ex_logistic_two_class_softmax", "met_log_odds")
def test_two_classes_by_logistic_function_or_softmax() -> None:
    model = build("logistic-regression", {}, seed=0, problem="classification").fit([[0.0, 0.0], [1.0, 1.0]], [0, 1])
    model.intercept_, model.coef_ = np.array([0.3]), np.array([[-1.2, 0.7]])
    chance = model.predict_proba([[0.5, -2.0]])[0, 1]
    score = float(model.decision_function([[0.5, -2.0]])[0])
    assert chance == pytest.approx(0.154465265084, abs=1e-9)
    assert softmax([-score / 2, score / 2])[1] == pytest.approx(chance, abs=1e-12)
    assert logit(chance) == pytest.approx(score) == 0.3 - 0.6 - 1.4
    at, step = np.linspace(-4, 4, 9), 1e-6
    slope = (expit(at + step) - expit(at - step)) / (2 * step)
    assert slope == pytest.approx(expit(at) * (1 - expit(at)), abs=1e-9)
    assert expit(at) == pytest.approx(logistic.cdf(at))  # the sigmoid is a distribution's


@pytest.mark.covers("met_p_out_logistic")
def test_labels_drawn_with_twice_the_score_are_learnt_with_twice_the_weights() -> None:
    rng = np.random.default_rng(0)
    teacher, X = np.array([0.5, -0.8, 0.0]), rng.normal(size=(40_000, 3))
    y = np.where(rng.random(40_000) < expit(2 * X @ teacher), 1, -1)
    given = {"penalty": "none", "fit_intercept": False}
    learnt = build("logistic-regression", given, seed=0, problem="classification").fit(X, y)
    assert learnt.coef_[0] == pytest.approx(2 * teacher, abs=0.08)  # one times the teacher is far away
    assert learnt.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-2 * X @ teacher)), abs=0.05)


def test_on_separable_data_the_penalty_keeps_the_weights_finite() -> None:
    x = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    y = np.array([0, 0, 1, 1])
    weights = [
        build("logistic-regression", {"C": C}, seed=0, problem="classification").fit(x, y).coef_[0, 0]
        for C in (0.01, 1.0, 100.0)
    ]
    assert weights == sorted(weights)
    assert weights[1] == pytest.approx(1.006594, abs=1e-4)


@pytest.mark.covers("linclf-softmax")
def test_softmax_over_one_weight_vector_per_class() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=150), [-0.5, 0.5])
    model = build("logistic-regression", {}, seed=0, problem="classification").fit(X, y)
    scores = X @ model.coef_.T + model.intercept_
    shares = model.predict_proba(X)
    assert model.coef_.shape == (3, 3)
    assert np.allclose(shares.sum(axis=1), 1.0, atol=1e-12)
    assert np.allclose(shares, softmax(scores, axis=1), atol=1e-12)
    moved = X @ (model.coef_ + rng.normal(size=3)).T + model.intercept_
    assert np.allclose(shares, softmax(moved, axis=1), atol=1e-12)
    assert np.array_equal(model.predict(X), shares.argmax(axis=1))

    two = build("logistic-regression", {}, seed=0, problem="classification").fit(X, (y > 0).astype(int))
    halves = np.column_stack([-two.decision_function(X) / 2, two.decision_function(X) / 2])
    assert np.allclose(softmax(halves, axis=1)[:, 1], expit(two.decision_function(X)), atol=1e-12)
    assert np.allclose(two.predict_proba(X), softmax(halves, axis=1), atol=1e-12)


@pytest.mark.covers("met_softmax", "ex_logistic_two_class_softmax")
def test_the_softmax_of_two_classes_is_the_logistic_function_of_the_difference() -> None:
    x, weights = np.array([1.0, 0.5, -2.0]), np.array([0.3, -1.2, 0.7])
    rng = np.random.default_rng(0)
    model = build("logistic-regression", {}, seed=0, problem="classification")
    model.fit(rng.normal(size=(20, 3)), np.repeat([0, 1], 10))
    model.coef_, model.intercept_ = weights[None, :], np.zeros(1)
    p = model.predict_proba(x[None, :])[0, 1]
    assert p == pytest.approx(0.154465265084, abs=1e-9)
    assert softmax([-x @ weights / 2, x @ weights / 2])[1] == pytest.approx(p, abs=1e-12)
    assert softmax([7.0, 7.0 + x @ weights])[1] == pytest.approx(p, abs=1e-12)


@pytest.mark.slow
@pytest.mark.covers("linclf-threshold")
def test_the_f_score_over_thresholds_peaks_at_the_one_that_is_chosen() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + rng.normal(size=300) > 1.2).astype(int)
    model = build("logistic-regression", {}, seed=0, problem="classification").fit(X, y)
    proba = model.predict_proba(X)[:, 1]
    chosen = threshold_curve(METRICS["f1"], y, proba)

    def f_score(threshold: float) -> float:
        deciding = DecidingClassifier(FrozenEstimator(model), threshold=threshold).fit(X, y)
        return float(f1_score(y, deciding.predict(X), zero_division=0))

    levels = np.unique(proba)
    curve = [f_score(threshold) for threshold in [0.0, *(levels[1:] + levels[:-1]) / 2, 1.0]]
    assert f_score(chosen.best) == pytest.approx(max(curve)) == chosen.best_score
    assert f_score(chosen.best) > f_score(0.5) == pytest.approx(chosen.usual_score)
    assert min(curve[0], curve[-1]) < max(curve) - 0.1


@pytest.mark.covers("linclf-logistic-solvers")
@pytest.mark.parametrize(("steps", "weights"), [(1, (-1, 2)), (2, (-1.096339, 2.192678)), (3, (-1.098611, 2.197222))])
def test_newton_step_by_step(steps: int, weights: tuple[float, float]) -> None:
    x, y = np.repeat([0.0, 1.0], 4)[:, None], [1, 0, 0, 0, 1, 1, 1, 0]
    given = {"penalty": "none", "solver": "newton-cholesky", "max_iter": steps, "tol": 1e-12}
    model = build("logistic-regression", given, seed=0, problem="classification")
    with pytest.warns(ConvergenceWarning):
        model.fit(x, y)
    assert (model.intercept_[0], model.coef_[0, 0]) == pytest.approx(weights, abs=1e-6)
