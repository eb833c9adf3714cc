"""A kernel of a person's own, as columns: the same answers as by its name, for any part of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.utils import get_tags

from penstock.components.catalog import build
from penstock.components.kernels.columns import AS_COLUMNS, columns_for, kernel_of_columns, require_kernel_columns
from penstock.components.kernels.machine import KernelMachineClassifier

GAMMA = 0.5
RNG = np.random.default_rng(0)
THINGS = RNG.normal(size=(90, 3))
THINGS[10:15] = THINGS[0:5]  # some things are there twice
TABLE = rbf_kernel(THINGS, gamma=GAMMA)
LEARNT = RNG.permutation(90)[:60]  # neither all things nor in their order
FRESH = RNG.normal(size=(20, 3))  # these are no things
SIDES = (THINGS[:, 0] * THINGS[:, 1] > 0).astype(int)
AMOUNTS = THINGS[:, 0] ** 2 + THINGS[:, 1]


def of_columns(name: str, problem: str, **given: Any) -> Any:
    """As a pipeline makes it."""
    return columns_for(build(name, {**given, "kernel": "precomputed"}, seed=0, problem=problem))


@pytest.mark.parametrize(
    ("name", "given", "close"),
    [
        ("svm", {"solver": "libsvm"}, 1e-9),
        ("svm", {}, 2e-3),  # by its name it is the library's, which stops at other last digits
        ("svm", {"solver": "exact"}, 1e-9),
        ("kernel-machine", {}, 1e-9),
        ("kernel-perceptron", {}, 1e-9),
        ("kernel-neighbours", {}, 1e-9),
    ],
)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.covers("kernel-gram", "svm-kernel", "proc_kernel_first_pipeline")
def test_classifiers_answer_as_by_the_name_of_the_kernel(
    name: str, given: dict[str, Any], close: float, classes: int
) -> None:
    if name == "svm" and not given and classes == 3:
        given = {"solver": "libsvm"}  # the library has a border for each pair of classes, ours one for each class
    y = SIDES + (classes == 3) * (THINGS[:, 2] > 1)
    named = build(name, {**given, "kernel": "rbf", "gamma": GAMMA}, seed=0, problem="classification")
    by_columns = of_columns(name, "classification", **given)
    assert by_columns.kernel == AS_COLUMNS
    named.fit(THINGS[LEARNT], y[LEARNT])
    by_columns.fit(TABLE[LEARNT], y[LEARNT])
    for rows, columns in ((THINGS, TABLE), (FRESH, rbf_kernel(FRESH, THINGS, gamma=GAMMA))):
        assert by_columns.predict_proba(columns) == pytest.approx(named.predict_proba(rows), abs=close)


@pytest.mark.parametrize("name", ["kernel-ridge", "svr", "kernel-machine", "kernel-neighbours"])
@pytest.mark.covers("kernel-gram", "proc_kernel_first_pipeline")
def test_regressors_answer_as_by_the_name_of_the_kernel(name: str) -> None:
    named = build(name, {"kernel": "rbf", "gamma": GAMMA}, seed=0, problem="regression")
    by_columns = of_columns(name, "regression")
    named.fit(THINGS[LEARNT], AMOUNTS[LEARNT])
    by_columns.fit(TABLE[LEARNT], AMOUNTS[LEARNT])
    for rows, columns in ((THINGS, TABLE), (FRESH, rbf_kernel(FRESH, THINGS, gamma=GAMMA))):
        assert by_columns.predict(columns) == pytest.approx(named.predict(rows), abs=1e-6)


def test_weights_count_as_by_the_name_of_the_kernel() -> None:
    weights = RNG.integers(0, 3, size=60).astype(float)
    for name, problem, y, asked in (
        ("svm", "classification", SIDES, "predict_proba"),
        ("svr", "regression", AMOUNTS, "predict"),
        ("kernel-ridge", "regression", AMOUNTS, "predict"),
    ):
        named = build(name, {"kernel": "rbf", "gamma": GAMMA}, seed=0, problem=problem)
        named.fit(THINGS[LEARNT], y[LEARNT], sample_weight=weights)
        found = of_columns(name, problem).fit(TABLE[LEARNT], y[LEARNT], sample_weight=weights)
        assert getattr(found, asked)(TABLE) == pytest.approx(getattr(named, asked)(THINGS), abs=2e-3)


def test_a_square_is_a_square_from_python() -> None:
    square = TABLE[np.ix_(LEARNT, LEARNT)]
    for name in ("svm", "kernel-perceptron"):
        model = build(name, {"kernel": "precomputed"}, seed=0, problem="classification").fit(square, SIDES[LEARNT])
        by_columns = of_columns(name, "classification").fit(TABLE[LEARNT], SIDES[LEARNT])
        assert get_tags(model).input_tags.pairwise
        assert not get_tags(by_columns).input_tags.pairwise
        answers = model.predict_proba(TABLE[:, LEARNT])
        assert answers == pytest.approx(by_columns.predict_proba(TABLE), abs=1e-9)


@pytest.mark.parametrize("name", ["svr", "kernel-ridge", "kernel-machine"])
def test_rows_without_weight_are_none_of_a_square_and_others_are_in_their_places(name: str) -> None:
    square, y = TABLE[np.ix_(LEARNT, LEARNT)], AMOUNTS[LEARNT]
    weights = (np.arange(60) % 5 > 0).astype(float)
    kept = LEARNT[weights > 0]
    given = {"kernel": "precomputed", **({"tol": 1e-9} if name == "svr" else {})}
    weighted = build(name, given, seed=0, problem="regression").fit(square, y, sample_weight=weights)
    fewer = build(name, given, seed=0, problem="regression").fit(TABLE[np.ix_(kept, kept)], AMOUNTS[kept])
    assert weighted.predict(TABLE[:, LEARNT]) == pytest.approx(fewer.predict(TABLE[:, kept]), abs=1e-6)


def test_a_machine_of_a_square_takes_rows_without_weight() -> None:
    square = TABLE[np.ix_(LEARNT, LEARNT)]
    weights = (np.arange(60) % 5 > 0).astype(float)
    kept = LEARNT[weights > 0]
    given = {"kernel": "precomputed", "solver": "exact"}
    model = build("svm", given, seed=0, problem="classification").fit(square, SIDES[LEARNT], sample_weight=weights)
    fewer = build("svm", given, seed=0, problem="classification").fit(TABLE[np.ix_(kept, kept)], SIDES[kept])
    found, wanted = model.machine_, fewer.machine_
    assert found.decision_function(TABLE[:, LEARNT]) == pytest.approx(
        wanted.decision_function(TABLE[:, kept]), abs=1e-6
    )


@pytest.mark.covers("kernel-gram")
@pytest.mark.parametrize("name", ["svr", "kernel-ridge", "kernel-machine"])
def test_a_square_that_is_no_kernel_is_refused(name: str) -> None:
    model = build(name, {"kernel": "precomputed"}, seed=0, problem="regression")
    bent = np.tanh(np.outer([0.0, 1.0], [0.0, 1.0]) - 1)
    with pytest.raises(ValueError, match=r"least eigenvalue is -1\.23229"):
        model.fit(bent, [0.0, 1.0])
    with pytest.raises(ValueError, match="2 training rows has as many columns, not 3"):
        model.fit(np.ones((2, 3)), [0.0, 1.0])


def test_only_a_given_kernel_is_read_from_columns() -> None:
    assert columns_for(KernelMachineClassifier(kernel="rbf")).kernel == "rbf"
    ridge = build("ridge", {}, seed=0, problem="regression")
    assert columns_for(ridge) is ridge


def test_a_thing_that_is_there_twice_is_the_same_by_either_column() -> None:
    assert kernel_of_columns(TABLE) == pytest.approx(TABLE, abs=1e-12)
    assert require_kernel_columns(TABLE) == pytest.approx(TABLE, abs=1e-12)


def spoilt(row: int, column: int, value: float) -> Any:
    table = TABLE.copy()
    table[row, column] = value
    return table


INDEFINITE = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
TIED = np.array([[1.0, 1.0, 0.2], [1.0, 1.0, 0.7], [0.2, 0.7, 1.0]])
FAULTS: dict[str, tuple[Any, str]] = {
    "asymmetric": (spoilt(20, 30, 0.4), "not symmetric"),
    "no kernel": (INDEFINITE, "least eigenvalue is -0"),
    "not normalised": (linear_kernel(np.arange(1.0, 9.0)[:, None]), r"rows 0 and \d+ .* differ, and both are most"),
    "scaled": ((TABLE - TABLE.mean(axis=0)) / TABLE.std(axis=0), "no kernel|differ"),
    "unclear": (TIED[[0, 2]], "row 0 .* most alike to column 0 and to column 1, which differ"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["svm", "kernel-machine", "kernel-perceptron", "kernel-ridge", "svr"])
@pytest.mark.covers("kernel-gram")
def test_columns_that_hold_no_kernel_are_refused(fault: str, name: str) -> None:
    table, words = FAULTS[fault]
    problem = "regression" if name in ("kernel-ridge", "svr") else "classification"
    y = np.arange(len(table)) % 2
    with pytest.raises(ValueError, match=words):
        of_columns(name, problem).fit(table, y)


def test_faults_are_told_by_the_names_of_columns() -> None:
    with pytest.raises(ValueError, match="'a' and to 'b'"):
        require_kernel_columns(TIED[[0, 2]], ["a", "b", "c"])
    with pytest.raises(ValueError, match="alike to 'c'"):
        require_kernel_columns(np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]), ["a", "b", "c"])
