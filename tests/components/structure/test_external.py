from __future__ import annotations

import numpy as np
import pytest

from penstock.components.structure.external import external_scores
from penstock.errors import DataError

CLUSTER = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
TRUTH = [0, 0, 0, 0, 0, 0, 1, 1, 1, 0]
U = [0, 0, 0, 1, 1, 1, 2, 2]
V = [0, 0, 1, 1, 1, 1, 2, 0]


@pytest.mark.covers("met_purity", "met_rand", "proc_clustering_evaluation", "ex_clustering_external")
def test_purity_and_pairs_by_hand() -> None:
    scores = external_scores(CLUSTER, TRUTH)
    assert scores.purity_unweighted == pytest.approx(0.625, abs=1e-9)
    assert scores.purity == pytest.approx(0.7, abs=1e-9)
    assert scores.inverse_purity == pytest.approx((6 + 2) / 10, abs=1e-9)
    assert scores.pairs.model_dump() == {"both": 16, "cluster_only": 13, "group_only": 8, "neither": 8}
    assert scores.rand == pytest.approx(0.533333333333, abs=1e-9)
    assert scores.pair_precision == pytest.approx(0.551724137931, abs=1e-9)
    assert scores.pair_recall == pytest.approx(0.666666666667, abs=1e-9)


@pytest.mark.covers("met_ari", "met_ami", "met_mutual_information", "proc_clustering_evaluation", "ex_ari_ami")
def test_indices_that_are_corrected_for_chance() -> None:
    scores = external_scores(V, U)
    assert scores.adjusted_rand == pytest.approx(0.304347826087, abs=1e-9)
    assert scores.mutual_information == pytest.approx(0.562335144619, abs=1e-9)
    assert scores.expected_mutual_information == pytest.approx(0.347699605799, abs=1e-9)
    assert scores.entropy_of_groups == pytest.approx(1.08219553004, abs=1e-9)
    assert scores.entropy_of_clusters == pytest.approx(0.974314752869, abs=1e-9)
    assert scores.adjusted_mutual_information == pytest.approx(0.292221551865, abs=1e-9)
    assert scores.ami_normaliser == "max"
    assert scores.homogeneity == pytest.approx(0.562335144619 / 1.08219553004, abs=1e-9)
    assert scores.completeness == pytest.approx(0.562335144619 / 0.974314752869, abs=1e-9)
    assert scores.v_measure == pytest.approx(2 * 0.562335144619 / (1.08219553004 + 0.974314752869), abs=1e-9)


@pytest.mark.covers("met_mutual_information")
def test_mutual_information_of_a_table() -> None:
    clusters, groups = np.repeat([0, 0, 1, 1], [4, 1, 1, 4]), np.repeat([0, 1, 0, 1], [4, 1, 1, 4])
    scores = external_scores(clusters, groups)
    assert scores.mutual_information == pytest.approx(0.192744757022, abs=1e-9)
    assert scores.entropy_of_clusters == scores.entropy_of_groups == pytest.approx(np.log(2), abs=1e-12)


@pytest.mark.slow
@pytest.mark.covers("met_ari", "met_ami", "proc_clustering_evaluation", "cl_ari_chance_corrected")
def test_chance_scores_nothing_but_in_the_rand_index() -> None:
    truth, rng = np.repeat(np.arange(5), 40), np.random.default_rng(0)
    scores = [external_scores(rng.integers(8, size=200), truth) for _ in range(200)]
    assert abs(np.mean([one.adjusted_rand for one in scores])) < 0.01
    assert abs(np.mean([one.adjusted_mutual_information for one in scores])) < 0.01
    assert np.mean([one.rand for one in scores]) > 0.6


@pytest.mark.covers("met_ari")
def test_the_same_partition_under_other_names_scores_one() -> None:
    scores = external_scores([5, 5, 3, 3], ["b", "b", "a", "a"])
    assert scores.adjusted_rand == scores.adjusted_mutual_information == scores.purity == scores.rand == 1.0


def test_noise_is_a_cluster_of_its_own_that_is_not_counted() -> None:
    scores = external_scores([0, 0, 1, 1, -1, -1], ["a", "a", "b", "b", "a", "b"])
    assert (scores.clusters, scores.groups) == (2, 2)
    assert scores.noise_share == pytest.approx(1 / 3)
    assert scores.purity == pytest.approx(5 / 6)


def test_rows_without_a_group_are_left_out_and_counted() -> None:
    scores = external_scores([0, 0, 1, 1, 1], ["a", "a", "b", "b", None])
    assert (scores.rows, scores.without_group, scores.adjusted_rand) == (4, 1, 1.0)
    with pytest.raises(DataError, match="PEN353"):
        external_scores([0, 1], [None, None])


def test_without_a_pair_there_is_no_precision() -> None:
    scores = external_scores([0, 1, 2], ["a", "b", "b"])
    assert (scores.pair_precision, scores.pair_recall) == (None, 0.0)
