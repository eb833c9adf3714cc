"""How far an error on seen rows may be from the true one, and how good a vote can be.

The courses print no formula for the confidence of a class of given VC dimension, and mix its two small numbers; here it
is Vapnik's, and `delta` is always the probability that the bound fails.
"""

from __future__ import annotations

import bisect
import math

import numpy as np
from scipy.special import logsumexp
from scipy.stats import binom


def hoeffding(epsilon: float, rows: int, hypotheses: float = 1) -> float:
    """The probability that some error on these rows is more than epsilon from the true one: 2 M exp(-2 epsilon^2 N).

    One hypothesis that the rows did not choose has M = 1; one chosen among M by the rows pays for all of them. Above 1
    the bound says nothing. In the place of M, the courses put how many ways a class can label the rows.
    """
    return 2 * hypotheses * math.exp(-2 * epsilon**2 * rows)


def log_hoeffding(epsilon: float, rows: int, log_hypotheses: float) -> float:
    """The logarithm of that bound, from the logarithm of M: ways to label rows soon leave the range of numbers."""
    return math.log(2) + log_hypotheses - 2 * epsilon**2 * rows


def rows_needed(epsilon: float, delta: float, hypotheses: float = 1) -> int:
    """The least number of rows for which that chance is at most delta."""
    return math.ceil((math.log(2 * hypotheses) - math.log(delta)) / (2 * epsilon**2))


def rows_needed_by_class(epsilon: float, delta: float, dimension: int) -> int:
    """The same of a class of this VC dimension, where M is how many ways it can label just so many rows.

    The logarithm of the bound bends down and begins above that of delta: where it comes below, it stays there.
    """
    low = high = rows_needed(epsilon, delta)

    def enough(rows: int) -> bool:
        return log_hoeffding(epsilon, rows, log_most_labellings(rows, dimension)) <= math.log(delta)

    while not enough(high):
        low, high = high, 2 * high
    return bisect.bisect_left(range(high), True, lo=low, key=enough)


def deviation(rows: int, delta: float, hypotheses: float = 1) -> float:
    """How far an error may be from the true one but for a probability of delta: Hoeffding's bound, turned around."""
    return log_deviation(rows, delta, math.log(hypotheses))


def log_deviation(rows: int, delta: float, log_hypotheses: float) -> float:
    """The same, from the logarithm of M."""
    return math.sqrt((math.log(2 / delta) + log_hypotheses) / (2 * rows))


def most_labellings(rows: int, dimension: int) -> int:
    """The growth function's bound by Sauer: the most ways in which a class of this VC dimension can label the rows."""
    return sum(math.comb(rows, size) for size in range(min(dimension, rows) + 1))


def log_most_labellings(rows: int, dimension: int) -> float:
    """Its logarithm, which numbers can always hold."""
    if dimension >= rows:
        return rows * math.log(2)
    sizes = np.arange(dimension, dtype=np.float64)
    return float(logsumexp(np.append(0.0, np.cumsum(np.log((rows - sizes) / (sizes + 1))))))


def vc_confidence(dimension: float, rows: int, delta: float) -> float:
    """What the true error may exceed the error on the rows by, but for a probability of delta, in a class of VC
    dimension h.

    sqrt((h (ln(2 n / h) + 1) - ln(delta / 4)) / n)

    The formula holds up to h = 2n. Larger classes can label 2n rows in no more ways than all; from there on, as always
    above 1, the bound says nothing.
    """
    dimension = min(dimension, 2 * rows)
    spread = dimension * (math.log(2 * rows / dimension) + 1) - math.log(delta / 4)
    return math.sqrt(spread / rows)


def majority_error(voters: int, error: float) -> float:
    """How often most of an odd number of independent voters are wrong, each with this error.

    The sum goes to the whole part of T/2: the courses print T/2, which counts ties twice where T is even.
    """
    return float(binom.cdf(voters // 2, voters, 1 - error))


def majority_bound(voters: int, error: float) -> float:
    """Hoeffding's bound on it, for voters that are better than chance."""
    return math.exp(-voters / 2 * (2 * error - 1) ** 2)
