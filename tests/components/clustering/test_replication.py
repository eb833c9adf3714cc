from __future__ import annotations

import numpy as np
from sklearn.cluster import KMeans

from penstock.components.clustering.replication import replications


def test_real_groups_come_back_and_drawn_ones_do_not() -> None:
    rng = np.random.default_rng(0)
    far = np.concatenate([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 9])
    none = rng.normal(size=(80, 2))
    found = {}
    for name, X in {"far": far, "none": none}.items():
        model = KMeans(2, n_init=3, random_state=0).fit(X)
        found[name] = replications(model, X, model.labels_, seed=1, resamples=8)
        assert (found[name] == replications(model, X, model.labels_, seed=1, resamples=8)).all()
    assert (found["far"] == 1.0).all()
    assert found["none"].mean() < 0.9


def test_what_cannot_be_fitted_counts_as_not_found_again() -> None:
    X = np.zeros((4, 1))
    assert (replications(KMeans(9), X, np.zeros(4, dtype=int), seed=0, resamples=3) == 0).all()
