from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import manifold

from penstock.components.catalog import build
from penstock.components.evaluation.unsupervised.common_space import slopes
from penstock.components.evaluation.unsupervised.reconstruction import (
    explained_variance,
    held_out_entries,
    trustworthiness,
)
from penstock.components.evaluation.unsupervised.row_scores import RowScores, corrected, difference, joined

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]


@pytest.fixture(scope="module")
def halves() -> tuple[Array, Array]:
    """Eight columns that two directions make, and a little noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2)) @ rng.normal(size=(2, 8)) + 0.2 * rng.normal(size=(300, 8)) + 3
    return X[:200], X[200:]


def test_held_out_entries_know_how_many_directions_there_are(halves: tuple[Array, Array]) -> None:
    train, test = halves
    mean = train.mean(axis=0)
    fitted = {k: build("pca", {"components": k}, seed=0, problem="reduction").fit(train) for k in (1, 2, 8)}
    explained = {k: explained_variance(model, test, mean).value for k, model in fitted.items()}
    hidden = {k: held_out_entries(model, test, mean, 0).value for k, model in fitted.items()}
    assert explained[8] == pytest.approx(1)
    assert explained[1] < explained[2] < explained[8]
    assert max(hidden, key=lambda k: hidden[k]) == 2
    assert hidden[2] > 0.8
    assert hidden[8] == pytest.approx(0, abs=1e-9)  # what is given comes back, the mean
    for name in ("als", "iterative-svd"):  # which take holes as holes
        model = build(name, {"components": 3}, seed=0, problem="reduction").fit(train)
        assert held_out_entries(model, test, mean, 0).value > 0.8


def test_trustworthiness_is_the_librarys(halves: tuple[Array, Array]) -> None:
    X = halves[1]
    for Z in (X[:, :1], X[:, :3], X):
        ours = trustworthiness(X, Z)
        assert ours.value == pytest.approx(manifold.trustworthiness(X, Z, n_neighbors=5))
    assert ours.value == 1


def test_a_ratio_of_sums_its_interval_and_the_price_of_picking() -> None:
    rng = np.random.default_rng(0)
    means = [RowScores(rng.normal(size=80), np.ones(80)) for _ in range(20)]
    assert means[0].value == pytest.approx(means[0].gain.mean())
    ratio = RowScores(np.array([1.0, 3.0]), np.array([2.0, 2.0]))
    assert (ratio.value, joined([ratio, ratio]).value) == (1.0, 1.0)
    assert RowScores(np.zeros(2), np.zeros(2)).value == 0
    told = means[0].interval(seed=0)
    assert told.low < told.value < told.high
    picked = corrected(means, seed=0)
    assert picked.naive == max(one.value for one in means)
    assert picked.corrected.value < picked.naive - 0.1  # twenty of nothing: the best of them is chance
    assert len(picked.candidates) == 20
    ahead = RowScores(means[0].gain + 0.5, means[0].base)
    both = difference(ahead, means[0], seed=0)
    assert (both.low, both.value, both.high) == pytest.approx((0.5, 0.5, 0.5))


def test_spaces_that_differ_by_units_can_be_compared() -> None:
    X = np.random.default_rng(0).normal(size=(50, 3))
    assert slopes(X, X * [2, 0.5, 1] + 1) == pytest.approx([2, 0.5, 1])
    assert slopes(X, X[:, :2]) is None
    assert slopes(X, X**3) is None
