"""Numbers at the ends of what there is, and columns far from zero: refused in clear words, or answered rightly."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from penstock.components.catalog import build
from penstock.components.kernels.kernel import Kernel
from penstock.components.magnitude import require_computable, require_squarable
from tests.components.test_bad_input import OWN, OWN_STEPS, made, rows

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
REFUSED = ("too large for dtype", "no value large enough")
SCALES = [1e-200, 1e-160, 1e200]


def stretched(X: Array, y: Array, where: str, scale: float) -> tuple[Array, Array]:
    X, y = X.copy(), y.copy()
    if where == "rows":
        X *= scale
    elif where == "column":
        X[:, 1] *= scale
    elif where == "cell":
        X[3, 1] = scale
    else:
        y *= scale
    return X, y


def outcome(model: Any, X: Array, y: Array, ask: str) -> str:
    """The words of a refusal, or none where all answers are numbers, and nothing was warned of."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message="No features were selected")
        warnings.filterwarnings("ignore", message="overflow encountered in cast")  # of trees, which then refuse
        warnings.filterwarnings("ignore", message="invalid value encountered in reduce")
        try:
            found = np.asarray(getattr(model.fit(X, y), ask)(X))
        except ValueError as error:
            return str(error)
    assert np.isfinite(found).all()
    return ""


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("name", "problem"), OWN)
def test_predictors_at_the_ends_of_numbers(name: str, problem: str, scale: float) -> None:
    X, y = rows(problem, 24)
    ask = "predict_proba" if problem == "classification" else "predict"
    for where in ("rows", "column", "cell", *(["target"] if problem == "regression" else [])):
        words = outcome(made(name, problem), *stretched(X, y, where, scale), ask)
        assert not words or any(part in words for part in REFUSED), where
        assert not words or scale > 1 or where == "rows"  # what is tiny beside others hardly changes


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("name", "problem"), OWN_STEPS)
def test_steps_at_the_ends_of_numbers(name: str, problem: str, scale: float) -> None:
    X, y = rows(problem, 24)
    for where in ("rows", "column", "cell"):
        words = outcome(made(name, problem), *stretched(np.abs(X), y, where, scale), "transform")
        assert not words or any(part in words for part in REFUSED), where
        assert not words or scale > 1 or where == "rows"


def test_words_name_the_input_and_its_largest_number() -> None:
    with pytest.raises(ValueError, match=r"Input y contains a value too large .* to be squared: 1e\+200"):
        require_squarable([1.0, -1e200], "y")
    with pytest.raises(ValueError, match="squared twice"):
        require_squarable([[1e100]], twice=True)
    with pytest.raises(ValueError, match="no value large enough"):
        require_computable(np.full((2, 2), 1e-200))
    for known_elsewhere in ([[np.nan, 1.0]], [[np.inf]], [["a"]], np.zeros((2, 2)), np.empty((0, 2))):
        require_computable(known_elsewhere)


def test_a_target_in_any_unit() -> None:
    X, y = rows("regression")
    for name in ("svr", "kernel-machine"):
        plain = build(name, {}, seed=0, problem="regression").fit(X, y).predict(X)
        for unit in (1e-250, 1e120):
            found = build(name, {}, seed=0, problem="regression").fit(X, y * unit).predict(X)
            assert found / unit == pytest.approx(plain, rel=1e-9)


@pytest.mark.parametrize("far", [1e6, 1e9])
@pytest.mark.parametrize(
    ("name", "problem", "given"),
    [
        ("svr", "regression", {}),
        ("svr", "regression", {"kernel": "linear"}),
        ("kernel-ridge", "regression", {}),
        ("kernel-machine", "regression", {}),
        ("kernel-machine", "classification", {}),
        ("kernel-neighbours", "regression", {}),
        ("bridge", "classification", {}),
        ("penalised-risk", "classification", {}),
        ("penalised-risk", "classification", {"loss": "logistic"}),
        ("penalised-risk", "classification", {"loss": "squared"}),
        ("known-densities", "classification", {}),
        ("rbf-svm", "classification", {}),
        ("svm", "classification", {}),
        ("svm", "classification", {"solver": "exact"}),
        ("svm", "classification", {"solver": "smo"}),
    ],
)
def test_it_is_the_same_problem_wherever_zero_is(name: str, problem: str, given: dict[str, Any], far: float) -> None:
    X, y = rows(problem)
    X = np.round(X * 2**10) / 2**10  # so that no digit is lost on the way
    ask = "predict_proba" if problem == "classification" else "predict"
    near, there = (
        getattr(build(name, given, seed=0, problem=problem).fit(rows_at[:30], y[:30]), ask)(rows_at[30:])
        for rows_at in (X, X + far)
    )
    assert there == pytest.approx(near, abs=1e-5 if far < 1e8 else 1e-2)


def test_the_delta_rule_reaches_a_target_far_from_zero() -> None:
    X, y = rows("regression")
    near, there = (build("delta-rule", {}, seed=0, problem="regression").fit(X, y + far) for far in (0.0, 1e9))
    assert there.predict(X) - 1e9 == pytest.approx(near.predict(X), abs=1e-5)


@pytest.mark.parametrize("words", ["rbf", "laplacian", "normalised(exponential)"])
def test_kernels_of_distances_keep_their_digits(words: str) -> None:
    X = np.round(rows("regression")[0] * 2**10) / 2**10
    assert Kernel(words)(X[:9] + 1e9, X + 1e9) == pytest.approx(Kernel(words)(X[:9], X), abs=1e-9)


def test_one_outlier_takes_no_digits_from_the_others() -> None:
    X = np.vstack([rows("regression")[0], np.full((1, 4), 1e12)])
    assert Kernel("rbf")(X)[:-1, :-1] == pytest.approx(Kernel("rbf")(X[:-1]), abs=1e-9)
