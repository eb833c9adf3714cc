"""Columns that have the same say in a distance."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.feature_selection.weighting import EqualInfluence


@pytest.mark.parametrize("dissimilarity", ["squared", "absolute"])
def test_scikit_learn_agrees(dissimilarity: str) -> None:
    assert len(check_estimator(EqualInfluence(dissimilarity), on_skip=None)) > 30


@pytest.mark.covers("fs-weight-inverse-dissimilarity", "ex_mean_dissimilarity_2var")
def test_every_column_contributes_the_same_on_average() -> None:
    X = np.array([[0.0, 0], [1, 10], [2, 20], [5, 30]])
    model = build("equal-influence", {}, seed=0, problem="clustering").fit(X)
    assert model.mean_dissimilarity_[0] == pytest.approx(7)
    assert model.mean_dissimilarity_ == pytest.approx(2 * X.var(axis=0))
    assert model.weights_.sum() == pytest.approx(1)
    weighted = model.transform(X)
    contributions = ((weighted[:, None] - weighted[None]) ** 2).mean(axis=(0, 1))
    assert contributions == pytest.approx([6.809339, 6.809339], abs=1e-6)
    other = build("equal-influence", {}, seed=0, problem="clustering").fit(np.array([[1.0], [2], [4], [7]]))
    assert other.mean_dissimilarity_ == pytest.approx([10.5])
    # For squared differences it is the standardised table, but for one factor.
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    ratio = (weighted - weighted.mean(axis=0)) / np.where(standard == 0, 1, standard)
    assert ratio[np.abs(standard) > 1e-9] == pytest.approx(np.full((np.abs(standard) > 1e-9).sum(), ratio[0, 0]))


def test_absolute_differences_and_columns_that_do_not_vary() -> None:
    X = np.column_stack([[0.0, 1, 2, 5], [3.0] * 4])
    model = EqualInfluence("absolute").fit(X)
    pairs = np.abs(X[:, None, 0] - X[None, :, 0]).mean()
    assert model.mean_dissimilarity_ == pytest.approx([pairs, 0])
    assert model.weights_.tolist() == [1, 0]


@pytest.mark.covers("fs-weight-inverse-dissimilarity")
@pytest.mark.parametrize("dissimilarity", ["squared", "absolute"])
@pytest.mark.parametrize("level", [0.1, 0.3, 1e9 + 0.1])
def test_a_constant_whose_mean_is_rounded_has_no_say(dissimilarity: str, level: float) -> None:
    X = np.random.default_rng(0).normal(size=(30, 2))
    without, beside = (
        build("equal-influence", {"dissimilarity": dissimilarity}, seed=0, problem="clustering").fit(rows).weights_
        for rows in (X, np.column_stack([X, np.full(30, level)]))
    )
    assert beside == pytest.approx([*without, 0.0])
