"""Whether a model has learnt too little, or too much of the rows that it was trained on."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

HIGH = 0.5
"""An error of more than this share of what knowing nothing errs by is high."""
MUCH = 2.0
WORTH_SAYING = 0.1


class FitGap(BaseModel):
    """`gap`: how much worse the score is on rows held out than on training rows.

    over-fit: the error on rows held out is more than twice that on training rows (which may be nothing at all), and
    the gap is more than a tenth of what knowing nothing errs by. under-fit: no such gap, and more than half of that
    error is left even on the training rows: the model is too simple, or the columns tell too little.
    """

    model_config = ConfigDict(frozen=True)

    gap: float
    verdict: Literal["over-fit", "under-fit", "neither"]


def fit_gap(train: float, validation: float, floor: float, best: float) -> FitGap:
    """Of scores, of which more is better; `floor`: of what ignores the columns. `best`: what no score exceeds."""
    learnt, other, nothing = best - train, best - validation, max(best - floor, 1e-12)
    gap = other - learnt
    if other > MUCH * learnt and gap > WORTH_SAYING * nothing:
        return FitGap(gap=gap, verdict="over-fit")
    if learnt > HIGH * nothing:
        return FitGap(gap=gap, verdict="under-fit")
    return FitGap(gap=gap, verdict="neither")
