"""The best of an explicit list of hypotheses, and how far to trust its error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from penstock.components.teaching.learning_theory.bounds import deviation

Array = np.ndarray[Any, Any]
MAX_CUTS = 64


class Risk(NamedTuple):
    """`errors` of all hypotheses on the rows; but for a probability of delta, all true ones are within `band` of
    them.
    """

    errors: Array
    best: int
    band: float


@dataclass(frozen=True)
class Stump:
    """Says `above` where the column is above the cut, else `below`; both are class codes."""

    column: int
    cut: float
    below: int
    above: int

    def __call__(self, X: Array) -> Array:
        return np.where(X[:, self.column] > self.cut, self.above, self.below)


def minimise_risk(hypotheses: Sequence[Callable[[Array], Array]], X: Array, y: Array, delta: float = 0.05) -> Risk:
    """Empirical risk minimisation: the hypothesis with the fewest mistakes, of equals the first."""
    errors = np.array([np.mean(hypothesis(X) != y) for hypothesis in hypotheses])
    return Risk(errors, int(errors.argmin()), deviation(len(y), delta, len(hypotheses)))


def stumps(X: Array) -> list[Stump]:
    """Every question about one column that the rows can tell apart, with both answers; of many values some cuts."""
    found = [Stump(0, np.inf, below, 1 - below) for below in (0, 1)]
    for column, values in enumerate(X.T):
        known = np.unique(values)
        places = np.arange(len(known) - 1)
        if len(places) > MAX_CUTS:
            places = np.linspace(0, len(places) - 1, MAX_CUTS).round().astype(int)
        cuts = [_between(float(known[place]), float(known[place + 1])) for place in places]
        found += [Stump(column, cut, below, 1 - below) for cut in cuts for below in (0, 1)]
    return found


def _between(low: float, high: float) -> float:
    """Half-way, without the last digits, which are rounding, where these do not matter."""
    middle = (low + high) / 2
    short = float(f"{middle:.12g}")
    return short if low <= short < high else middle
