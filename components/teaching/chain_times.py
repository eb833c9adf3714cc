"""How long a Markov chain needs to settle and to forget, from the trace of one number that it passes by.

No general rule tells when a chain has converged: the time can grow exponentially with what is sampled, and a plateau
may be that of one mode alone. Several chains from far starts can disprove convergence, none can prove it. Nor are
uncorrelated sweeps independent: another number of the same chain may be slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

FORGOTTEN = 0.1
MIN_LEFT = 10


class Times(NamedTuple):
    """`burn_in` (T_eq) is None where no plateau was reached, `lag` (T_decorr) where the chain never moved."""

    burn_in: int | None
    lag: int | None
    effective: float
    autocorrelation: Array


def plateau(trace: Array) -> int | None:
    """From which sweep on the trace is level: where the standard error of the mean of the rest is least (MSER).

    A start far from the plateau makes the rest vary more, fewer sweeps make its mean less sure. Where more than half
    would have to go, the chain is too short to say.
    """
    trace = np.asarray(trace, dtype=np.float64)
    left = np.arange(len(trace), 0, -1)
    centred = trace - trace[-1]
    sums, squares = (np.cumsum(part[::-1])[::-1] for part in (centred, centred**2))
    error = (squares / left - (sums / left) ** 2) / left
    best = int(error[: max(1, len(trace) - MIN_LEFT)].argmin())
    return best if best <= len(trace) // 2 else None


def autocorrelation(trace: Array) -> Array:
    """By lags, the first being 1; that of a chain that never moves is 1 throughout."""
    centred = np.asarray(trace, dtype=np.float64) - np.mean(trace)
    if not centred.any():
        return np.ones(len(centred))
    spectrum = np.abs(np.fft.rfft(centred, 2 * len(centred))) ** 2
    products = np.fft.irfft(spectrum)[: len(centred)]
    shares: Array = products / products[0]
    return shares


def decorrelation_lag(alike: Array) -> int | None:
    """The first lag at which the autocorrelation is below 0.1."""
    below = alike < FORGOTTEN
    return int(below.argmax()) if below.any() else None


def effective_size(alike: Array) -> float:
    """As many independent draws would tell the mean as surely; sums pairs of lags while they are positive (Geyer)."""
    even = len(alike) // 2 * 2
    pairs = alike[:even].reshape(-1, 2).sum(axis=1)
    ended = pairs <= 0
    pairs = pairs[: int(ended.argmax())] if ended.any() else pairs
    return float(len(alike) / max(2 * np.minimum.accumulate(pairs).sum() - 1, 1.0)) if len(pairs) else float(len(alike))


def times(trace: Array) -> Times:
    """Where no plateau was reached, the second half stands for it."""
    burn_in = plateau(trace)
    alike = autocorrelation(trace[len(trace) // 2 if burn_in is None else burn_in :])
    return Times(burn_in, decorrelation_lag(alike), effective_size(alike), alike)


def used_sweeps(length: int, burn_in: int, lag: int) -> Array:
    """Which sweeps count: none of the burn-in, then every `lag`-th."""
    return np.arange(burn_in, length, max(lag, 1))


def disagreement(chains: Sequence[Array]) -> float:
    """Gelman and Rubin's R-hat of halved chains: near 1 where they vary as much within as between them."""
    half = len(chains[0]) // 2
    halves = np.array([part for chain in chains for part in (chain[:half], chain[-half:])])
    within = float(halves.var(axis=1, ddof=1).mean())
    between = float(halves.mean(axis=1).var(ddof=1))
    if within == 0:
        return 1.0 if between == 0 else float("inf")
    return float(np.sqrt((half - 1) / half + between / within))
