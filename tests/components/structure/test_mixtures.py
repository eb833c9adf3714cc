from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from penstock.components.structure.mixtures import best_mixture

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.slow
def test_a_number_between_the_steps_is_found() -> None:
    centres = [(5.0 * x, 5.0 * y) for x in range(6) for y in range(4)][:22]
    rows = make_blobs(1100, centers=centres, cluster_std=0.6, random_state=0)[0]
    mixture, tried = best_mixture(rows)
    assert mixture.clusters == 22
    assert len(np.unique(mixture.labels)) == 22
    assert mixture.cost == min(one["cost"] for one in tried)


@pytest.mark.slow
def test_the_shape_of_the_covariance_is_found() -> None:
    rng = np.random.default_rng(0)
    slanted = rng.standard_normal((300, 2)) @ np.array([[2.0, 2.0], [0.0, 0.3]])
    rows = slanted + np.repeat([[0.0, 0.0], [6.0, 0.0], [12.0, 0.0]], 100, axis=0)
    mixture, _ = best_mixture(rows)
    assert (mixture.clusters, mixture.covariance) == (3, "tied")


def test_two_clusters_at_least() -> None:
    mixture, tried = best_mixture(np.random.default_rng(0).normal(size=(60, 2)))
    assert mixture.clusters >= 2
    assert min(one["clusters"] for one in tried) == 2
