"""Which cluster of one clustering is which of another: both label the same rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

Labels = NDArray[np.integer[Any]]

NOISE = -1


class Pair(BaseModel):
    """A cluster and its counterpart: rows in both, and the share of either that this is.

    A cluster without a counterpart has None on the other side; a pair that shares no row is no pair.
    """

    model_config = ConfigDict(frozen=True)

    cluster: int | None
    champion: int | None
    rows: int
    shared: int = 0
    jaccard: float = 0.0


class Match(BaseModel):
    model_config = ConfigDict(frozen=True)

    rows: int
    agreement: float
    pairs: list[Pair]

    @property
    def words(self) -> str:
        """`cluster 0 is the champion's 2 (310 of 322 rows); cluster 3 is new; the champion's 1 is gone`."""
        said = []
        for pair in self.pairs:
            if pair.cluster is None:
                said.append(f"the champion's {pair.champion} is gone")
            elif pair.champion is None:
                said.append(f"cluster {pair.cluster} is new")
            else:
                said.append(f"cluster {pair.cluster} is the champion's {pair.champion} ({pair.shared} of {pair.rows})")
        return "; ".join(said)


def match(labels: Labels, champion: Labels) -> Match:
    """Pairs of clusters that together share the most rows (the Hungarian method), noise left out; and the adjusted Rand
    index of both answers, in which noise counts as a group of its own."""
    ours, theirs = (np.unique(side[side != NOISE]) for side in (labels, champion))
    both = (labels != NOISE) & (champion != NOISE)
    common = np.zeros((len(ours), len(theirs)), dtype=int)
    if both.any():
        seen = np.ix_(np.isin(ours, labels[both]), np.isin(theirs, champion[both]))
        common[seen] = contingency_matrix(labels[both], champion[both])
    sizes = np.array([int(np.sum(labels == cluster)) for cluster in ours])
    others = np.array([int(np.sum(champion == cluster)) for cluster in theirs])
    pairs = []
    matched = [(i, j) for i, j in zip(*linear_sum_assignment(common, maximize=True), strict=True) if common[i, j]]
    for i, j in matched:
        shared = int(common[i, j])
        jaccard = shared / float(sizes[i] + others[j] - shared)
        pairs.append(
            Pair(
                cluster=int(ours[i]), champion=int(theirs[j]), rows=int(sizes[i]), shared=shared, jaccard=float(jaccard)
            )
        )
    lonely = set(range(len(ours))) - {i for i, _ in matched}
    gone = set(range(len(theirs))) - {j for _, j in matched}
    pairs += [Pair(cluster=int(ours[i]), champion=None, rows=int(sizes[i])) for i in sorted(lonely)]
    pairs += [Pair(cluster=None, champion=int(theirs[j]), rows=int(others[j])) for j in sorted(gone)]
    return Match(rows=len(labels), agreement=float(adjusted_rand_score(champion, labels)), pairs=pairs)
