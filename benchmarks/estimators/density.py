"""Densities of ours against scikit-learn's: without a threshold, and with one trained on rows left out."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import make_blobs
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import KFold
from sklearn.neighbors import KernelDensity

from benchmarks.estimators.pairs import Pair
from penstock.components.density.kernel import KernelDensityEstimate
from penstock.components.density.mixture import MixtureDensity

FOLDS = 5


class _WithThreshold:
    """A class of the library, and five more fits of it for what rows score that were left out."""

    def __init__(self, make: Any) -> None:
        self.make = make

    def fit(self, X: Any) -> _WithThreshold:
        self.model = self.make().fit(X)
        parts = KFold(FOLDS, shuffle=True, random_state=0).split(X)
        logs = [self.make().fit(X[train]).score_samples(X[left_out]) for train, left_out in parts]
        self.threshold = np.quantile(np.concatenate(logs), 0.01)
        return self


def _blobs(rows: int, columns: int) -> tuple[Any, Any]:
    X, _ = make_blobs(rows, columns, centers=3, random_state=0)
    return X, None


_MIXTURE = partial(GaussianMixture, 3, random_state=0)

PAIRS = (
    Pair("mixture, no threshold", partial(MixtureDensity, 3, random_state=0, rare=None), _MIXTURE, _blobs),
    Pair("mixture", partial(MixtureDensity, 3, random_state=0), partial(_WithThreshold, _MIXTURE), _blobs),
    Pair("kernel, no threshold", partial(KernelDensityEstimate, rare=None), KernelDensity, _blobs, rows=500),
    Pair("kernel", KernelDensityEstimate, partial(_WithThreshold, KernelDensity), _blobs, rows=500),
)
