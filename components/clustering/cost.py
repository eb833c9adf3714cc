"""What a clustering will cost in memory and time, before it is begun; and no to what cannot be paid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from penstock.errors import ClusteringError

Growth = Literal["linear", "quadratic"]

NUMBER = 8


@dataclass(frozen=True)
class Cost:
    """`memory` and `time`: how each grows with the rows. `bytes` are beside the rows themselves."""

    bytes: int
    seconds: float
    memory: Growth
    time: Growth
    alternative: str


@dataclass(frozen=True)
class _Law:
    """Bytes and seconds from rows n, columns p and clusters k; seconds as on one core of a small machine."""

    bytes: Callable[[int, int, int], float]
    seconds: Callable[[int, int, int], float]
    memory: Growth = "linear"
    time: Growth = "linear"
    alternative: str = ""


def _rows(copies: float) -> Callable[[int, int, int], float]:
    """So many copies of the rows, and some numbers for each."""
    return lambda n, p, k: NUMBER * n * (copies * p + 4)


def _pairs(matrices: float) -> Callable[[int, int, int], float]:
    """So many matrices of rows by rows."""
    return lambda n, p, k: matrices * NUMBER * n * n


def _shares(n: int, p: int, k: int) -> float:
    return NUMBER * n * (2 * p + 4 * k)


_MANY = "mini-batch-k-means, birch"
_SHAPES = "k-means-linkage, which follows any shape in linear memory"
_LAWS: dict[str, _Law] = {
    "k-means": _Law(_rows(2), lambda n, p, k: 2e-8 * n * p * k * 10, alternative="mini-batch-k-means"),
    "mini-batch-k-means": _Law(_rows(1), lambda n, p, k: 4e-9 * n * p * k),
    "bisecting-k-means": _Law(_rows(3), lambda n, p, k: 4e-8 * n * p * k * 10),
    "k-medians": _Law(lambda n, p, k: NUMBER * n * (2 * p + 2 * k), lambda n, p, k: 1e-7 * n * p * k * 10),
    "soft-k-means": _Law(_shares, lambda n, p, k: 5e-7 * n * (p + k) * 10),
    "gaussian-mixture": _Law(_shares, lambda n, p, k: 1e-7 * n * p * p * k),
    "latent-class": _Law(_shares, lambda n, p, k: 1e-6 * n * p * k),
    "gibbs-mixture": _Law(_shares, lambda n, p, k: 1e-5 * n * (p + k)),
    "k-means-linkage": _Law(_rows(2), lambda n, p, k: 2e-8 * n * p * 100 * 3),
    "birch": _Law(lambda n, p, k: NUMBER * (n * 4 + 4000 * (p + 2000)), lambda n, p, k: 2e-4 * n),
    "hdbscan": _Law(_rows(3), lambda n, p, k: 3e-9 * n * n * p, time="quadratic", alternative=_SHAPES),
    "mean-shift": _Law(_rows(3), lambda n, p, k: 2e-7 * n * n, time="quadratic", alternative=_MANY),
    # How many neighbours a row has hangs on eps; a twentieth of all rows is many.
    "dbscan": _Law(_pairs(0.05), lambda n, p, k: 3e-9 * n * n * p, "quadratic", "quadratic", _SHAPES),
    "k-medoids": _Law(_pairs(1.5), lambda n, p, k: 3e-8 * n * n, "quadratic", "quadratic", f"k-medians, {_MANY}"),
    "kernel-k-means": _Law(_pairs(2), lambda n, p, k: 5e-8 * n * n * k, "quadratic", "quadratic", _SHAPES),
    "agglomerative": _Law(_pairs(1), lambda n, p, k: 3e-8 * n * n, "quadratic", "quadratic", f"{_SHAPES}, or birch"),
    "spectral": _Law(
        lambda n, p, k: NUMBER * n * (p + 60 + 4 * k),
        lambda n, p, k: 1e-8 * n * n + 1e-4 * n,
        time="quadratic",
        alternative=_SHAPES,
    ),
}


def estimate(name: str, rows: int, columns: int, parameters: Mapping[str, Any] | None = None) -> Cost | None:
    """What a method of the catalogue costs on so many rows; None of one that nothing is known of."""
    law = _LAWS.get(name)
    if law is None:
        return None
    given = parameters or {}
    clusters = int(given.get("clusters", 8))
    size, memory, time = law.bytes(rows, columns, clusters), law.memory, law.time
    if _holds_pairs(given):
        size, memory, time = max(size, 2.0 * NUMBER * rows * rows), "quadratic", "quadratic"
    alternative = law.alternative or _MANY
    return Cost(int(size), law.seconds(rows, columns, clusters), memory, time, alternative)


def require_affordable(
    name: str,
    rows: int,
    columns: int,
    parameters: Mapping[str, Any] | None = None,
    *,
    limit: float,
    seconds: float | None = None,
) -> None:
    """Refuse a method whose memory would be over the limit in bytes, with the estimate and what to take instead.

    So is one whose time grows with the square of the rows, if it would be over the limit in seconds.
    """
    cost = estimate(name, rows, columns, parameters)
    if cost is None:
        return
    if cost.bytes > limit:
        most = int(rows * (limit / cost.bytes) ** (0.5 if cost.memory == "quadratic" else 1))
        raise ClusteringError(
            "PEN338",
            f"'{name}' on {rows:,} rows by {columns} columns needs about {_size(cost.bytes)} of memory, which grows "
            f"{'with the square of' if cost.memory == 'quadratic' else 'with'} the rows; the limit is {_size(limit)}",
            where=f"models: {name}",
            remedy=f"take {cost.alternative}; or at most {most:,} rows (--sample {most}); or a higher "
            "`limits.memory_mb`",
        )
    if seconds is not None and cost.time == "quadratic" and cost.seconds > seconds:
        most = int(rows * (seconds / cost.seconds) ** 0.5)
        raise ClusteringError(
            "PEN338",
            f"'{name}' on {rows:,} rows by {columns} columns needs about {cost.seconds:,.0f} s, which grows with the "
            f"square of the rows; the limit is {seconds:,.0f} s",
            where=f"models: {name}",
            remedy=f"take {cost.alternative}; or at most {most:,} rows (--sample {most}); or a higher `limits.seconds`",
        )


def _holds_pairs(given: Mapping[str, Any]) -> bool:
    """Whether parameters ask for a matrix of rows by rows that the method would not hold otherwise."""
    dense = given.get("affinity") in ("gaussian", "precomputed")
    return dense or given.get("dissimilarity", "euclidean") != "euclidean"


def _size(bytes_: float) -> str:
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if bytes_ >= size:
            return f"{bytes_ / size:,.1f} {unit}"
    return f"{bytes_ / 1e3:,.1f} kB"
