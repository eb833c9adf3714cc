"""The penalised risk of a linear model: its value, slope and curvature, whole or of some rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit

from penstock.components.optimisation.trace import Array

Loss = Literal["squared", "logistic"]
Prefactor = Literal["mean", "whole", "sum"]


@dataclass(frozen=True)
class Risk:
    """The mean loss over the rows and (penalty / n) times the sum of |w|^power, power being 1 or 2.

    `squared` is (y - Xw)² for any y, `logistic` is log(1 + exp(-yXw)) for y of -1 and 1 (where a minus stands inside
    the logarithm's sign in print, the loss would be negative). At 0, the slope of |w| is taken to be 0. The data's
    slope in weight i has column i of X, an index that is left out in print.
    """

    X: Array
    y: Array
    loss: Loss = "squared"
    penalty: float = 0.0
    power: Literal[1, 2] = 2

    @property
    def rows(self) -> int:
        return len(self.y)

    def value(self, w: Array) -> float:
        scores = self.X @ w
        losses = (self.y - scores) ** 2 if self.loss == "squared" else np.logaddexp(0, -self.y * scores)
        return float(losses.mean() + self.penalty / self.rows * np.sum(np.abs(w) ** self.power))

    def slope(self, w: Array) -> Array:
        return self.data_slope(w) / self.rows + self.penalty_slope(w)

    def data_slope(self, w: Array, rows: Array | slice = slice(None)) -> Array:
        """Of the losses of these rows, summed."""
        X, y = self.X[rows], self.y[rows]
        scores = X @ w
        pulls = 2 * (scores - y) if self.loss == "squared" else -y * expit(-y * scores)
        summed: Array = X.T @ pulls
        return summed

    def penalty_slope(self, w: Array) -> Array:
        towards: Array = 2 * w if self.power == 2 else np.sign(w)
        return self.penalty / self.rows * towards

    def batch_slope(self, w: Array, rows: Array, prefactor: Prefactor) -> Array:
        """What one batch says: books divide its sum by its own rows, by all rows, or by nothing.

        The penalty counts whole in every step, so that over an epoch it counts as often as there are batches. Rates
        of one convention do not serve in another.
        """
        by = {"mean": len(rows), "whole": self.rows, "sum": 1}[prefactor]
        return self.data_slope(w, rows) / by + self.penalty_slope(w)

    def curvature(self, w: Array) -> Array:
        """(2/n) X'X, or X'WX / n with W = h (1 - h); and the squared penalty's. |w| has none."""
        weights = np.full(self.rows, 2.0)
        if self.loss == "logistic":
            chance = expit(self.X @ w)
            weights = chance * (1 - chance)
        curved: Array = (self.X.T * weights) @ self.X / self.rows
        if self.power == 2:
            curved = curved + 2 * self.penalty / self.rows * np.eye(len(w))
        return curved

    def steepest(self) -> float:
        """The largest curvature: constant rates below 2 / this converge, for squared losses and only then."""
        bend = 2.0 if self.loss == "squared" else 0.25
        largest = float(np.linalg.norm(self.X, 2) ** 2) / self.rows * bend
        return largest + (2 * self.penalty / self.rows if self.power == 2 else 0.0)
