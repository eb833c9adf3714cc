from __future__ import annotations

import numpy as np

from penstock.components.clustering.matching import match


def test_renumbered_clusters_are_the_same_ones() -> None:
    old = np.repeat([0, 1, 2], [50, 30, 20])
    new = np.array([2, 0, 1])[old]
    found = match(new, old)
    assert found.agreement == 1.0
    assert [(pair.cluster, pair.champion, pair.shared) for pair in found.pairs] == [(0, 1, 30), (1, 2, 20), (2, 0, 50)]
    assert all(pair.jaccard == 1.0 for pair in found.pairs)
    assert found.words.startswith("cluster 0 is the champion's 1 (30 of 30)")


def test_together_the_pairs_share_the_most_rows() -> None:
    """Taking the greatest overlap first, 0 with 0, would leave 10 rows for the others; the best pairing shares 90."""
    old = np.repeat([0, 1, 0, 1], [50, 45, 45, 10])
    new = np.repeat([0, 0, 1, 1], [50, 45, 45, 10])
    found = match(new, old)
    assert {(pair.cluster, pair.champion) for pair in found.pairs} == {(0, 1), (1, 0)}
    assert sum(pair.shared for pair in found.pairs) == 90


def test_a_split_cluster_leaves_one_that_is_new_and_a_merge_one_that_is_gone() -> None:
    old = np.repeat([0, 1], [60, 40])
    new = np.repeat([0, 2, 1], [40, 20, 40])
    split = match(new, old)
    assert [(pair.cluster, pair.champion) for pair in split.pairs] == [(0, 0), (1, 1), (2, None)]
    assert "cluster 2 is new" in split.words
    merged = match(old, new)
    assert [(pair.cluster, pair.champion) for pair in merged.pairs] == [(0, 0), (1, 1), (None, 2)]
    assert "the champion's 2 is gone" in merged.words
    assert merged.pairs[0].jaccard == 40 / 60


def test_noise_is_no_cluster() -> None:
    old = np.repeat([-1, 0], [10, 10])
    found = match(np.repeat([0, 1], [10, 10]), old)
    assert [(pair.cluster, pair.champion) for pair in found.pairs] == [(1, 0), (0, None)]
    nothing = match(np.full(4, -1), np.full(4, -1))
    assert nothing.pairs == []
    assert nothing.agreement == 1.0
