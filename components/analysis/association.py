"""How strongly columns go together: Pearson, Spearman, covariance, Cramer's V and mutual information.

Every statistic is of the rows in which both columns have a value, and says how many these were. Cramer's V and mutual
information are corrected for the bias that small tables have: without it, columns of noise would seem related. No
correction helps where groups of a handful of rows fill a table: these are pooled before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from penstock.components.analysis.table import Coded, Codes, Floats

MIN_PAIRS = 10
MIN_OF_A_GROUP = 5
RARE_GROUP = 0.02

Counts = NDArray[Any]


def correlations(numbers: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Pearson, Spearman, covariance (divisor n-1) and the rows of each pair; NaN for pairs of fewer than ten rows."""
    known = numbers.notna().to_numpy(dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "pearson": numbers.corr(min_periods=MIN_PAIRS).clip(-1, 1),
            "spearman": numbers.corr("spearman", min_periods=MIN_PAIRS).clip(-1, 1),
            "covariance": numbers.cov(min_periods=MIN_PAIRS),
            "rows": pd.DataFrame((known.T @ known).astype(int), index=numbers.columns, columns=numbers.columns),
        }


def cross_table(one: Codes, other: Codes, shape: tuple[int, int]) -> Counts:
    """Counts of each pair of codes, in rows where neither is missing."""
    both = (one >= 0) & (other >= 0)
    return np.bincount(one[both] * shape[1] + other[both], minlength=shape[0] * shape[1]).reshape(shape)


def cramers_v(table: Counts, *, corrected: bool = True) -> float:
    """Cramer's V of a table of counts, from 0 to 1; by default with Bergsma's correction of its bias."""
    table = _filled(table)
    rows, columns, n = *table.shape, int(table.sum())
    if min(rows, columns) < 2:
        return 0.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    phi2 = float(((table - expected) ** 2 / expected).sum()) / n
    if not corrected:
        return float(np.sqrt(phi2 / (min(rows, columns) - 1)))
    if n < 2:
        return 0.0
    phi2 = max(0.0, phi2 - (rows - 1) * (columns - 1) / (n - 1))
    most = min(rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1)) - 1
    return float(min(1.0, np.sqrt(phi2 / most))) if most > 0 else 0.0


def pooled(table: Counts) -> Counts:
    """Rare groups of either side as one: a few rows spread over many cells would pass for a relation."""
    fewest = max(MIN_OF_A_GROUP, RARE_GROUP * table.sum())
    for _ in range(2):
        rare = table.sum(axis=1) < fewest
        table = np.vstack([table[~rare], table[rare].sum(axis=0, keepdims=True)]).T
    return table


def mutual_information(table: Counts, *, corrected: bool = True) -> float:
    """Mutual information of a table of counts in nats; by default with Miller and Madow's correction, not below 0."""
    table = _filled(table)
    n = int(table.sum())
    if not n:
        return 0.0
    shares = table / n
    apart = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    seen = shares > 0
    plain = float((shares[seen] * np.log(shares[seen] / apart[seen])).sum())
    if not corrected:
        return max(0.0, plain)
    rows, columns = table.shape
    return max(0.0, plain - float((rows - 1) * (columns - 1)) / (2 * n))


def entropy(counts: Counts) -> float:
    """In nats."""
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def pair_tables(coded: Mapping[str, Coded]) -> dict[tuple[str, str], Counts]:
    """The table of counts of every pair of columns, all by one sparse product."""
    names = list(coded)
    if not names:
        return {}
    sizes = [len(coded[name].names) for name in names]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    rows, places = [], []
    for start, name in zip(starts, names, strict=False):
        codes = coded[name].codes
        known = np.flatnonzero(codes >= 0)
        rows.append(known)
        places.append(codes[known] + start)
    ones = np.ones(sum(map(len, rows)), dtype=np.int64)
    shape = (len(coded[names[0]].codes), int(starts[-1]))
    marks = sparse.csr_array((ones, (np.concatenate(rows), np.concatenate(places))), shape=shape)
    together = (marks.T @ marks).toarray()
    return {
        (names[i], names[j]): together[starts[i] : starts[i + 1], starts[j] : starts[j + 1]]
        for i in range(len(names))
        for j in range(i + 1, len(names))
    }


def square(names: Sequence[str], values: Mapping[tuple[str, str], float]) -> pd.DataFrame:
    """A symmetric matrix of values given once for each pair, with ones on the diagonal."""
    place = {name: position for position, name in enumerate(names)}
    matrix = np.eye(len(names))
    for (one, other), value in values.items():
        matrix[place[one], place[other]] = matrix[place[other], place[one]] = value
    return pd.DataFrame(matrix, index=list(names), columns=list(names))


def seriate(strengths: Floats) -> list[int]:
    """An order of the columns in which those that go together stand together: blocks along the diagonal.

    Leaves of average linkage on the dissimilarity 1 - |strength|, turned so that neighbours are as alike as can be.
    """
    if len(strengths) < 3:
        return list(range(len(strengths)))
    apart = 1 - np.abs(np.nan_to_num(strengths))
    apart = (apart + apart.T) / 2
    np.fill_diagonal(apart, 0)
    condensed = squareform(np.clip(apart, 0, None), checks=False)
    return [int(leaf) for leaf in leaves_list(optimal_leaf_ordering(linkage(condensed, "average"), condensed))]


def _filled(table: Counts) -> Counts:
    """Without codes that no row has."""
    filled: Counts = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    return filled
