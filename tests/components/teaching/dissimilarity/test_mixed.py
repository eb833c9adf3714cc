from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import OneHotEncoder

from penstock.components.dissimilarity.columns import (
    features_of,
    mean_absolute_difference,
    mean_mismatch,
    mean_squared_difference,
)
from penstock.components.dissimilarity.measure import Measure
from penstock.components.teaching.dissimilarity.categorical import LevelDistances, hamming, midpoint_codes, mismatch
from penstock.components.teaching.dissimilarity.mixed import MixedDissimilarity, Way
from penstock.components.teaching.dissimilarity.seriation import seriate
from penstock.errors import ClusteringError, DataError, UsageError
from tests.components.clustering.conftest import clusterer

TABLE = pd.DataFrame(
    {
        "age": [20.0, 30.0, 60.0, 40.0, 35.0],
        "plan": ["basic", "pro", "basic", "plus", "pro"],
        "mood": ["low", "mid", "high", "high", "low"],
    }
)
MOODS = ["low", "mid", "high"]


@pytest.mark.covers(
    "dissim-categorical-ordinal", "proc_ordinal_code", "ex_ordinal_code", "ex_hamming_distance", "met_hamming"
)
def test_levels_and_ranks() -> None:
    """ex_ordinal_code, ex_hamming_distance: as printed, equal rows would be at 1."""
    assert list(midpoint_codes("ABCD").values()) == [0.125, 0.375, 0.625, 0.875]
    assert hamming((0, 1, 1, 0), (0, 0, 1, 1)) == 0.5
    assert hamming((1, 0, 1, 1), (1, 1, 1, 0)) == 0.5
    assert hamming((1, 0, 1, 1), (1, 0, 1, 1)) == 0.0
    rows = np.array([[1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0]])
    assert Measure("hamming").fit(rows).between(rows)[0].tolist() == [0.0, 0.5]
    assert mismatch(["a", "b"], ["a", "c"], constant=2.5).tolist() == [[0.0, 2.5], [2.5, 2.5]]


@pytest.mark.covers("dissim-categorical-ordinal", "proc_categorical_distance_matrix")
def test_a_table_of_distances_between_levels() -> None:
    table = [[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]]
    own = LevelDistances(["basic", "plus", "pro"], table)
    assert own.between(["pro", "basic"], ["plus", "pro"]).tolist() == [[2.0, 0.0], [1.0, 3.0]]
    for wrong, code in (
        ([[0, 1, 3], [2, 0, 2], [3, 2, 0]], "PEN334"),
        ([[1, 1, 3], [1, 0, 2], [3, 2, 0]], "PEN226"),
        ([[0, 1], [1, 0]], "PEN333"),
    ):
        with pytest.raises(ClusteringError) as caught:
            LevelDistances(["basic", "plus", "pro"], wrong)
        assert caught.value.code == code
    with pytest.raises(ClusteringError) as caught:
        own.between(["gold"], ["pro"])
    assert (caught.value.code, "'gold'" in caught.value.what) == ("PEN333", True)
    ways = {"plan": Way(levels=["basic", "plus", "pro"], distances=table), "mood": Way(levels=MOODS)}
    mixed = MixedDissimilarity(ways, weights="gower").between(TABLE)
    # Ages span 40, plans 3, moods two thirds.
    assert mixed[0, 1] == pytest.approx((10 / 40 + 3 / 3 + (1 / 3) / (2 / 3)) / 3)
    assert mixed[2, 3] == pytest.approx((20 / 40 + 1 / 3 + 0) / 3)


@pytest.mark.covers(
    "dissim-mixed-weighted",
    "proc_dissimilarity_construction",
    "ex_mean_dissimilarity_2var",
    "met_weighted_dissimilarity",
)
def test_each_column_adds_the_same_to_the_mean() -> None:
    """ex_mean_dissimilarity_2var: the mean over N² pairs is twice the variance."""
    assert mean_squared_difference([1.0, 2.0, 4.0, 7.0]) == pytest.approx(10.5, abs=1e-9)
    rng = np.random.default_rng(0)
    values = rng.normal(size=50)
    pairs = values[:, None] - values[None]
    assert mean_squared_difference(values) == pytest.approx((pairs**2).mean(), abs=1e-12)
    assert mean_squared_difference(values) == pytest.approx(2 * values.var(), abs=1e-12)
    assert mean_absolute_difference(values) == pytest.approx(np.abs(pairs).mean(), abs=1e-12)
    ways = {"mood": Way(levels=MOODS), "age": Way(power=2.0), "plan": Way(constant=4.0)}
    mixed = MixedDissimilarity(ways, weights="equal-influence")
    by_column = mixed.by_column(TABLE)
    weights = mixed.weigh(by_column)
    influence = [weights[name] * by_column[name].mean() for name in by_column]
    assert influence == pytest.approx([influence[0]] * 3, abs=1e-12)
    assert sum(weights.values()) == pytest.approx(1.0, abs=1e-12)
    assert mixed.between(TABLE).mean() == pytest.approx(sum(influence), abs=1e-12)
    assert MixedDissimilarity(weights={"age": 3.0, "plan": 1.0}).weigh(by_column) == {
        "age": 0.75,
        "plan": 0.25,
        "mood": 0,
    }


@pytest.mark.covers("dissim-mixed-weighted", "cl_standardisation_obscures_clusters")
@pytest.mark.usefixtures("one_thread")
def test_equal_influence_can_hide_groups() -> None:
    """cl_standardisation_obscures_clusters: so weighting is a choice."""
    rng = np.random.default_rng(0)
    side = np.repeat([-1.0, 1.0], 100)
    bimodal = 0.5 * rng.choice([-1, 1], 200) + rng.normal(0, 0.01, 200)
    X = np.column_stack([3 * side + rng.normal(size=200), rng.uniform(-0.8, 0.8, 200), bimodal])
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    means = [clusterer("k-means", clusters=2, n_init=20).fit(rows).labels_ for rows in (X, standard)]
    assert adjusted_rand_score(side, means[0]) > 0.95
    assert adjusted_rand_score(side, means[1]) < 0.2
    medoids = [
        clusterer("k-medoids", clusters=2, dissimilarity=name, settings=settings, n_init=20).fit(X).labels_
        for name, settings in (("squared-euclidean", None), ("equal-influence", {"difference": "squared"}))
    ]
    assert adjusted_rand_score(side, medoids[0]) > 0.95
    assert adjusted_rand_score(side, medoids[1]) < 0.2


def test_prepared_columns_are_the_features_they_were_made_of() -> None:
    levels = np.array([["a", "x"], ["b", "y"], ["c", "x"], ["a", "y"], ["b", "x"]])
    coded = OneHotEncoder(sparse_output=False).fit_transform(levels)
    member = np.array([1.0, 1.0, 0.0, 0.0, 1.0])
    X = np.column_stack([TABLE["age"], member, coded])
    assert [feature.tolist() for feature in features_of(X)] == [[0], [1], [2, 3, 4], [5, 6]]
    assert mean_mismatch(coded[:, :3]) == pytest.approx((levels[:, 0][:, None] != levels[:, 0]).mean())
    frame = pd.DataFrame({"age": TABLE["age"], "member": member, "one": levels[:, 0], "two": levels[:, 1]})
    for name in ("gower", "equal-influence"):
        prepared = Measure(name).fit(X).between(X)
        assert prepared == pytest.approx(MixedDissimilarity(weights=name).between(frame), abs=1e-12)
    squared = Measure("equal-influence", {"difference": "squared"}).fit(X).between(X)
    ways = {"age": Way(power=2.0), "member": Way(power=2.0)}
    assert squared == pytest.approx(MixedDissimilarity(ways, "equal-influence").between(frame), abs=1e-12)


def test_tables_that_cannot_be_compared() -> None:
    with pytest.raises(UsageError) as usage:
        MixedDissimilarity({"pln": Way()}).between(TABLE)
    assert usage.value.remedy == "did you mean 'plan'?"
    with pytest.raises(DataError) as data:
        MixedDissimilarity().between(TABLE.assign(age=np.nan))
    assert data.value.code == "PEN224"
    with pytest.raises(UsageError) as usage:
        MixedDissimilarity(weights={"age": -1.0}).between(TABLE)
    assert usage.value.code == "PEN222"
    with pytest.raises(ClusteringError) as rank:
        MixedDissimilarity({"mood": Way(levels=["low", "high"])}).between(TABLE)
    assert "'mid'" in rank.value.what


@pytest.mark.covers("dissim-seriation")
def test_blocks_stand_together_after_seriation() -> None:
    truth = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], 8))
    rng = np.random.default_rng(1)
    matrix = (truth[:, None] != truth[None]) + rng.uniform(0, 0.3, (24, 24))
    matrix = (matrix + matrix.T) / 2
    np.fill_diagonal(matrix, 0.0)
    order = seriate(matrix)
    assert sorted(order.tolist()) == list(range(24))
    assert int((np.diff(truth[order]) != 0).sum()) == 2
    moved = matrix[np.ix_(order, order)]
    assert np.linalg.eigvalsh(moved) == pytest.approx(np.linalg.eigvalsh(matrix), abs=1e-10)
    assert seriate(np.zeros((2, 2))).tolist() == [0, 1]
