"""The winner with shuffled labels: whatever it scores then, it did not learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from penstock.components.leakage.base import Check, Seen, Sides, does_not_apply, passed, plural

TIMES = 6
MATTERS = 0.02

Scorer = Callable[[NDArray[Any]], float]
"""The score of the whole pipeline, preparation and all, over the folds, with this target in the place of the true."""


def with_shuffled_labels(score: Scorer, y: NDArray[Any], *, chance_level: float, label: str, seed: int) -> Seen:
    """`chance_level`: the score of guessing. Only more than that is a leak: a model may fit noise and score less."""
    rng = np.random.default_rng(seed)
    scores = np.array([score(rng.permutation(y)) for _ in range(TIMES)])
    scores = scores[np.isfinite(scores)]
    if len(scores) < 2:
        return does_not_apply("there are too few rows to fit and score the winner with shuffled labels")
    mean, error = float(scores.mean()), float(scores.std(ddof=1)) / np.sqrt(len(scores))
    low, high = (mean + side * stats.t.ppf(0.975, len(scores) - 1) * error for side in (-1, 1))
    certainly = mean - stats.t.ppf(0.999, len(scores) - 1) * error
    said = (
        f"labels shuffled {plural(len(scores), 'time')}: {label} {mean:.3f} (95% {low:.3f} to {high:.3f}), where "
        f"chance is {chance_level:g}"
    )
    numbers = {"mean": mean, "low": low, "high": high, "chance": chance_level}
    if certainly > chance_level and mean > chance_level + MATTERS:
        return Seen("found", said, count=len(scores), examples=[f"{one:.4f}" for one in scores], numbers=numbers)
    return passed(said, **numbers)


def _after_the_search(sides: Sides) -> Seen:
    if not sides.schema.supervised:
        return does_not_apply("nothing is predicted, so there are no labels to shuffle")
    return does_not_apply("it waits for the winner")


SHUFFLED_LABELS = Check(
    "LEK014",
    "a score above chance with shuffled labels",
    "error",
    "a step of the pipeline sees rows that evaluate it: look at components of your own; one of the catalogue that "
    "does is "
    "a bug",
    _after_the_search,
)
