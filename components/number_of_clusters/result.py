"""What a criterion says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

Best = Literal["greatest", "least"]


class CriterionResult(BaseModel):
    """A value for every K that the criterion can evaluate, the K it picks, and why in a sentence.

    `k` is None where the criterion cannot tell. `errors`: standard errors of the values, where there are some.
    `bar`: what a value has to reach, where there is such a thing.
    """

    model_config = ConfigDict(frozen=True)

    criterion: str
    values: dict[int, float]
    k: int | None
    reason: str
    errors: dict[int, float] = {}
    bar: float | None = None


def best_of(values: Mapping[int, float], best: Best) -> int | None:
    """The K with the greatest or least value; of equals the smaller one."""
    sign = 1 if best == "least" else -1
    return min(values, key=lambda k: (sign * values[k], k), default=None)
