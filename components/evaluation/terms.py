"""The terms on which a challenger may take the champion's place, as the pipeline file states them."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator


class _Terms(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class Slices(_Terms):
    """Parts of the rows in which the challenger must not be worse, whatever it gains elsewhere."""

    columns: Annotated[
        list[str],
        Field(
            min_length=1,
            description="Each level of these columns is a slice; numbers with many values are cut into quarters. A "
            "column that the model must not use (`ignore`) can be named too.",
        ),
    ]
    margin: Annotated[
        float,
        Field(ge=0, description="A slice whose score falls by more than this, beyond chance, holds the challenger."),
    ] = 0.02


class Latency(_Terms):
    """How long a prediction may take: both models are timed in turn in one process, and the median counts."""

    rows: Annotated[int, Field(ge=1, le=100_000, description="Rows that are predicted in one call.")] = 1
    milliseconds: Annotated[float | None, Field(gt=0, description="The longest that one call may take.")] = None
    ratio: Annotated[
        float | None, Field(gt=0, description="The longest that one call may take, as a multiple of the champion's.")
    ] = None

    @model_validator(mode="after")
    def states_a_limit(self) -> Latency:
        if self.milliseconds is None and self.ratio is None:
            raise ValueError("no limit is stated; give milliseconds, ratio or both")
        return self


class Limits(_Terms):
    """What no model may exceed, the first one included."""

    latency: Annotated[Latency | None, Field(description="On the time of a prediction.")] = None
    size_mb: Annotated[float | None, Field(gt=0, description="On the model file, in megabytes (10^6 bytes).")] = None
    calibration_error: Annotated[
        float | None,
        Field(
            gt=0,
            lt=1,
            description="On the expected calibration error of a classification, on the test rows. A model is held when "
            "the whole interval is above.",
        ),
    ] = None

    @property
    def any(self) -> bool:
        return any(limit is not None for limit in (self.latency, self.size_mb, self.calibration_error))


class Terms(_Terms):
    margin: Annotated[float, Field(ge=0, description="A gain below this is not worth a change of champion.")] = 0.005
    confidence: Annotated[float, Field(gt=0, lt=1, description="Confidence of the interval of the difference.")] = 0.95
    slices: Annotated[
        Slices | None, Field(description="Parts of the rows in which the challenger must not be worse.")
    ] = None
    limits: Annotated[Limits, Field(description="On time, size and calibration.")] = Limits()
    strict: Annotated[
        bool,
        Field(
            description="By default slices and calibration hold a model back when they are shown to be bad. `true` "
            "waits until they are shown to be good: undecided ones make the verdict inconclusive."
        ),
    ] = False
