"""When a model becomes the champion, and when the pipeline runs."""

from __future__ import annotations

import difflib
import re
from typing import Annotated, Literal
from zoneinfo import available_timezones

from pydantic import Field, field_validator, model_validator

from penstock.components.evaluation.terms import Terms
from penstock.spec.base import SpecModel


class Register(SpecModel):
    promote: Annotated[Terms, Field(description="What a new model must show to become the champion.")] = Terms()
    decide: Annotated[
        Literal["promote", "hold", "ask"],
        Field(
            description="What becomes of a model that the gate would promote: `promote` lets it in; `ask` lets it wait "
            "as `challenger` until a person says `penstock promote NAME@challenger` or `penstock hold`; `hold` only "
            "keeps it in the registry."
        ),
    ] = "promote"


class Schedule(SpecModel):
    cron: Annotated[
        str | None,
        Field(description="Minute, hour, day, month, day of the week: `0 3 * * *` is every night at 3."),
    ] = None
    interval: Annotated[float | None, Field(gt=0, description="Seconds between runs.")] = None
    timezone: Annotated[str, Field(description="Where the clock stands, e.g. Europe/Rome.")] = "UTC"
    overlap: Annotated[
        Literal["wait", "skip"],
        Field(description="A run that is due while the last one still runs: waits for its end, or is left out."),
    ] = "wait"

    @field_validator("cron")
    @classmethod
    def five_fields(cls, cron: str | None) -> str | None:
        if cron is not None and not re.fullmatch(r"[\w*/,#?-]+(\s+[\w*/,#?-]+){4}", cron.strip()):
            raise ValueError("a cron has five fields, such as 0 3 * * *")
        return cron

    @field_validator("timezone")
    @classmethod
    def known_timezone(cls, timezone: str) -> str:
        known = available_timezones()
        if timezone not in known:
            close = difflib.get_close_matches(timezone, known, n=1)
            raise ValueError(f"there is no such timezone; did you mean '{close[0] if close else 'UTC'}'?")
        return timezone

    @model_validator(mode="after")
    def one_of_two(self) -> Schedule:
        if (self.cron is None) == (self.interval is None):
            raise ValueError("give either cron or interval")
        return self
