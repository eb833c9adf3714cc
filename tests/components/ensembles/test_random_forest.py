from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_classification, make_friedman1
from sklearn.model_selection import KFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from penstock.components.catalog import build, entries

pytestmark = pytest.mark.usefixtures("one_thread")


def forest(problem: str = "classification", **given: Any) -> Any:
    return build("random-forest", given, seed=0, problem=problem)


@pytest.mark.slow
@pytest.mark.covers("ens-random-forest")
def test_an_average_of_trees_that_each_see_a_sample_of_rows_and_columns() -> None:
    X, y = make_classification(300, 9, n_informative=5, random_state=0)
    model = forest(n_estimators=20).fit(X, y)
    mean = np.mean([tree.predict_proba(X) for tree in model.estimators_], axis=0)
    assert np.allclose(model.predict_proba(X), mean, rtol=0, atol=1e-15)

    bagged = forest(n_estimators=5, max_features=1.0).fit(X, y)
    for tree, rows in zip(bagged.estimators_, bagged.estimators_samples_, strict=True):
        alone = DecisionTreeClassifier(random_state=tree.random_state)
        alone.fit(X.astype(np.float32), y, sample_weight=np.bincount(rows, minlength=len(y)))
        assert np.array_equal(alone.predict_proba(X), tree.predict_proba(X))

    X, y = make_friedman1(500, 9, noise=1.0, random_state=0)

    def likeness(max_features: int) -> float:
        trees = forest("regression", n_estimators=25, max_features=max_features).fit(X[:300], y[:300]).estimators_
        return float(np.corrcoef([tree.predict(X[300:]) for tree in trees]).mean())

    grown = [likeness(count) for count in (1, 3, 9)]
    assert grown == sorted(grown)
    one, many, twice_as_many = (
        forest("regression", n_estimators=count).fit(X[:300], y[:300]).score(X[300:], y[300:])
        for count in (1, 200, 400)
    )
    # Flat against what came before: a forest of one seed moves by half a hundredth from here on, up or down.
    assert abs(twice_as_many - many) < 0.05 * (many - one)


@pytest.mark.covers("ens-random-forest", "ex_rf_defaults")
def test_how_many_columns_a_question_chooses_from() -> None:
    """The root of their number for classes, a third for quantities (one book has it the other way round)."""
    X, y = make_classification(80, 16, n_informative=5, random_state=0)
    classes = forest(n_estimators=3).fit(X, y)
    assert {tree.max_features_ for tree in classes.estimators_} == {4}
    assert classes.min_samples_leaf == 1
    quantities = forest("regression", n_estimators=3, max_features=1 / 3, min_samples_leaf=5).fit(X, X[:, 0])
    assert {tree.max_features_ for tree in quantities.estimators_} == {5}
    # A row that was drawn twice counts twice.
    leaves = [tree.tree_.weighted_n_node_samples[tree.tree_.children_left == -1] for tree in quantities.estimators_]
    assert np.concatenate(leaves).min() == 5
    # Where a search begins is the library's choice, all columns: see the catalogue. The third is searched.
    assert forest("regression").max_features == 1.0
    assert 1 / 3 in entries()["random-forest"].space_for("regression")["max_features"]


@pytest.mark.slow
@pytest.mark.covers("ens-oob-error")
def test_the_rows_that_a_tree_has_not_seen_judge_it() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = forest(n_estimators=500, oob_score=True).fit(X, y)
    assert 1 - model.oob_score_ == pytest.approx(0.0351, abs=5e-5)
    unseen = [1 - len(np.unique(rows)) / len(y) for rows in model.estimators_samples_]
    assert np.mean(unseen) == pytest.approx(0.368, abs=0.002)
    folds = cross_val_score(forest(n_estimators=500), X, y, cv=KFold(10, shuffle=True, random_state=0))
    assert 1 - folds.mean() == pytest.approx(0.0368, abs=5e-5)
