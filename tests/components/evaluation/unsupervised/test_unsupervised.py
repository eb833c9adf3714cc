from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import manifold

from penstock.components.catalog import build
from penstock.components.evaluation.unsupervised.baseline import gain_over_floor
from penstock.components.evaluation.unsupervised.common_space import slopes
from penstock.components.evaluation.unsupervised.reconstruction import (
    explained_variance,
    held_out_entries,
    trustworthiness,
)
from penstock.components.evaluation.unsupervised.row_scores import RowScores, corrected, difference, joined
from penstock.components.evaluation.unsupervised.scores import all_scores, main_score, require_columns_to_reduce
from penstock.errors import DataError

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


@pytest.mark.parametrize(
    "name",
    ["pca", "sparse-pca", "truncated-svd", "lsa", "nmf", "ica", "entropy-ica", "als", "iterative-svd", "kernel-pca"],
)
def test_every_reducer_is_judged(halves: tuple[Array, Array], name: str) -> None:
    train, test = (np.abs(half) for half in halves)
    size = "topics" if name == "lsa" else "components"
    given = {size: 3, **({"kernel": "linear", "alpha": 1e-3} if name == "kernel-pca" else {})}
    model = build(name, given, seed=0, problem="reduction").fit(train)
    found = all_scores("reduction", model, train.mean(axis=0), test, 0)
    assert list(found) == ["reconstruction", "explained_variance", "trustworthiness"]
    assert found["explained_variance"].value > 0.5
    assert found["trustworthiness"].value > 0.8
    assert found["reconstruction"].value <= found["explained_variance"].value + 0.05


def test_trustworthiness_is_the_librarys(halves: tuple[Array, Array]) -> None:
    X = halves[1]
    for Z in (X[:, :1], X[:, :3], X):
        ours = trustworthiness(X, Z)
        assert ours.value == pytest.approx(manifold.trustworthiness(X, Z, n_neighbors=5))
    assert ours.value == 1


def test_the_density_of_unseen_rows(halves: tuple[Array, Array]) -> None:
    train, test = halves
    model = build("gaussian-mixture-density", {}, seed=0, problem="density").fit(train)
    found = main_score("density", model, train.mean(axis=0), test, 0)
    assert found.value == pytest.approx(model.score(test))


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
    with pytest.raises(DataError) as caught:
        require_columns_to_reduce(1)
    assert caught.value.code == "PEN345"


@pytest.mark.parametrize(
    ("problem", "name", "parameters"),
    [
        ("reduction", "pca", {"components": 2}),
        ("density", "gaussian-mixture-density", {"components": 2}),
        ("density", "kernel-density", {"bandwidth": 0.5}),
    ],
)
def test_columns_that_go_together_are_more_than_each_by_itself(
    halves: tuple[Array, Array], problem: Any, name: str, parameters: dict[str, Any]
) -> None:
    """And columns that tell nothing of each other are not, however they are reduced."""
    train, test = halves
    model = build(name, parameters, seed=0, problem=problem)
    gain = gain_over_floor(problem, model.fit(train), train, test, seed=0)
    assert 0 < gain.low <= gain.value <= gain.high
    rng = np.random.default_rng(1)
    alone, unseen = rng.normal(size=(200, 8)), rng.normal(size=(100, 8))
    none = gain_over_floor(problem, model.fit(alone), alone, unseen, seed=0)
    assert none.low <= 0
    groups = np.repeat(np.arange(10), 10)
    grouped = gain_over_floor(problem, model, alone, unseen, seed=0, groups=groups, confidence=0.9)
    assert (grouped.value, grouped.confidence) == (none.value, 0.9)


def test_the_floor_of_a_density_is_its_columns_by_themselves() -> None:
    """One Gaussian without correlations knows as much, a column that is constant included."""
    rng = np.random.default_rng(2)
    X = np.column_stack([rng.normal(3, 2, size=(300, 3)), np.ones(300)])
    plain = {"components": 1, "covariance_type": "diag"}
    model = build("gaussian-mixture-density", plain, seed=0, problem="density").fit(X[:200])
    gain = gain_over_floor("density", model, X[:200], X[200:], seed=0)
    assert [gain.low, gain.value, gain.high] == pytest.approx([0, 0, 0], abs=1e-9)
