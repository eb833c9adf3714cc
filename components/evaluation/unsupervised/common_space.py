"""Two models that prepared the same columns in other units, brought into one space."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import get_tags

Array = np.ndarray[Any, Any]

EXACT = 1e-6


def slopes(ours: Array, theirs: Array) -> Array | None:
    """How much each of their columns changes when ours changes by one; None where they are not a line of ours.

    Scalers trained on other rows differ by a shift and a factor. Anything else cannot be compared.
    """
    if ours.shape != theirs.shape:
        return None
    mine, other = ours - ours.mean(axis=0), theirs - theirs.mean(axis=0)
    size = (mine**2).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(size > 0, (mine * other).sum(axis=0) / size, 1.0)
    off = np.abs(other - mine * found).max(axis=0)
    if (off > EXACT * np.maximum(np.abs(other).max(axis=0), 1.0)).any() or (found == 0).any():
        return None
    return found


class InOurUnits:
    """A reduction or a density that was learnt in other units, asked in ours.

    `ours` and `theirs`: the same rows, as either preparation gives them. A density is per unit of space: where a unit
    of ours is larger, more lies in it.
    """

    def __init__(self, model: Any, ours: Array, theirs: Array, slope: Array) -> None:
        self.model, self.slope = model, slope
        self.shift = theirs.mean(axis=0) - slope * ours.mean(axis=0)

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.model)

    def transform(self, X: Array) -> Array:
        return np.asarray(self.model.transform(X * self.slope + self.shift))

    def inverse_transform(self, Z: Array) -> Array:
        back: Array = (np.asarray(self.model.inverse_transform(Z)) - self.shift) / self.slope
        return back

    def score_samples(self, X: Array) -> Array:
        logs = np.asarray(self.model.score_samples(X * self.slope + self.shift))
        return logs + float(np.log(np.abs(self.slope)).sum())
