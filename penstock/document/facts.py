"""What all parts of a document are made of."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Volatile:
    """Marks a field that may differ between equal results, such as seconds; it is no part of any key."""


class Facts(BaseModel):
    """A part of the run document: a key that it does not know is refused, and nothing is changed once it is made."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        protected_namespaces=(),
    )


class Section(Facts):
    """What only some kinds of problem bring; registered under its key in the document."""


class Interval(Facts):
    """A number and where it may lie; without ends where too few rows define it."""

    value: float | None
    low: float | None
    high: float | None
    confidence: float | None = None
