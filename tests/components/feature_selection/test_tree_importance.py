from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from penstock.components.catalog import build
from penstock.components.feature_selection.tree_importance import TreeImportanceSelector

pytestmark = pytest.mark.usefixtures("one_thread")


@parametrize_with_checks([TreeImportanceSelector(trees=10)])
def test_it_is_a_scikit_learn_estimator(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("problem", ["classification", "regression"])
def test_trees_find_a_column_that_only_matters_with_another(problem: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 8))
    signal = X[:, 2] * X[:, 5] > 0
    y = signal.astype(int) if problem == "classification" else signal.astype(float)
    kept = build("tree-importance", {"keep": 2}, seed=0, problem=problem).fit(X, y)
    assert kept.get_support(indices=True).tolist() == [2, 5]
    assert kept.scores_.sum() == pytest.approx(1)
