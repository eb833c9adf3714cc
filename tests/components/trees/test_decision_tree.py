from __future__ import annotations

import numpy as np
import pytest

from penstock.components.catalog import build


@pytest.mark.covers("tree-cart-regressor")
def test_the_split_with_the_least_squares() -> None:
    x = np.array([[1.0], [2.0], [3.0], [4.0]])
    y = np.array([0.0, 0.0, 1.0, 1.0])
    model = build("decision-tree", {"max_depth": 1}, seed=0, problem="regression").fit(x, y)
    assert model.tree_.threshold[0] == 2.5
    assert sorted(model.tree_.value[1:, 0, 0]) == [0.0, 1.0]
    assert np.sum((y - model.predict(x)) ** 2) == 0.0


def test_a_tree_of_one_question_answers_with_shares() -> None:
    x = np.repeat([0.0, 1.0], 4)[:, None]
    y = np.array([1, 0, 0, 0, 1, 1, 1, 0])
    model = build("decision-tree", {"max_depth": 1}, seed=0, problem="classification").fit(x, y)
    assert model.predict_proba([[0.0], [1.0]])[:, 1].tolist() == [0.25, 0.75]
