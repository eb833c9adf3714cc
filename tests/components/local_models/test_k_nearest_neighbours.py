from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.catalog import build


def neighbours(problem: str, **given: Any) -> Any:
    return build("k-nearest-neighbours", given, seed=0, problem=problem)


@pytest.mark.covers("knn-classifier")
def test_the_vote_of_the_nearest() -> None:
    tie = neighbours("classification", n_neighbors=2).fit([[0.0], [1.0]], [5, 3])
    assert tie.predict([[0.5]]).tolist() == [3]

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=300) > 0).astype(int)
    fresh = rng.normal(size=(200, 3))
    for p in (1, 2):
        tree, brute = (neighbours("classification", algorithm=way, p=p).fit(X, y) for way in ("kd_tree", "brute"))
        assert np.array_equal(tree.predict_proba(fresh), brute.predict_proba(fresh))
    assert set(np.unique(tree.predict_proba(fresh) * 5)) <= {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}
    assert neighbours("classification", n_neighbors=1).fit(X, y).score(X, y) == 1.0

    wide = X * [1.0, 1.0, 1e6]
    alone = neighbours("classification").fit(wide[:, 2:], y).predict(fresh[:, 2:] * 1e6)
    assert np.array_equal(neighbours("classification").fit(wide, y).predict(fresh * [1.0, 1.0, 1e6]), alone)
    scaled = neighbours("classification").fit(wide / wide.std(axis=0), y)
    assert not np.array_equal(scaled.predict(fresh * [1.0, 1.0, 1e6] / wide.std(axis=0)), alone)


@pytest.mark.covers("knn-regressor")
def test_the_mean_of_the_nearest() -> None:
    x = np.array([[0.0], [1.0], [2.0], [10.0]])
    y = np.array([0.0, 1.0, 4.0, 100.0])
    assert neighbours("regression", n_neighbors=2).fit(x, y).predict([[0.9]]).tolist() == [0.5]
    assert neighbours("regression", n_neighbors=4).fit(x, y).predict([[0.9]]).tolist() == [26.25]
    assert np.array_equal(neighbours("regression", n_neighbors=1).fit(x, y).predict(x), y)
