"""When a model becomes the champion, and when the pipeline runs."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from penstock.spec.parts import Part, Share


class Promote(Part):
    margin: Annotated[float, Field(ge=0, description="How much worse than the champion still counts as equal.")] = 0.005
    confidence: Annotated[Share, Field(description="Confidence of the interval of the difference.")] = 0.95


class Register(Part):
    promote: Promote = Promote()


class Schedule(Part):
    cron: str | None = None
    interval: Annotated[float | None, Field(gt=0, description="Seconds between runs.")] = None
    timezone: str = "UTC"

    @model_validator(mode="after")
    def one_of_two(self) -> Schedule:
        if (self.cron is None) == (self.interval is None):
            raise ValueError("give either cron or interval")
        return self
