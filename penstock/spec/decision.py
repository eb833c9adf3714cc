"""From probabilities to predictions, and how sure they must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from penstock.spec.base import Share, SpecModel

Cost = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Tuned(SpecModel):
    """A threshold that is looked for."""

    tune: Annotated[str, Field(description="The metric that it is to make best, such as f1 or f_beta:2.")]


class Decision(SpecModel):
    costs: Annotated[
        dict[str, Cost | dict[str, Cost]] | None,
        Field(
            min_length=1,
            description="What errors cost, for two classes as `{false_positive: 1, false_negative: 5}`, for more by "
            "true class and prediction: `{ill: {well: 10}}`. Errors that are not named cost 1. The mean cost per row "
            "is "
            "the metric neg_cost, which decides unless search.metric names another; predictions are those of least "
            "expected cost.",
        ),
    ] = None
    threshold: Annotated[
        Literal["tune"] | Annotated[float, Field(gt=0, lt=1)] | Tuned | None,
        Field(
            description="Of two classes: the probability above which the positive one is predicted. `tune` finds it on "
            "predictions for training rows that the winner's fits had not seen: for the costs, else for the metric "
            "that decides, else (where that looks at probabilities alone) for balanced accuracy; `{tune: f1}` for "
            "another. Test rows have no say. By default 0.5, or what the costs make of it."
        ),
    ] = None
    ties: Annotated[
        Literal["negative", "positive"],
        Field(
            description="What is predicted where the probability is the threshold itself: the negative class (the "
            "positive one is predicted above it), or the positive one (at it or above). Books differ."
        ),
    ] = "negative"
    calibrate: Annotated[
        Literal["none", "sigmoid", "isotonic", "temperature"],
        Field(
            description="How probabilities are corrected so that what is promised as 30 % happens in 30 of 100 rows; "
            "fitted on the same predictions for unseen rows. A sigmoid needs few rows, isotonic regression many; "
            "temperature keeps the order of the classes."
        ),
    ] = "none"
    coverage: Annotated[
        Share | None,
        Field(
            description="Give with each prediction a set of classes, or an interval of values, that holds the truth in "
            "this share of rows (conformal prediction); checked on the test rows."
        ),
    ] = None

    @property
    def asked(self) -> bool:
        """Whether anything but the likeliest class, or the plain value, is to be answered."""
        return self != Decision()

    @field_validator("costs", mode="before")
    @classmethod
    def classes_are_words(cls, costs: Any) -> Any:
        """YAML reads class names such as 1 and true as numbers and truth values."""
        return _words(costs)


def _words(value: Any) -> Any:
    return {str(key): _words(item) for key, item in value.items()} if isinstance(value, Mapping) else value
