"""What every solver returns, and when it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, Any]
Rule = Literal["step", "gradient", "error", "validation", "most", "diverged", "far", "undefined", "curvature"]

RULES: dict[Rule, str] = {
    "step": "the parameters stopped moving",
    "gradient": "the gradient vanished",
    "error": "the training error was small enough",
    "validation": "the error on other rows rose",
    "most": "the number of steps was reached",
    "diverged": "it diverged: the rate is too large",
    "far": "a step went too far to go on from there",
    "undefined": "a step left where the function is defined",
    "curvature": "the curvature is not positive, so that there is no least value nearby",
}
FAR = 1e10


@dataclass(frozen=True)
class Trace:
    """Every point that a solver stood on, the start first, and the function there; `end` is the answer."""

    points: Array
    values: Array
    rule: Rule
    end: Array

    @property
    def steps(self) -> int:
        return len(self.points) - 1

    @property
    def lost(self) -> bool:
        """Whether it ended where there is nothing to be found."""
        return self.rule in ("diverged", "far", "undefined")


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Rules that end a solver; one that is None never does. The number of steps always counts.

    `step` and `gradient` are lengths, `error` a value of the function, `patience` the steps without a better error on
    other rows, after which the best parameters are kept.
    """

    step: float | None = 1e-6
    gradient: float | None = 1e-6
    error: float | None = None
    patience: int | None = None
    most: int = 10_000

    def before(self, slope: Array, value: float) -> Rule | None:
        """What says that no step is needed."""
        if self.gradient is not None and np.linalg.norm(slope) <= self.gradient:
            return "gradient"
        return "error" if self.error is not None and value <= self.error else None

    def after(self, point: Array, moved: Array) -> Rule | None:
        """What says that this step was the last."""
        size = np.linalg.norm(point)
        if not np.isfinite(size) or size > FAR:
            return "diverged"
        return "step" if self.step is not None and np.linalg.norm(moved) <= self.step else None
