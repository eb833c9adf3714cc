"""What the data must look like."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from penstock.spec.base import SpecModel


class Validation(SpecModel):
    suite: Annotated[
        Literal["learnt", "none"], Field(description="Learn expectations from the training rows, or do not.")
    ] = "learnt"
    written: Annotated[
        str | None, Field(description="A YAML or JSON file with Great Expectations rules: a list of type and kwargs.")
    ] = None
    leakage: Annotated[
        Literal["warn", "stop", "off"],
        Field(
            description="What the leakage certificate does when it finds what would void the score: say so, stop the "
            "run (as early as it is known), or nothing, as no certificate is made."
        ),
    ] = "warn"
    on_failure: Annotated[Literal["stop", "warn"], Field(description="What a failed check does to the run.")] = "stop"

    @field_validator("leakage", mode="before")
    @classmethod
    def off_without_quotes(cls, value: Any) -> Any:
        """YAML reads an unquoted off as false."""
        return "off" if value is False else value
