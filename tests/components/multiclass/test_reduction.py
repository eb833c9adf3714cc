"""Several classes from classifiers of two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.multiclass.reduction import ReducedClassifier

pytestmark = pytest.mark.usefixtures("one_thread")


def reduced(name: str, **given: Any) -> Any:
    return build(name, given, seed=0, problem="classification")


@pytest.mark.parametrize("against", ["rest", "each"])
def test_scikit_learn_agrees(against: str) -> None:
    assert len(check_estimator(ReducedClassifier("gaussian-naive-bayes", against), on_skip=None)) > 30


@pytest.mark.covers("multi-one-vs-rest", "proc_multiclass_reduction", "ex_ovo_ovr_counts")
def test_each_against_the_rest() -> None:
    X, y = load_iris(return_X_y=True)
    model = reduced("one-vs-rest").fit(X, y)
    parts = model.ensemble_.estimators_
    assert len(parts) == 3
    responses = np.column_stack([part.decision_function(X) for part in parts])
    assert np.array_equal(model.predict(X), responses.argmax(axis=1))
    assert np.array_equal(model.predict_proba(X).argmax(axis=1), responses.argmax(axis=1))
    two = reduced("one-vs-rest").fit(X[:100], y[:100])
    base = build("logistic-regression", {}, seed=0, problem="classification").fit(X[:100], y[:100])
    assert np.allclose(two.predict_proba(X[:100]), base.predict_proba(X[:100]))


@pytest.mark.covers("multi-one-vs-one", "proc_multiclass_reduction", "ex_ovo_ovr_counts")
def test_each_against_each() -> None:
    X, y = load_digits(return_X_y=True)
    for classes, each in ((3, 3), (4, 6), (10, 45)):
        rows = np.flatnonzero(y < classes)[:400]
        model = reduced("one-vs-one", base="gaussian-naive-bayes").fit(X[rows], y[rows])
        assert len(model.ensemble_.estimators_) == each
        assert (
            len(reduced("one-vs-rest", base="gaussian-naive-bayes").fit(X[rows], y[rows]).ensemble_.estimators_)
            == classes
        )
    votes = np.zeros((len(rows), 10))
    pairs = [(one, other) for one in range(10) for other in range(one + 1, 10)]
    for (one, other), part in zip(pairs, model.ensemble_.estimators_, strict=True):
        said = part.predict(X[rows])
        votes[np.arange(len(rows)), np.where(said == 1, other, one)] += 1
    clear = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) == 1
    assert clear.mean() > 0.8
    assert np.array_equal(model.predict(X[rows])[clear], votes[clear].argmax(axis=1))
    shares = model.predict_proba(X[rows])
    assert np.allclose(shares.sum(axis=1), 1)
    assert np.array_equal(shares.argmax(axis=1), model.predict(X[rows]))
    # A vote more or less a third, by how sure it was: brought above zero, and to a sum of one.
    sure = model.ensemble_.decision_function(X[rows])
    assert np.abs(sure - votes).max() < 1 / 3
    assert shares == pytest.approx((sure + 1 / 3) / (sure + 1 / 3).sum(axis=1, keepdims=True))


def test_where_no_classifier_says_yes_all_classes_are_alike() -> None:
    """Three sure classifiers may all say no: nought of everything is no distribution."""
    X = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]).repeat(2, axis=0)
    y = ["a", "a", "b", "b", "c", "c", "d", "d"]
    rng = np.random.default_rng(0)
    X, y = np.vstack([X, rng.uniform(size=(40, 2))]), [*y, *rng.choice(list("abcd"), 40)]
    model = reduced("one-vs-rest", base="decision-tree").fit(X, y)
    fresh = rng.uniform(size=(200, 2))
    said = np.column_stack([part.predict_proba(fresh)[:, 1] for part in model.ensemble_.estimators_])
    silent = said.sum(axis=1) == 0
    assert silent.any()
    shares = model.predict_proba(fresh)
    assert shares[silent] == pytest.approx(0.25)
    assert shares[~silent] == pytest.approx(said[~silent] / said[~silent].sum(axis=1, keepdims=True))


@pytest.mark.covers("multi-one-vs-rest", "multi-one-vs-one")
@pytest.mark.parametrize("name", ["one-vs-rest", "one-vs-one"])
@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), exponent=st.integers(-20, 20))
def test_neither_the_order_of_rows_nor_their_unit_matters(name: str, seed: int, exponent: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 4
    X[:, 0] += y
    order, unit = rng.permutation(40), 2.0**exponent
    plain, shuffled, scaled = (
        reduced(name, base="gaussian-naive-bayes").fit(table, classes)
        for table, classes in ((X, y), (X[order], y[order]), (X * unit, y))
    )
    assert shuffled.predict_proba(X) == pytest.approx(plain.predict_proba(X), abs=1e-9)
    assert scaled.predict_proba(X * unit) == pytest.approx(plain.predict_proba(X), abs=1e-9)
