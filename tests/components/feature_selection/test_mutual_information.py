from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from penstock.components.catalog import build
from penstock.components.feature_selection.mutual_information import MutualInformationSelector


@parametrize_with_checks([MutualInformationSelector()])
def test_it_is_a_scikit_learn_estimator(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


@pytest.mark.covers("fs-filter-mutual-info")
def test_counted_information_equals_the_definition() -> None:
    y = np.array([0, 1] * 8)
    independent = np.array([0, 0, 1, 1] * 4)
    selector = build("mutual-information", {"keep": 1}, seed=0, problem="classification")
    selector.fit(np.column_stack([independent, y]).astype(float), y)
    assert selector.scores_ == pytest.approx([0.0, np.log(2)], abs=1e-12)
    assert selector.get_support().tolist() == [False, True]

    # PlayTennis, the eight rows that are complete: Outlook against the decision.
    outlook = ["Sunny", "Sunny", "Overcast", "Rain", "Overcast", "Sunny", "Sunny", "Rain"]
    play = np.array([0, 0, 1, 0, 1, 0, 1, 1])
    codes = np.array([["Sunny", "Overcast", "Rain"].index(word) for word in outlook], dtype=float)
    nats = selector.fit(codes[:, None], play).scores_[0]
    assert nats == pytest.approx(0.238693, abs=1e-6)
    assert nats / np.log(2) == pytest.approx(0.344361, abs=1e-6)


def test_scaling_a_counted_column_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(60, 3)).astype(float)
    y = (X[:, 0] + rng.normal(size=60) > 1.5).astype(int)
    plain, scaled = (MutualInformationSelector(keep=2).fit(part, y).scores_ for part in (X, (X - 1.7) / 0.3))
    assert np.array_equal(plain, scaled)


@pytest.mark.parametrize("target", ["classes", "quantity", "whole quantity"])
def test_the_telling_columns_are_kept_in_their_order(target: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    X[:, 3] = rng.integers(0, 2, 300)
    signal = 2 * X[:, 1] + 3 * X[:, 3]
    y = {"classes": (signal > 1).astype(int), "quantity": signal, "whole quantity": np.round(5 * signal)}[target]
    selector = MutualInformationSelector(keep=2, random_state=0).fit(X, y)
    assert selector.get_support(indices=True).tolist() == [1, 3]
    assert np.array_equal(selector.transform(X), X[:, [1, 3]])


def test_keeping_more_than_there_are_keeps_all() -> None:
    X = np.random.default_rng(0).normal(size=(30, 4))
    assert MutualInformationSelector(keep=99).fit_transform(X, X[:, 0]).shape == (30, 4)


def test_ties_keep_the_first_columns() -> None:
    X = np.tile(np.array([0.0, 1.0] * 10)[:, None], (1, 4))
    assert MutualInformationSelector(keep=2).fit(X, X[:, 0].astype(int)).get_support(indices=True).tolist() == [0, 1]


def test_the_seed_decides() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    first, second = (MutualInformationSelector(random_state=1).fit(X, y).scores_ for _ in range(2))
    assert np.array_equal(first, second)


def test_very_few_rows_are_enough() -> None:
    X = np.array([[0.1, 1.0], [0.2, 0.0], [0.4, 1.0]])
    assert MutualInformationSelector(keep=1).fit_transform(X, np.array([1.0, 2.0, 4.0])).shape == (3, 1)


def test_classes_of_one_row_each_are_refused() -> None:
    with pytest.raises(ValueError, match="needs a class with at least 2 samples"):
        MutualInformationSelector().fit(np.eye(3), ["a", "b", "c"])
