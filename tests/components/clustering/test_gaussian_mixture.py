from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from penstock.components.catalog import build
from penstock.components.clustering import ward_start

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),  # stopped after a set number of steps
]

Array = np.ndarray[Any, Any]


def by_hand(X: Array, means: Array, steps: int) -> tuple[Array, Array, Array, list[float]]:
    """Expectation and maximisation as the formulas say."""
    weights = np.full(len(means), 1 / len(means))
    covariances = np.stack([np.eye(X.shape[1])] * len(means))
    likelihoods = []
    for _ in range(steps):
        parts = list(zip(weights, means, covariances, strict=True))
        densities = np.column_stack([w * multivariate_normal(m, c).pdf(X) for w, m, c in parts])
        likelihoods.append(float(np.log(densities.sum(axis=1)).mean()))
        shares = densities / densities.sum(axis=1, keepdims=True)
        counts = shares.sum(axis=0)
        weights, means = counts / len(X), shares.T @ X / counts[:, None]
        centred = X[None] - means[:, None]
        covariances = np.einsum("nk,kni,knj->kij", shares, centred, centred) / counts[:, None, None]
    return weights, means, covariances, likelihoods


@pytest.mark.covers("cluster-gmm", "met_gmm_likelihood")
def test_fifty_steps_equal_the_formulas() -> None:
    X, _ = make_blobs(200, centers=[[0, 0], [3, 1], [0, 4]], cluster_std=[1.0, 0.7, 1.3], random_state=0)
    means = X[:3]
    start = {
        "weights_init": np.full(3, 1 / 3),
        "means_init": means,
        "precisions_init": np.stack([np.eye(2)] * 3),
        "reg_covar": 0.0,
        "tol": 0.0,
        "n_init": 1,
    }

    def mixture(steps: int) -> Any:
        return build("gaussian-mixture", {"clusters": 3, "max_iter": steps, **start}, seed=0, problem="clustering").fit(
            X
        )

    model = mixture(50)
    weights, centres, covariances, likelihoods = by_hand(X, means, 50)
    assert model.weights_ == pytest.approx(weights, abs=1e-12)
    assert model.means_ == pytest.approx(centres, abs=1e-12)
    assert model.covariances_ == pytest.approx(covariances, abs=1e-12)
    assert all(np.diff(likelihoods) >= 0)
    bounds = [mixture(steps).lower_bound_ for steps in (1, 2, 5, 10, 20, 50)]
    assert bounds == sorted(bounds)
    assert bounds[-1] == pytest.approx(likelihoods[-1], abs=1e-12)


@pytest.mark.parametrize("covariance", ["full", "tied", "diag", "spherical"])
def test_a_start_from_wards_tree_misses_no_group(covariance: str) -> None:
    centres = [(4.0 * x, 4.0 * y) for x in range(6) for y in range(5)]
    X, truth = make_blobs(900, centers=centres, cluster_std=0.4, random_state=0)
    asked = {"clusters": 30, "covariance_type": covariance, "init_params": "ward", "n_init": 1}
    model = build("gaussian-mixture", asked, seed=0, problem="clustering").fit(X)
    assert adjusted_rand_score(truth, model.labels_) == 1.0


def test_the_tree_is_of_some_rows_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ward_start, "MAX_ROWS", 100)
    X, truth = make_blobs(1000, centers=[[0, 0], [6, 0], [0, 6], [6, 6]], random_state=0)
    asked = {"clusters": 4, "init_params": "ward", "n_init": 1}
    labels = build("gaussian-mixture", asked, seed=0, problem="clustering").fit(X).labels_
    assert adjusted_rand_score(truth, labels) > 0.98
    assert np.array_equal(labels, build("gaussian-mixture", asked, seed=0, problem="clustering").fit(X).labels_)
