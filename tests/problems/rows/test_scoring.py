from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.catalog import build
from penstock.errors import DataError
from penstock.problems.density.scoring import DensityScoring
from penstock.problems.reduction.fit import require_columns
from penstock.problems.reduction.scoring import ReductionScoring
from penstock.problems.rows.unsupervised.scoring import Scoring

Array = np.ndarray[Any, Any]


@pytest.fixture(scope="module")
def halves() -> tuple[Array, Array]:
    """Eight columns that two directions make, and a little noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2)) @ rng.normal(size=(2, 8)) + 0.2 * rng.normal(size=(300, 8)) + 3
    return X[:200], X[200:]


@pytest.mark.parametrize(
    "name",
    ["pca", "sparse-pca", "truncated-svd", "lsa", "nmf", "ica", "entropy-ica", "als", "iterative-svd", "kernel-pca"],
)
def test_every_reducer_is_judged(halves: tuple[Array, Array], name: str) -> None:
    train, test = (np.abs(half) for half in halves)
    size = "topics" if name == "lsa" else "components"
    given = {size: 3, **({"kernel": "linear", "alpha": 1e-3} if name == "kernel-pca" else {})}
    model = build(name, given, seed=0, problem="reduction").fit(train)
    found = ReductionScoring().all(model, train.mean(axis=0), test, 0)
    assert list(found) == ["reconstruction", "explained_variance", "trustworthiness"]
    assert found["explained_variance"].value > 0.5
    assert found["trustworthiness"].value > 0.8
    assert found["reconstruction"].value <= found["explained_variance"].value + 0.05


def test_the_density_of_unseen_rows(halves: tuple[Array, Array]) -> None:
    train, test = halves
    model = build("gaussian-mixture-density", {}, seed=0, problem="density").fit(train)
    found = DensityScoring().main(model, train.mean(axis=0), test, 0)
    assert found.value == pytest.approx(model.score(test))


def test_one_column_cannot_be_reduced() -> None:
    with pytest.raises(DataError) as caught:
        require_columns(1)
    assert caught.value.code == "PEN345"


@pytest.mark.parametrize(
    ("scoring", "name", "parameters"),
    [
        (ReductionScoring(), "pca", {"components": 2}),
        (DensityScoring(), "gaussian-mixture-density", {"components": 2}),
        (DensityScoring(), "kernel-density", {"bandwidth": 0.5}),
    ],
)
def test_columns_that_go_together_are_more_than_each_by_itself(
    halves: tuple[Array, Array], scoring: Scoring, name: str, parameters: dict[str, Any]
) -> None:
    """And columns that tell nothing of each other are not, however they are reduced."""
    train, test = halves
    model = build(name, parameters, seed=0)
    gain = scoring.gain_over_floor(model.fit(train), train, test, seed=0)
    assert 0 < gain.low <= gain.value <= gain.high
    rng = np.random.default_rng(1)
    alone, unseen = rng.normal(size=(200, 8)), rng.normal(size=(100, 8))
    none = scoring.gain_over_floor(model.fit(alone), alone, unseen, seed=0)
    assert none.low <= 0
    groups = np.repeat(np.arange(10), 10)
    grouped = scoring.gain_over_floor(model, alone, unseen, seed=0, groups=groups, confidence=0.9)
    assert (grouped.value, grouped.confidence) == (none.value, 0.9)


def test_the_floor_of_a_density_is_its_columns_by_themselves() -> None:
    """One Gaussian without correlations knows as much, a column that is constant included."""
    rng = np.random.default_rng(2)
    X = np.column_stack([rng.normal(3, 2, size=(300, 3)), np.ones(300)])
    plain = {"components": 1, "covariance_type": "diag"}
    model = build("gaussian-mixture-density", plain, seed=0, problem="density").fit(X[:200])
    gain = DensityScoring().gain_over_floor(model, X[:200], X[200:], seed=0)
    assert [gain.low, gain.value, gain.high] == pytest.approx([0, 0, 0], abs=1e-9)
