"""Where several clusterings of the same rows agree. Noise (-1) is together with nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score

Labels = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]


class Consensus(BaseModel):
    """`together` is the share of clusterings that put two of the `rows` into one cluster; the order shows blocks.

    `agreement` holds the adjusted Rand index of every two clusterings, over all rows; `with_others` the mean of each
    with the others, `overall` the mean of all pairs.
    """

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    names: list[str]
    rows: NDArray[np.int64]
    together: Floats
    agreement: Floats
    with_others: dict[str, float]
    overall: float

    @property
    def sentence(self) -> str:
        leader = max(self.with_others, key=lambda name: self.with_others[name])
        return (
            f"{len(self.names)} clusterings agree by {self.overall:.2f} on average (1 is the same, 0 is chance); "
            f"{leader} agrees most with the others, by {self.with_others[leader]:.2f}"
        )


def consensus(labelings: Mapping[str, Labels], *, seed: int = 0, most_rows: int = 500) -> Consensus:
    """Co-assignment of a sample of rows, and how much the clusterings agree on all rows."""
    if len(labelings) < 2:
        raise ValueError("agreement needs two clusterings")
    names, columns = list(labelings), [np.asarray(labels) for labels in labelings.values()]
    total = len(columns[0])
    drawn = np.arange(total)
    if total > most_rows:
        drawn = np.sort(np.random.default_rng(seed).choice(total, most_rows, replace=False))
    together = co_assignment(np.stack([labels[drawn] for labels in columns]))
    order = _blocks(together)
    agreement = np.eye(len(names))
    for first in range(len(names)):
        for second in range(first):
            both = adjusted_rand_score(columns[first], columns[second])
            agreement[first, second] = agreement[second, first] = both
    others = (agreement.sum(axis=1) - 1) / (len(names) - 1)
    return Consensus(
        names=names,
        rows=drawn[order],
        together=together[np.ix_(order, order)],
        agreement=agreement,
        with_others=dict(zip(names, others.tolist(), strict=True)),
        overall=float(others.mean()),
    )


def co_assignment(labelings: NDArray[np.integer[Any]]) -> Floats:
    """Share of the labelings (rows of the argument) in which two things are together; 1 on the diagonal."""
    shares = np.zeros((labelings.shape[1],) * 2)
    for labels in labelings:
        shares += (labels[:, None] == labels) & (labels >= 0)[:, None]
    shares /= len(labelings)
    np.fill_diagonal(shares, 1.0)
    return shares


def _blocks(together: Floats) -> NDArray[np.int64]:
    if len(together) < 3:
        return np.arange(len(together))
    order: NDArray[np.int64] = leaves_list(linkage(squareform(1 - together, checks=False), "average")).astype(np.int64)
    return order
