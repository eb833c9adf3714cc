from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from penstock.components.catalog import build

pytestmark = pytest.mark.usefixtures("one_thread")


def k_means(**given: Any) -> Any:
    return build("k-means", given, seed=0, problem="clustering")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # stopped early on purpose
def test_lloyds_steps_and_their_objective() -> None:
    X, _ = make_blobs(60, centers=4, cluster_std=2.0, random_state=1)
    start = X[:3]
    inertias = [
        k_means(clusters=3, init=start, n_init=1, algorithm="lloyd", tol=0.0, max_iter=steps).fit(X).inertia_
        for steps in range(1, 9)
    ]
    assert all(np.diff(inertias) <= 1e-9)

    far = np.vstack([X[:1], [[1e3, 1e3], [-1e3, -1e3]]])
    model = k_means(clusters=3, init=far, n_init=1).fit(X)
    assert np.bincount(model.labels_, minlength=3).min() > 0

    best = k_means(clusters=3).fit(X)
    within = 0.0
    for cluster in range(3):
        rows = X[best.labels_ == cluster]
        assert best.cluster_centers_[cluster] == pytest.approx(rows.mean(axis=0))
        within += ((rows[:, None] - rows[None]) ** 2).sum() / len(rows) / 2
    assert within == pytest.approx(best.inertia_, rel=1e-9)
