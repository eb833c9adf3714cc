from __future__ import annotations

from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from penstock.components.catalog import build
from penstock.components.feature_selection import wrapping
from penstock.components.feature_selection.backward import BackwardSelector
from penstock.components.feature_selection.exhaustive import ExhaustiveSelector
from penstock.components.feature_selection.forward import ForwardSelector
from penstock.components.feature_selection.hold_out import HoldOutSelector
from penstock.errors import UsageError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

Array = np.ndarray[Any, Any]
SYLLABUS_COLUMNS, INFORMATIVE = 10, [1, 4, 8]


def selector(name: str, problem: str = "regression", **given: Any) -> Any:
    return build(name, given, seed=0, problem=problem)


def three_of_ten(problem: str) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, SYLLABUS_COLUMNS))
    signal = X[:, INFORMATIVE] @ [2.0, -2.0, 2.0] + 0.3 * rng.normal(size=150)
    return X, signal if problem == "regression" else (signal > 0).astype(int)


QUICK: dict[str, Any] = {"keep": 1, "folds": 2}


@parametrize_with_checks(
    [ForwardSelector(**QUICK), BackwardSelector(folds=2), ExhaustiveSelector(**QUICK), HoldOutSelector(keep=1)]
)
def test_they_are_scikit_learn_estimators(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of columns of every fit: each is scored once."""
    counted: list[int] = []

    def counting(model: Any, X: Array, y: Array) -> float:
        counted.append(X.shape[1])
        return score(model, X, y)

    score = wrapping.score
    monkeypatch.setattr(wrapping, "score", counting)
    return counted


@pytest.mark.covers("fs-sequential-cv", "proc_wrapper_forward")
@pytest.mark.parametrize("problem", ["regression", "classification"])
def test_forward_finds_the_three_and_fits_no_more_than_it_must(problem: str, fits: list[int]) -> None:
    X, y = three_of_ten(problem)
    found = selector("forward-selection", problem, keep=3, folds=3).fit(X, y)
    assert found.get_support(indices=True).tolist() == INFORMATIVE
    assert len(fits) == (10 + 9 + 8) * 3
    assert set(fits) == {1, 2, 3}


@pytest.mark.covers("fs-sequential-cv", "proc_wrapper_backward")
def test_backward_drops_the_other_seven(fits: list[int]) -> None:
    X, y = three_of_ten("regression")
    found = selector("backward-elimination", keep=3, folds=3).fit(X, y)
    assert found.get_support(indices=True).tolist() == INFORMATIVE
    assert len(fits) == sum(range(4, 11)) * 3
    assert set(fits) == set(range(3, 10))
    # Read to the letter, "for each unused feature", there is nothing to drop: at the start every feature is used.
    used = set(range(SYLLABUS_COLUMNS))
    assert [feature for feature in range(SYLLABUS_COLUMNS) if feature not in used] == []


@pytest.mark.parametrize("problem", ["regression", "classification"])
@pytest.mark.covers("fs-sequential-cv")
def test_forward_is_the_greedy_loop_on_the_same_folds(problem: str) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 6))
    y = X @ rng.normal(size=6) + rng.normal(size=80)
    y = y if problem == "regression" else (y > 0).astype(int)
    found = build("forward-selection", {"keep": 3, "folds": 4}, seed=1, problem=problem)
    model = make_pipeline(StandardScaler(), Ridge() if problem == "regression" else LogisticRegression())
    splits = found._splits(X, y)
    scoring = "neg_mean_squared_error" if problem == "regression" else "neg_log_loss"
    chosen: list[int] = []
    while len(chosen) < 3:
        rest = [column for column in range(6) if column not in chosen]
        scores = [cross_val_score(model, X[:, [*chosen, new]], y, cv=splits, scoring=scoring).mean() for new in rest]
        chosen.append(rest[int(np.argmax(scores))])
    assert found.fit(X, y).get_support(indices=True).tolist() == sorted(chosen)


@pytest.mark.covers("fs-sequential-cv")
def test_backward_is_the_greedy_loop_that_drops_what_is_missed_least() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(80, 5))
    y = X @ rng.normal(size=5) + rng.normal(size=80)
    found = build("backward-elimination", {"keep": 2, "folds": 4}, seed=1, problem="regression")
    model, splits = make_pipeline(StandardScaler(), Ridge()), found._splits(X, y)
    used = list(range(5))
    while len(used) > 2:
        scores = []
        for dropped in used:
            rest = [column for column in used if column != dropped]
            scores.append(cross_val_score(model, X[:, rest], y, cv=splits, scoring="neg_mean_squared_error").mean())
        used.pop(int(np.argmax(scores)))
    assert found.fit(X, y).get_support(indices=True).tolist() == used


def best_of_all(X: Array, y: Array, splits: Any, most: int) -> list[int]:
    subsets = chain.from_iterable(combinations(range(X.shape[1]), size) for size in range(1, most + 1))
    model = make_pipeline(StandardScaler(), Ridge())
    return list(
        max(
            subsets,
            key=lambda one: cross_val_score(model, X[:, one], y, cv=splits, scoring="neg_mean_squared_error").mean(),
        )
    )


@pytest.mark.covers("fs-wrapper-holdout")
@pytest.mark.parametrize("columns", [3, 5])
def test_the_hold_out_wrapper_is_brute_force_over_all_subsets(columns: int, fits: list[int]) -> None:
    rng = np.random.default_rng(columns)
    X = rng.normal(size=(60, columns))
    y = X[:, 0] + 0.3 * X[:, -1] + rng.normal(size=60)
    found = selector("hold-out-wrapper", keep=columns)
    assert found.fit(X, y).get_support(indices=True).tolist() == best_of_all(X, y, found._splits(X, y), columns)
    assert len(fits) == 2**columns - 1
    for seed in range(5):  # a column without noise is always among those kept
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(40, 4))
        assert selector("hold-out-wrapper").fit(X, X[:, 2]).get_support()[2]


def test_exhaustive_is_brute_force_on_inner_folds() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 5))
    y = X[:, 1] - X[:, 3] + 2 * rng.normal(size=60)
    found = selector("exhaustive-selection", keep=3)
    assert found.fit(X, y).get_support(indices=True).tolist() == best_of_all(X, y, found._splits(X, y), 3)


def test_exhaustive_refuses_what_would_never_end() -> None:
    X = np.random.default_rng(0).normal(size=(30, 25))
    with pytest.raises(UsageError, match="25 columns have 68,405 sets of at most 5") as caught:
        selector("exhaustive-selection").fit(X, X[:, 0])
    assert caught.value.code == "PEN026"
    assert "choose forward-selection" in caught.value.remedy


def test_the_hold_out_wrapper_goes_forward_where_there_are_many(fits: list[int]) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 25))
    found = selector("hold-out-wrapper", keep=3).fit(X, X[:, 7] + 0.1 * rng.normal(size=80))
    assert found.get_support()[7]
    assert len(fits) == 25 + 24 + 23


def test_a_class_of_one_row_does_no_harm() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 4)), np.r_[np.zeros(20), np.ones(19), 2].astype(int)
    for name in ("forward-selection", "hold-out-wrapper"):
        assert 1 <= selector(name, "classification", keep=2).fit_transform(X, y).shape[1] <= 2


def test_keeping_more_than_there_are_keeps_all() -> None:
    X = np.random.default_rng(0).normal(size=(30, 3))
    for name in ("forward-selection", "backward-elimination"):
        assert selector(name, keep=9).fit_transform(X, X[:, 0]).shape == (30, 3)


@pytest.mark.parametrize(
    "name", ["forward-selection", "backward-elimination", "exhaustive-selection", "hold-out-wrapper"]
)
def test_one_class_is_refused_and_a_class_of_one_row_is_borne(name: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 6))
    for rows, y in ((30, np.full(30, "only")), (2, np.array(["a", "b"]))):
        with pytest.raises(ValueError, match=r"at least 2 classes .* only one class"):
            selector(name, "classification", keep=2).fit(X[:rows], y[:rows])
    # The fold that evaluates the only row of its class leaves none to learn from, and is left out.
    alone = np.where(np.arange(30) == 4, "rare", "usual")
    assert selector(name, "classification", keep=2).fit(X, alone).get_support().sum() in (1, 2)


@pytest.mark.parametrize("problem", ["classification", "regression"])
def test_a_hold_out_leaves_rows_to_learn_from(problem: str) -> None:
    X, y = three_of_ten(problem)
    found = selector("hold-out-wrapper", problem, keep=1, share=0.999).fit(X, y)
    assert found.get_support().sum() == 1
