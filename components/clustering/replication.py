"""How reliably the clusters of a model come back, resample by resample, so that two models can be compared."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from penstock.components.clustering.stability import reseeded

Labels = NDArray[np.integer[Any]]


def replications(
    estimator: Any, X: NDArray[np.float64], labels: Labels, *, seed: int, resamples: int
) -> NDArray[np.float64]:
    """The adjusted Rand index of `labels` with what a clone fitted to each bootstrap resample says of all rows;
    0 where it could not be fitted.

    As many rows with the same seed are drawn alike: what two models share cancels out.
    """
    found = np.zeros(resamples)
    for number, source in enumerate(np.random.SeedSequence(seed).spawn(resamples)):
        rng = np.random.default_rng(source)
        rows = rng.integers(len(X), size=len(X))
        refit = reseeded(estimator, int(rng.integers(2**31)))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # repeated rows may be fewer than clusters
                found[number] = adjusted_rand_score(labels, refit.fit(X[rows]).predict(X))
        except ValueError:
            continue
    return found
