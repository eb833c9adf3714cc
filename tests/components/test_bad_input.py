"""What own estimators make of bad or strange rows: a clear error in scikit-learn's words, or a right answer."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags

from penstock.components.catalog import build, class_of, entries
from tests.methods import problems_of

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
# What costs time and decides nothing here.
QUICK: dict[str, dict[str, Any]] = {
    "backward-elimination": {"folds": 2},
    "bagging": {"n_estimators": 3},
    "delta-rule": {"max_iter": 50},
    "exhaustive-selection": {"keep": 2, "folds": 2},
    "forward-selection": {"folds": 2, "keep": 2},
    "hold-out-wrapper": {"keep": 2},
    "perceptron": {"max_iter": 5},
    "random-subspace": {"n_estimators": 3},
    "stability-selection": {"pairs": 5, "threshold": 0.6, "wrong": 20.0},
    "stacking": {"folds": 2},
}
OWN = [
    pytest.param(entry.name, problem, id=f"{entry.name}-{problem}")
    for entry in entries().values()
    for problem in problems_of(entry)
    if problem in ("classification", "regression")
    and class_of(entry, problem).__module__.startswith("penstock.components")
    and entry.kind in ("classifier", "regressor", "predictor")
    and entry.extra is None
]
STEPS = ("clipper", "imputer", "basis", "scaler", "selector", "extractor")
OWN_STEPS = [
    pytest.param(
        entry.name, "regression" if "regression" in problems_of(entry) else problems_of(entry)[0], id=entry.name
    )
    for entry in entries().values()
    if entry.kind in STEPS
    and {"classification", "regression"} & set(problems_of(entry))
    and class_of(entry, problems_of(entry)[0]).__module__.startswith("penstock.components")
]
CLASSIFIERS = [one for one in OWN if one.values[1] == "classification"]


def rows(problem: str, count: int = 40, columns: int = 4) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(count, columns))
    signal = X[:, 0] - X[:, 1] + 0.3 * rng.normal(size=count)
    return X, (signal > np.median(signal)).astype(int) if problem == "classification" else signal


def made(name: str, problem: str) -> Any:
    return build(name, QUICK.get(name, {}), seed=0, problem=problem)


def fitted(name: str, problem: str, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a solver may say that it did not come to rest
        return made(name, problem).fit(X, y)


def answers(model: Any, X: Any, problem: str) -> Array:
    """Probabilities that sum to one, or values; finite in any case."""
    said = np.asarray(model.predict_proba(X) if problem == "classification" else model.predict(X))
    assert np.isfinite(said).all()
    if problem == "classification":
        assert said.sum(axis=1) == pytest.approx(np.ones(len(X)))
    return said


def test_there_are_many() -> None:
    assert len(OWN) > 30


@pytest.mark.parametrize(("name", "problem"), OWN)
def test_missing_values_are_refused_or_dealt_with(name: str, problem: str) -> None:
    X, y = rows(problem)
    X[3, 1] = np.nan
    if get_tags(made(name, problem)).input_tags.allow_nan:
        answers(fitted(name, problem, X, y), X, problem)
        return
    with pytest.raises(ValueError, match="NaN"):
        fitted(name, problem, X, y)
    whole, y = rows(problem)
    model = fitted(name, problem, whole, y)
    with pytest.raises(ValueError, match="NaN"):
        model.predict(X)
    whole[2, 2] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        fitted(name, problem, whole, y)


def refusal_of(name: str, problem: str, X: Array, y: Array) -> tuple[str, Array | None]:
    """The words of the error, or the answers."""
    try:
        return "", np.asarray(fitted(name, problem, X, y).predict(X))
    except ValueError as error:
        return str(error), None


@pytest.mark.parametrize(("name", "problem"), CLASSIFIERS)
def test_one_class_is_refused_or_answered(name: str, problem: str) -> None:
    X, y = rows(problem)
    words, found = refusal_of(name, problem, X, np.full(len(y), "only"))
    assert "class" in words or (found is not None and set(found) == {"only"})


@pytest.mark.parametrize(("name", "problem"), OWN)
def test_one_row_is_refused_or_answered(name: str, problem: str) -> None:
    X, y = rows(problem)
    words, found = refusal_of(name, problem, X[:1], y[:1])
    if found is None:
        assert any(word in words for word in ("1 sample", "class", "n_samples"))
    elif problem == "classification":
        assert found.tolist() == y[:1].tolist()
    else:
        assert np.isfinite(found).all()


@pytest.mark.parametrize(("name", "problem"), OWN)
def test_constant_columns_change_nothing_and_nothing_but_them_is_no_error(name: str, problem: str) -> None:
    X, y = rows(problem)
    for given in (np.column_stack([X, np.full(len(y), 7.0), np.zeros(len(y))]), np.full((len(y), 3), 5.0)):
        said = answers(fitted(name, problem, given, y), given, problem)
        if given.shape[1] == 3:
            assert said == pytest.approx(np.repeat(said[:1], len(y), axis=0), rel=1e-6, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "problem"), OWN)
def test_values_never_met_have_an_answer(name: str, problem: str) -> None:
    rng = np.random.default_rng(0)
    _, y = rows(problem)
    X = rng.integers(0, 3, size=(40, 4)).astype(float)
    model = fitted(name, problem, X, y)
    for stranger in (9.0, -1.0, 0.5):
        answers(model, np.full((2, 4), stranger), problem)


@pytest.mark.parametrize(("name", "problem"), CLASSIFIERS)
@pytest.mark.parametrize(
    "labels",
    [["no", "yes"], [False, True], [-1, 1], [7, 3], [2.0, 5.0], np.array(["a", "b"], dtype=object)],
    ids=["words", "booleans", "signs", "numbers", "whole floats", "objects"],
)
def test_labels_of_any_type_come_back(name: str, problem: str, labels: Any) -> None:
    X, y = rows(problem)
    wanted = np.asarray(labels)[y]
    model = fitted(name, problem, X, wanted)
    found = np.asarray(model.predict(X))
    assert model.classes_.tolist() == sorted(set(wanted.tolist()))
    assert set(found.tolist()) <= set(wanted.tolist())
    assert found.dtype.kind == wanted.dtype.kind or {found.dtype.kind, wanted.dtype.kind} <= {"U", "O"}


@pytest.mark.parametrize(("name", "problem"), CLASSIFIERS)
def test_quantities_are_no_classes(name: str, problem: str) -> None:
    X, _ = rows(problem)
    with pytest.raises(ValueError, match="label"):
        fitted(name, problem, X, X[:, 0])


@pytest.mark.parametrize(("name", "problem"), OWN)
@pytest.mark.parametrize("scale", [1e-12, 1e12], ids=["tiny", "huge"])
def test_tiny_and_huge_columns(name: str, problem: str, scale: float) -> None:
    X, y = rows(problem)
    answers(fitted(name, problem, X * scale, y), X * scale, problem)
    mixed = X * [1.0, scale, 1.0, 1.0]
    answers(fitted(name, problem, mixed, y), mixed, problem)


@pytest.mark.parametrize(("name", "problem"), OWN)
def test_many_more_columns_than_rows(name: str, problem: str) -> None:
    X, y = rows(problem, 12, 150)
    model = fitted(name, problem, X, y)
    answers(model, X, problem)
    with pytest.raises(ValueError, match=r"(?i)features"):
        model.predict(X[:, :3])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "problem"), OWN_STEPS)
@pytest.mark.parametrize("case", ["missing", "constant", "tiny", "huge", "wide"])
def test_steps_on_strange_rows(name: str, problem: str, case: str) -> None:
    X, y = rows(problem, *((8, 12) if case == "wide" else (40, 4)))
    X = np.abs(X)  # some take no negative numbers
    if case == "missing":
        X[3, 1] = np.nan
    elif case == "constant":
        X = np.column_stack([X, np.full(len(y), 7.0)])
    elif case in ("tiny", "huge"):
        X *= 1e-12 if case == "tiny" else 1e12
    if case == "missing" and not get_tags(made(name, problem)).input_tags.allow_nan:
        with pytest.raises(ValueError, match="NaN"):
            fitted(name, problem, X, y)
        return
    model = fitted(name, problem, X, y)
    if (name, case) == ("l1", "tiny"):  # its penalty counts in the units of the columns, which should be scaled
        with pytest.warns(UserWarning, match="No features were selected"):
            assert model.transform(X).shape[1] == 0
        return
    found = np.asarray(model.transform(X))
    assert len(found) == len(X)
    assert np.isfinite(found).all() or case == "missing"


@pytest.mark.parametrize(("name", "problem"), OWN)
def test_columns_by_other_names_or_in_another_order_are_refused(name: str, problem: str) -> None:
    X, y = rows(problem)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = fitted(name, problem, frame, y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert np.asarray(model.predict(frame)) == pytest.approx(np.asarray(fitted(name, problem, X, y).predict(X)))
    for other in (frame.rename(columns={"a": "z"}), frame[["b", "a", "c", "d"]]):
        with pytest.raises(ValueError, match="The feature names should match"):
            model.predict(other)


# What no double can hold, or what rounding has eaten.
FAR: list[tuple[str, str, dict[str, Any], float, str]] = [
    ("kernel-machine", "classification", {"kernel": "poly", "gamma": 1.0}, 1e100, "too large for dtype"),
    ("kernel-machine", "regression", {"kernel": "poly", "gamma": 1.0}, 1e100, "too large for dtype"),
    ("kernel-perceptron", "classification", {"kernel": "poly", "gamma": 1.0}, 1e100, "too large for dtype"),
    ("kernel-ridge", "regression", {"kernel": "poly"}, 1e120, "too large for dtype"),
    ("kernel-machine", "classification", {"kernel": "poly", "gamma": 1.0}, 1e6, "raise the penalty"),
    ("kernel-machine", "regression", {"kernel": "poly", "gamma": 1.0}, 1e6, "raise the penalty"),
    ("kernel-machine", "classification", {"kernel": "linear", "gamma": 1.0}, 1e12, "raise the penalty"),
]


@pytest.mark.parametrize(("name", "problem", "given", "scale", "words"), FAR)
def test_kernels_beyond_all_digits_are_refused(
    name: str, problem: str, given: dict[str, Any], scale: float, words: str
) -> None:
    X, y = rows(problem)
    with pytest.raises(ValueError, match=words):
        build(name, given, seed=0, problem=problem).fit(X * scale + scale, y)
    if words == "too large for dtype":
        model = build(name, given, seed=0, problem=problem).fit(X, y)
        with pytest.raises(ValueError, match=words):
            model.predict(np.full((2, 4), 1e300))


@pytest.mark.parametrize(("name", "problem"), [("svm", "classification"), ("svr", "regression")])
def test_rows_beyond_a_polynomial_are_refused(name: str, problem: str) -> None:
    X, y = rows(problem)
    model = build(name, {"kernel": "poly"}, seed=0, problem=problem).fit(X, y)
    with pytest.raises(ValueError, match="too large for dtype"):
        model.predict(np.full((2, 4), 1e300))


def test_a_column_of_another_size_leaves_the_straight_programme_as_it_is() -> None:
    X, y = rows("classification")
    large = X * [1.0, 1e8, 1.0, 1.0]
    for penalty in ("none", "l1"):
        model = build("penalised-risk", {"loss": "hinge", "penalty": penalty}, seed=0, problem="classification")
        answers(model.fit(large, y), large, "classification")
    free = build("penalised-risk", {"loss": "hinge", "penalty": "none"}, seed=0, problem="classification")
    assert free.fit(large, y).decision_function(large) == pytest.approx(free.fit(X, y).decision_function(X), abs=1e-6)


def test_chances_of_very_long_counts_sum_to_one() -> None:
    X, y = rows("classification")
    model = build("multinomial-naive-bayes", {"rescale": False}, seed=0, problem="classification")
    answers(model.fit(np.abs(X) + 1e12, y), np.abs(X) + 1e12, "classification")


@pytest.mark.parametrize("problem", ["classification", "regression"])
def test_polynomials_of_columns_far_from_zero_come_to_an_end(problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.components.svm.classifier.MAX_STEPS_OF_LIBSVM", 1000)
    X, y = rows(problem)
    name = "svm" if problem == "classification" else "svr"
    few = {} if problem == "classification" else {"max_iter": 1000}
    model = build(name, {"kernel": "poly", **few}, seed=0, problem=problem)
    with pytest.warns(ConvergenceWarning, match="Solver terminated early"):
        answers(model.fit(X + 1000, y), X + 1000, problem)


def test_no_regression_by_support_vectors_is_without_an_end() -> None:
    assert build("svr", {}, seed=0, problem="regression").get_params()["max_iter"] > 0


@pytest.mark.parametrize(
    ("name", "given"), [("ridge", {}), ("ridge", {"positive": True}), ("linear-regression", {"positive": True})]
)
def test_weights_below_zero_are_refused(name: str, given: dict[str, Any]) -> None:
    X, y = rows("regression")
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        build(name, given, seed=0, problem="regression").fit(X, y, sample_weight=-np.ones(len(y)))


def test_absolute_errors_stop_after_steps_by_the_row_and_not_by_its_weight() -> None:
    X, y = rows("regression")
    model = build("penalised-risk", {"loss": "absolute", "max_iter": 10}, seed=0, problem="regression")
    with pytest.warns(ConvergenceWarning):
        assert model.fit(X, y, sample_weight=np.full(len(y), 1e10)).n_iter_ <= 10 * len(y)


def test_boosting_is_silent_about_rows_that_weigh_nothing() -> None:
    X, y = rows("classification")
    weight = (np.arange(len(y)) >= 10).astype(float)
    made = [build("ada-boost", {"n_estimators": 4}, seed=0, problem="classification") for _ in range(2)]
    answered = made[0].fit(X, y, sample_weight=weight).predict_proba(X)
    assert answered == pytest.approx(made[1].fit(X[10:], y[10:]).predict_proba(X))


@pytest.mark.parametrize("name", ["kernel-ridge", "svr", "linear-regression"])
def test_what_says_that_it_takes_sparse_tables_does(name: str) -> None:
    X, y = rows("regression")
    for given in ({"positive": True}, {}) if name == "linear-regression" else ({"kernel": "rbf + linear"}, {}):
        model = build(name, given, seed=0, problem="regression")
        if get_tags(model).input_tags.sparse:
            model.fit(csr_array(X), y).predict(csr_array(X))
        else:
            with pytest.raises(TypeError, match="Sparse data was passed"):
                model.fit(csr_array(X), y)
