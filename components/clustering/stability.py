"""Would another sample of the same rows have given the same clusters?"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from penstock.components.evaluation.intervals import Interval

CONFIDENCE = 0.95

Labels = NDArray[np.integer[Any]]


class Stability(BaseModel):
    """Mean over the resamples, with the range that holds 95 % of them.

    `overall` is the adjusted Rand index, in which noise (-1) is a group of its own; `per_cluster` the Jaccard index of
    each of `clusters`, which noise is none of. A resample to which the method could not be fitted is counted in
    `failed` and as 0 in both: the clusters were not found again.
    """

    model_config = ConfigDict(frozen=True)

    overall: Interval
    clusters: list[int]
    per_cluster: list[Interval]
    resamples: int
    failed: int


def stability(estimator: Any, X: NDArray[np.float64], labels: Labels, *, seed: int, resamples: int = 20) -> Stability:
    """Fit a clone to bootstrap resamples of X, let each assign all rows of X, and compare with `labels`.

    A cluster's Jaccard index is that with the most similar cluster of the resample (Hennig 2007, who compares the rows
    drawn; here all rows are compared, as the clone can assign those it has not seen). As a rule of thumb, a cluster
    below 0.6 should not be taken for real, and one above 0.75 is a valid, stable one.

    Held-out rows with the labels that the fitted model gave them tell whether its clusters are found again in rows that
    it has not seen.
    """
    clusters = np.unique(labels[labels >= 0])
    overall = np.zeros(resamples)
    jaccard = np.zeros((resamples, len(clusters)))
    failed = 0
    for number, source in enumerate(np.random.SeedSequence(seed).spawn(resamples)):
        rng = np.random.default_rng(source)
        rows = rng.integers(len(X), size=len(X))
        refit = reseeded(estimator, int(rng.integers(2**31)))
        try:
            with warnings.catch_warnings():
                # Repeated rows can leave fewer distinct ones than clusters; the indices show what that does.
                warnings.simplefilter("ignore", ConvergenceWarning)
                refit.fit(X[rows])
        except ValueError:
            failed += 1
            continue
        assigned = refit.predict(X)
        overall[number] = adjusted_rand_score(labels, assigned)
        jaccard[number] = best_jaccard(labels, assigned)
    return Stability(
        overall=_interval(overall),
        clusters=clusters.tolist(),
        per_cluster=[_interval(values) for values in jaccard.T],
        resamples=resamples,
        failed=failed,
    )


def best_jaccard(labels: Labels, others: Labels) -> NDArray[np.float64]:
    """For each cluster of `labels`, in rising order, its Jaccard index with the most similar cluster of `others`."""
    common = contingency_matrix(labels, others)
    either = common.sum(axis=1, keepdims=True) + common.sum(axis=0, keepdims=True) - common
    alike = (common / either)[np.unique(labels) >= 0][:, np.unique(others) >= 0]
    best: NDArray[np.float64] = alike.max(axis=1, initial=0.0)
    return best


def reseeded(estimator: Any, seed: int) -> Any:
    fresh = clone(estimator)
    seeds = [name for name in fresh.get_params() if name.split("__")[-1] == "random_state"]
    return fresh.set_params(**dict.fromkeys(seeds, seed))


def _interval(values: NDArray[np.float64]) -> Interval:
    value = float(values.mean())
    low, high = np.quantile(values, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    # The mean of one bad and many good resamples lies outside the quantiles.
    return Interval(value=value, low=min(float(low), value), high=max(float(high), value), confidence=CONFIDENCE)
