"""Dissimilarities, orders, partitions and blocks of small tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans

from penstock.components.diagnostics import find
from penstock.components.teaching.clustering.exhaustive import (
    all_partitions,
    best_partition,
    partitions,
    partitions_into,
    within,
)
from penstock.components.teaching.clustering.quantisation import from_blocks, quantise, to_blocks
from penstock.errors import ClusteringError, DataError

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.covers("dissim-mixed-weighted", "dissim-categorical-ordinal", "proc_dissimilarity_construction")
def test_own_distances_between_levels_in_a_mixed_table() -> None:
    table = pd.DataFrame({"age": [20.0, 30.0, 60.0], "plan": ["a", "b", "a"], "mood": ["low", "high", "low"]})
    given = {"order": {"mood": ["low", "mid", "high"], "plan": ["a", "b"]}, "distances": {"plan": [[0, 3], [3, 0]]}}
    found = find("dissimilarity")(table, {**given, "weights": "equal-influence"})
    assert sum(found.facts["weights"].values()) == pytest.approx(1.0)
    assert found.facts["symmetric"]
    assert "Weights: age" in found.findings[1]
    uniform = find("dissimilarity")(table, {**given, "weights": "uniform"}).table.to_numpy()
    assert uniform[0, 1] == pytest.approx((10 + 3 + 2 / 3) / 3)
    numbers = find("dissimilarity")(table[["age"]], {"measure": "manhattan"})
    assert numbers.table.to_numpy()[0].tolist() == [0.0, 10.0, 40.0]
    with pytest.raises(DataError) as caught:
        find("dissimilarity")(table[:1])
    assert caught.value.code == "PEN338"


@pytest.mark.covers("dissim-seriation")
def test_a_shuffled_matrix_in_order() -> None:
    truth = np.array([0, 1, 0, 1, 0, 1])
    apart = (truth[:, None] != truth[None]).astype(float)
    names = [f"thing {place}" for place in range(6)]
    for similarity, matrix in ((False, apart), (True, 1 - apart)):
        found = find("seriation")(pd.DataFrame(matrix, columns=names), {"similarity": similarity})
        assert int((np.diff(truth[found.facts["order"]]) != 0).sum()) == 1
        assert found.figure is not None
        assert list(found.table.columns) == [names[place] for place in found.facts["order"]]


@pytest.mark.covers("cluster-exhaustive", "ex_stirling_numbers", "ex_bell_numbers")
def test_every_partition_is_tried() -> None:
    """ex_stirling_numbers, ex_bell_numbers: the sign as printed would make every second number negative."""
    counted = [partitions_into(*case) for case in ((4, 2), (10, 3), (10, 4), (19, 4), (5, 5))]
    assert counted == [7, 9330, 34105, 11259666950, 1]
    assert [partitions(rows) for rows in range(11)] == [1, 1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975]
    assert len(all_partitions(10, 10)) == 115975
    assert len(np.unique(all_partitions(7, 7), axis=0)) == partitions(7)
    X = np.random.default_rng(0).normal(size=(9, 2))
    labels, least = best_partition(X, 3)
    assert within(X - X.mean(axis=0), labels[None], 3)[0] == pytest.approx(least)
    ends = [KMeans(3, init="random", n_init=1, random_state=seed).fit(X).inertia_ for seed in range(20)]
    assert min(ends) >= least - 1e-9
    assert max(ends) > least + 1e-6
    assert KMeans(3, n_init=50, random_state=0).fit(X).inertia_ == pytest.approx(least)
    found = find("best-partition")(pd.DataFrame(X, columns=["x", "y"]), {"clusters": 3})
    assert found.facts["partitions"] == 3025
    assert found.facts["k_means"] == pytest.approx(found.facts["best"])
    assert set(found.table["cluster"]) == {0, 1, 2}
    with pytest.raises(ClusteringError) as caught:
        best_partition(np.zeros((13, 1)), 2)
    assert (caught.value.code, "4,095 partitions" in caught.value.what) == ("PEN339", True)


def test_the_two_sums_of_squares_of_a_partition() -> None:
    """ex_within_between_dissimilarity: only the sum over all pairs adds up to the total."""
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 5.0], [6.0, 5.0]])
    labels = np.array([0, 0, 0, 1, 1])
    pairs = ((X[:, None] - X[None]) ** 2).sum(axis=2) / 2
    same = labels[:, None] == labels[None]
    assert (pairs.sum(), pairs[same].sum(), pairs[~same].sum()) == pytest.approx((300.0, 5.0, 295.0))
    assert within(X, labels[None].astype(np.int8), 2)[0] == pytest.approx(1.83333333333)


@pytest.mark.covers("cluster-vector-quantisation", "ex_vector_quantisation")
def test_a_picture_with_few_blocks() -> None:
    """ex_vector_quantisation."""
    blocks = to_blocks(np.zeros((1024, 1024)))
    assert blocks.shape == (262144, 4)
    picture = np.kron(np.array([[0.0, 10.0], [20.0, 30.0]]), np.ones((2, 2)))
    assert to_blocks(picture).tolist() == [[value] * 4 for value in (0, 10, 20, 30)]
    assert from_blocks(to_blocks(picture), (4, 4)).tolist() == picture.tolist()
    found = quantise(picture, 2)
    assert sorted(found.codebook[:, 0].tolist()) == pytest.approx([5.0, 25.0], abs=1e-9)
    assert found.error == pytest.approx(400.0, abs=1e-9)
    rng = np.random.default_rng(0)
    noisy = rng.uniform(size=(8, 12))
    coarse = quantise(noisy, 3)
    assert ((noisy - coarse.picture) ** 2).mean() == pytest.approx(coarse.error / (4 * len(coarse.codes)))
    assert quantise(noisy, 24).error == 0.0
    told = find("vector-quantisation")(pd.DataFrame(picture), {"clusters": 4})
    assert told.facts["error"] == 0.0
    assert "nothing is lost" in told.findings[1]
    with pytest.raises(DataError) as caught:
        to_blocks(np.zeros((3, 4)))
    assert caught.value.code == "PEN339"
