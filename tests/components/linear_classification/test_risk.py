"""Linear classifiers by loss and penalty."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.linear_classification.risk import PenalisedRiskClassifier
from penstock.components.teaching.losses import MARGIN, RESIDUAL

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
AND = np.array([[1.0, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]])


def risk(X: Array, y: Array, **given: Any) -> Any:
    return build("penalised-risk", given, seed=0, problem="classification").fit(X, y)


def blobs() -> tuple[Array, Array]:
    """Two classes that overlap, far from the origin."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(loc=(5, 1), size=(40, 2)), rng.normal(loc=(7, 3), size=(30, 2))])
    return X, np.repeat([-1.0, 1.0], [40, 30])


@pytest.mark.slow
def test_scikit_learn_agrees() -> None:
    assert len(check_estimator(PenalisedRiskClassifier(), on_skip=None)) > 30
    assert len(check_estimator(PenalisedRiskClassifier(loss="squared", penalty="l1"), on_skip=None)) > 30
    # libsvm's weights do not count like repeated rows.
    not_like = {"check_sample_weight_equivalence_on_dense_data": "weights are no repeated rows here"}
    hinge = PenalisedRiskClassifier(loss="hinge")
    assert len(check_estimator(hinge, on_skip=None, expected_failed_checks=not_like)) > 30
    # A perceptron goes by the order of rows, not by their weight.
    assert (
        len(check_estimator(PenalisedRiskClassifier("perceptron"), on_skip=None, expected_failed_checks=not_like)) > 30
    )


@pytest.mark.covers("linreg-glm-erm")
def test_the_logistic_loss_is_the_library_s() -> None:
    X, y = blobs()
    found = risk(X, y, loss="logistic", lam=0.8, fit_intercept=False, tol=1e-10)
    library = LogisticRegression(C=1 / 1.6, fit_intercept=False, tol=1e-10).fit(X, y)
    assert found.coef_ == pytest.approx(library.coef_, abs=1e-6)
    assert found.predict_proba(X) == pytest.approx(library.predict_proba(X), abs=1e-6)


@pytest.mark.covers("linclf-least-squares", "met_perceptron_loss", "ex_losses_far_correct")
def test_labels_as_numbers() -> None:
    X = np.array([[1.0], [2], [-1], [-2]])
    y = np.sign(X[:, 0])
    found = risk(X, y, loss="squared", lam=1.0, penalise_intercept=True)
    assert [*found.coef_[0], *found.intercept_] == pytest.approx([0.545455, 0], abs=1e-6)
    assert (found.predict(X) == y).all()
    far = np.array([10.0])
    assert {name: loss(far)[0] for name, loss in MARGIN.items()} == pytest.approx(
        {"0-1": 0, "squared": 81, "perceptron": 0, "hinge": 0, "logistic": 4.53988992169e-05}, abs=1e-9
    )


@pytest.mark.covers("ex_logistic_upper_bound")
def test_only_in_base_two_is_the_logistic_loss_above_the_mistake() -> None:
    margin = np.array([-0.01])
    at = {name: float(loss(margin)[0]) for name, loss in MARGIN.items()}
    assert (at["0-1"], at["hinge"]) == pytest.approx((1.0, 1.01), abs=1e-9)
    assert at["logistic"] == pytest.approx(0.698159680508, abs=1e-9)
    assert at["logistic"] / np.log(2) == pytest.approx(1.00723150882, abs=1e-9)
    assert RESIDUAL["epsilon-insensitive"](np.array([0.4, -2.0])).tolist() == [0.0, 1.5]


@pytest.mark.covers("linclf-perceptron-loss")
def test_mistakes_alone_teach() -> None:
    y = np.array([-1, -1, -1, 1])
    found = risk(AND, y, loss="perceptron", penalty="none", fit_intercept=False)
    assert found.coef_[0].tolist() == [-4, 3, 2]
    neuron = build("perceptron", {}, seed=0, problem="classification").fit(AND[:, 1:], y)
    assert [*neuron.intercept_, *neuron.coef_[0]] == [-4, 3, 2]
    assert (found.predict(AND) == y).all()


def hinge_objective(X: Array, y: Array, w: Array, b: float, lam: float) -> float:
    return float(np.maximum(0, 1 - y * (X @ w + b)).sum() + lam * w @ w)


def hinge_optimum(X: Array, y: Array, lam: float) -> float:
    """The greatest dual value without a free constant: sum of a - |sum of a y x|² / (4 lam), each a in [0, 1]."""
    Z = y[:, None] * X

    def negative(a: Array) -> tuple[float, Array]:
        w = Z.T @ a / (2 * lam)
        return float(lam * w @ w - a.sum()), Z @ w - 1

    exact = {"ftol": 1e-15, "gtol": 1e-11, "maxiter": 20_000, "maxfun": 100_000}
    return -float(minimize(negative, np.full(len(y), 0.5), jac=True, bounds=[(0, 1)] * len(y), options=exact).fun)


@pytest.mark.covers("linclf-hinge")
def test_the_hinge_loss_with_the_constant_inside_and_outside_the_penalty() -> None:
    X, y = blobs()
    lam = 0.4
    ones = np.column_stack([X, np.ones(len(y))])
    inside = risk(X, y, loss="hinge", lam=lam, penalise_intercept=True, tol=1e-9, max_iter=2_000_000)
    reached = hinge_objective(ones, y, np.append(inside.coef_[0], inside.intercept_), 0.0, lam)
    assert reached == pytest.approx(hinge_optimum(ones, y, lam), abs=1e-6)

    outside = risk(X, y, loss="hinge", lam=lam, tol=1e-9)
    library = SVC(kernel="linear", C=1 / (2 * lam), tol=1e-9).fit(X, y)
    assert outside.coef_ == pytest.approx(library.coef_, abs=1e-5)
    reached = hinge_objective(X, y, outside.coef_[0], outside.intercept_[0], lam)
    dual = np.abs(library.dual_coef_[0])
    assert reached == pytest.approx(2 * lam * (dual.sum() - library.coef_[0] @ library.coef_[0] / 2), rel=1e-6)
    # scikit-learn's LinearSVC penalises its constant, and so finds another border.
    other = LinearSVC(loss="hinge", C=1 / (2 * lam), max_iter=1_000_000, tol=1e-8).fit(X, y)
    assert np.abs(other.coef_ - outside.coef_).max() > 0.01


@pytest.mark.covers("linreg-glm-erm", "linclf-hinge", "linclf-least-squares")
@pytest.mark.parametrize("loss", ["logistic", "squared", "hinge"])
@pytest.mark.parametrize("penalty", ["l2", "l1", "none"])
def test_every_pair_has_the_least_sum_of_losses_and_penalty(loss: str, penalty: str) -> None:
    X, y = blobs()
    weight = np.arange(len(y)) % 3 + 0.5
    given = {"loss": loss, "penalty": penalty, "lam": 4.0, "tol": 1e-9}
    model = build("penalised-risk", given, seed=0, problem="classification").fit(X, y, sample_weight=weight)

    def objective(w: Array, b: float) -> float:
        counted = {"l2": np.sum(w**2), "l1": np.abs(w).sum(), "none": 0.0}[penalty]
        return float(weight @ MARGIN[loss](y * (X @ w + b)) + 4.0 * counted)

    best = objective(model.coef_[0], model.intercept_[0])
    middle, moves = (
        X.mean(axis=0),
        np.random.default_rng(1).normal(size=(90, 3)) * np.repeat([[1e-3], [1e-2], [0.1]], 30, axis=0),
    )
    for move, turn in zip(moves[:, 0], moves[:, 1:], strict=True):
        w = model.coef_[0] + turn
        assert best <= objective(w, model.intercept_[0] + move - turn @ middle) + 1e-6


def test_hinge_with_sizes_is_exact_and_sparse() -> None:
    X, y = blobs()
    rng = np.random.default_rng(1)
    wide = np.column_stack([X, rng.normal(size=(len(y), 20))])
    model = risk(wide, y, loss="hinge", penalty="l1", lam=5.0)
    assert np.sum(np.abs(model.coef_) > 1e-9) <= 11

    def objective(w: Array, b: float) -> float:
        return float(np.maximum(0, 1 - y * (wide @ w + b)).sum() + 5 * np.abs(w).sum())

    best = objective(model.coef_[0], model.intercept_[0])
    for size in (1e-3, 1e-2, 0.1):
        for _ in range(50):
            assert best <= objective(model.coef_[0] + size * rng.normal(size=22), model.intercept_[0]) + 1e-9


@pytest.mark.parametrize("loss", ["squared", "hinge", "perceptron"])
def test_probabilities_never_disagree_with_answers(loss: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    for y in (X[:, 0] + 0.3 * rng.normal(size=200) > 0, np.digitize(X[:, 1], [-0.4, 0.4])):
        model = risk(X, y, loss=loss)
        shares = model.predict_proba(X)
        assert shares.sum(axis=1) == pytest.approx(np.ones(200))
        assert (model.classes_[shares.argmax(axis=1)] == model.predict(X)).all()
        right = shares[np.arange(200), np.searchsorted(model.classes_, y)]
        assert np.mean(np.log(right)) > np.log(1 / len(model.classes_))


def test_no_class_is_surer_than_its_rows_allow() -> None:
    """Platt: of two rows, all on the right side, three in four."""
    X, y = np.array([[1.0], [1], [-1], [-1]]), [1, 1, 0, 0]
    for loss in ("squared", "hinge"):
        assert risk(X, y, loss=loss).predict_proba(X).max(axis=1) == pytest.approx(np.full(4, 0.75), abs=1e-4)


def test_on_the_border_the_second_class_is_answered() -> None:
    X, y = np.array([[1.0], [2], [-1], [-2]]), ["b", "b", "a", "a"]
    for loss in ("logistic", "squared", "hinge"):
        model = risk(X, y, loss=loss, fit_intercept=False)
        assert model.decision_function([[0.0]]).tolist() == [0.0]
        assert model.predict([[0.0]]).tolist() == ["b"]
        assert model.predict_proba([[0.0]]).tolist() == [[0.5, 0.5]]


@pytest.mark.covers("linclf-perceptron-loss")
def test_the_perceptron_goes_on_until_nothing_is_wrong() -> None:
    X, y = np.array([[10.0], [11.0]]), np.array([-1, 1])
    short = risk(X, y, loss="perceptron")
    assert short.n_iter_ == 50
    assert short.score(X, y) < 1
    patient = risk(X, y, loss="perceptron", max_iter=5000)
    assert 50 < patient.n_iter_ < 5000
    assert patient.score(X, y) == 1


@pytest.mark.covers("linclf-hinge", "linclf-least-squares")
@pytest.mark.parametrize("loss", ["logistic", "squared", "hinge"])
@pytest.mark.parametrize("penalty", ["l2", "l1", "none"])
def test_units_of_the_columns_only_change_the_penalty(loss: str, penalty: str) -> None:
    X, y = blobs()
    for labels in (y, np.where(np.arange(len(y)) % 3, y, 2.0)):
        found = risk(X, labels, loss=loss, penalty=penalty, lam=1.0)
        for unit in (1e-60, 1e-6, 1e6, 1e60):
            lam = {"l2": unit**2, "l1": unit, "none": 1.0}[penalty]
            other = risk(X * unit, labels, loss=loss, penalty=penalty, lam=lam)
            assert other.coef_ * unit == pytest.approx(found.coef_, abs=0.02)
            assert other.predict_proba(X * unit) == pytest.approx(found.predict_proba(X), abs=0.01)


@pytest.mark.parametrize("loss", ["logistic", "squared", "hinge"])
@pytest.mark.parametrize("penalty", ["l2", "l1", "none"])
def test_columns_that_never_change_are_as_if_they_were_not_there(loss: str, penalty: str) -> None:
    X, y = blobs()
    weight = np.random.default_rng(0).uniform(0.5, 2, size=len(y))
    constants = np.broadcast_to([0.1, 0.3, 1 / 3, 123.456, 7.7], (len(y), 5))
    asked = {"loss": loss, "penalty": penalty, "random_state": 0}
    without = PenalisedRiskClassifier(**asked).fit(X, y, weight)
    beside = PenalisedRiskClassifier(**asked).fit(np.hstack([constants, X]), y, weight)
    assert beside.coef_[0] == pytest.approx([*np.zeros(5), *without.coef_[0]], abs=1e-9)
    assert beside.intercept_ == pytest.approx(without.intercept_)


@pytest.mark.parametrize("penalty", ["l1", "none"])
def test_the_hinge_loss_where_columns_differ_much_in_size(penalty: str) -> None:
    X, y = blobs()
    found = risk(X, y, loss="hinge", penalty=penalty, lam=1e-13)
    sizes = np.column_stack([1e10 * X[:, 0], X[:, 1], 1e10 * X[:, 0]])
    other = risk(sizes, y, loss="hinge", penalty=penalty, lam=1e-13)
    losses = [
        np.maximum(0, 1 - y * scores).sum() for scores in (found.decision_function(X), other.decision_function(sizes))
    ]
    assert losses[1] == pytest.approx(losses[0], rel=1e-4)


def test_wide_margins_of_large_numbers_come_to_an_end() -> None:
    X, y = blobs()
    with pytest.warns(ConvergenceWarning):
        risk(X * 1e6, y, loss="hinge", lam=1.0, max_iter=100)
