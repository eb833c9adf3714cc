from __future__ import annotations

import numpy as np
import pytest

from penstock.components.catalog import build
from penstock.components.trees.impurity import gain, impurity


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


@pytest.mark.covers(
    "tree-cart-classifier", "ex_gini_extremes", "met_gini", "met_misclassification_impurity", "met_entropy_impurity"
)
def test_gini_and_entropy_see_what_the_share_of_mistakes_does_not() -> None:
    """Eight hundred rows, half of either class; A parts them 300:100 and 100:300, B 200:400 and 200:0."""
    y = np.repeat([0, 1], 400)
    a = np.concatenate([np.repeat([0, 1], [300, 100]), np.repeat([0, 1], [100, 300])])
    b = np.concatenate([np.repeat([0, 1], [200, 200]), np.repeat([0, 1], [400, 0])])
    expected = {"gini": (0.125, 0.166667), "entropy": (0.188722, 0.311278)}
    for criterion, gains in expected.items():
        for column, saved in zip((a, b), gains, strict=True):
            tree = build("decision-tree", {"criterion": criterion, "max_depth": 1}, seed=0, problem="classification")
            grown = tree.fit(column[:, None], y).tree_
            share = grown.n_node_samples[1:] / 800
            assert grown.impurity[0] - share @ grown.impurity[1:] == pytest.approx(saved, abs=1e-6)
        both = build("decision-tree", {"criterion": criterion, "max_depth": 1}, seed=0, problem="classification")
        assert both.fit(np.column_stack([a, b]), y).tree_.feature[0] == 1
    tables = [np.array([[300.0, 100], [100, 300]]), np.array([[200.0, 400], [200, 0]])]
    assert [float(gain(table, "misclassification")) for table in tables] == [0.25, 0.25]
    for classes, most in ((2, 0.5), (3, 2 / 3), (4, 0.75)):
        assert float(impurity(np.ones(classes), "gini")) == pytest.approx(most)
    assert float(impurity(np.array([1.0, 0, 0]), "gini")) == 0
    node = np.array([0.9, 0.1])
    assert float(impurity(node, "entropy")) * np.log(2) == pytest.approx(0.325082973391, abs=1e-9)
    assert node @ np.log(1 - node) == pytest.approx(-2.08286263526, abs=1e-9)  # as one book prints it: no impurity
    pruned = build("decision-tree", {"min_impurity_decrease": 0.2}, seed=0, problem="classification")
    assert pruned.fit(a[:, None], y).tree_.node_count == 1


@pytest.mark.covers("proc_cart_growth")
def test_a_function_of_steps_is_found_again() -> None:
    x = np.linspace(0, 1, 90)[:, None]
    y = np.select([x[:, 0] < 0.3, x[:, 0] < 0.7], [1.0, 5.0], 2.0)
    tree = build("decision-tree", {}, seed=0, problem="regression").fit(x, y)
    assert tree.get_n_leaves() == 3
    assert np.array_equal(tree.predict(x), y)
    labels = (y > 1.5).astype(int)
    shares = build("decision-tree", {"min_samples_leaf": 20}, seed=0, problem="classification").fit(x, labels)
    assert shares.predict_proba(x).sum(axis=1) == pytest.approx(np.ones(90))
    assert shares.apply(x).size == 90
    assert np.bincount(shares.apply(x)).max() >= 20
