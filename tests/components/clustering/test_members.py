from __future__ import annotations

import numpy as np

from penstock.components.clustering.members import members


def test_typical_rows_are_in_the_middle_and_border_rows_next_to_the_other_cluster() -> None:
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [10.0], [11.0], [12.0]])
    found = members(X, np.repeat([0, 1], [5, 3]), seed=0, few=1)
    assert found[0].typical == [2]
    assert found[0].border == [4]
    assert found[1].typical == [6]
    assert found[1].border == [5]


def test_noise_has_no_members_and_one_cluster_has_its_furthest_rows_as_border() -> None:
    X = np.array([[0.0], [1.0], [2.0], [9.0], [50.0]])
    found = members(X, np.array([0, 0, 0, 0, -1]), seed=0, few=1)
    assert set(found) == {0}
    assert (found[0].typical, found[0].border) == ([1], [3])
    assert members(X, np.full(5, -1), seed=0) == {}


def test_of_many_rows_a_sample_is_looked_at() -> None:
    X = np.random.default_rng(0).normal(size=(5000, 2))
    found = members(X, np.repeat([0, 1], 2500), seed=1)
    assert found == members(X, np.repeat([0, 1], 2500), seed=1)
    assert np.linalg.norm(X[found[0].typical], axis=1).max() < 0.2
