from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from penstock.components.catalog import build
from penstock.components.feature_selection.stability import StabilitySelector

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]


def selector(problem: str = "regression", **given: Any) -> Any:
    return build("stability-selection", {"pairs": 20, **given}, seed=0, problem=problem)


@pytest.mark.filterwarnings("ignore:No features were selected")  # of noise it may keep none
@parametrize_with_checks([StabilitySelector(threshold=0.51, pairs=3, wrong=50.0)])
def test_it_is_a_scikit_learn_estimator(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("case", ["quantity", "two classes", "three classes"])
def test_what_matters_is_kept_and_noise_is_not(case: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 60))
    signal = 2 * X[:, 3] - 2 * X[:, 40] + 0.5 * rng.normal(size=200)
    y = {"quantity": signal, "two classes": (signal > 0).astype(int), "three classes": np.digitize(signal, [-1.5, 1.5])}
    found = selector("regression" if case == "quantity" else "classification").fit(X, y[case])
    assert found.get_support(indices=True).tolist() == [3, 40]
    assert found.shares_[[3, 40]].min() > 0.95


def test_the_bound_is_the_one_that_was_asked_for() -> None:
    X = np.random.default_rng(0).normal(size=(40, 100))
    for threshold, wrong, early in [(0.75, 1.0, 7), (0.6, 2.0, 6), (0.9, 5.0, 20)]:
        found = selector(threshold=threshold, wrong=wrong, pairs=1).fit(X, X[:, 0])
        assert found.bound_ == pytest.approx(early**2 / ((2 * threshold - 1) * 100))
        assert found.bound_ <= wrong
        assert np.count_nonzero(found.shares_) <= 2 * early


def test_of_pure_noise_no_more_is_kept_than_the_bound_says() -> None:
    """All columns are noise by its definition, so what is kept on average is what the bound is about."""
    kept = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(60, 40)), rng.normal(size=60)
        found = StabilitySelector(threshold=0.6, wrong=2.0, pairs=15, random_state=seed).fit(X, y)
        kept.append(int(found.get_support().sum()))
    assert np.mean(kept) <= found.bound_


def test_the_seed_decides() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 10)), rng.normal(size=60)
    first, second, other = (StabilitySelector(pairs=5, random_state=seed).fit(X, y).shares_ for seed in (1, 1, 2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)
