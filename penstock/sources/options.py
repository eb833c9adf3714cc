"""How a source is to be read, where its reader should not find it out by itself."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from penstock.errors import UsageError, did_you_mean


class Reading(BaseModel):
    """Everything is found out where it is not said; what cannot be told for sure is asked for, never guessed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    delimiter: Annotated[
        str | None,
        Field(min_length=1, max_length=1, description="The character between the values of a CSV file, such as ';'."),
    ] = None
    quote: Annotated[
        str | None,
        Field(max_length=1, description="The character around values that hold a delimiter; '' where there is none."),
    ] = None
    decimal: Annotated[str | None, Field(pattern=r"^[.,]$", description="The decimal mark: '.' or ','.")] = None
    thousands: Annotated[
        str | None,
        Field(
            max_length=1,
            description="The mark between groups of three digits, such as '.'; ' ' for any space, '' for none.",
        ),
    ] = None
    encoding: Annotated[
        str | None, Field(min_length=1, description="The text's encoding, such as utf-8, cp1252 or utf-16.")
    ] = None
    header: Annotated[
        bool | None, Field(description="Whether the first row holds the names of the columns; by default it does.")
    ] = None
    sheet: Annotated[
        str | int | None, Field(description="The sheet of an Excel file: its name, or its number from 1 on.")
    ] = None
    query: Annotated[str | None, Field(min_length=1, description="The SQL query whose rows are read.")] = None
    parameters: Annotated[
        dict[str, str | int | float | bool] | None,
        Field(description="Values of `:name` in the query; they are bound by the database's driver, never pasted in."),
    ] = None

    @field_validator("delimiter", mode="before")
    @classmethod
    def tab_in_words(cls, mark: object) -> object:
        return "\t" if mark in ("tab", "\\t") else mark

    @field_validator("encoding")
    @classmethod
    def text_encoding(cls, encoding: str | None) -> str | None:
        if encoding is None:
            return None
        try:
            return codecs.lookup(encoding).name if "".encode(encoding) is not None else None
        except LookupError:
            raise ValueError("there is no such text encoding; usual encodings: utf-8, cp1252, utf-16") from None

    @field_validator("delimiter", "quote", "thousands")
    @classmethod
    def no_line_break(cls, mark: str | None) -> str | None:
        if mark and (mark in "\r\n" or mark.isalnum()):
            raise ValueError("a mark is no letter, no digit and no line break")
        return mark

    @field_validator("thousands")
    @classmethod
    def no_decimal_mark(cls, mark: str | None, info: ValidationInfo) -> str | None:
        if mark and mark == info.data.get("decimal"):
            raise ValueError("the mark of thousands cannot be the decimal mark")
        return mark

    def declared(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


def how_to_say(key: str, value: str) -> str:
    """Where a person says how the rows are read; `init` and `score` have no pipeline file to say it in."""
    quote = "" if key == "encoding" else "'" if value == '"' else '"'
    return (
        f"`data: {{reading: {{{key}: {quote}{value}{quote}}}}}` in the pipeline file, or "
        f"`--reading {quote}{key}={value}{quote}` to init and score"
    )


def reading_of(texts: Sequence[str]) -> Reading:
    """From texts such as `delimiter=;`, as a command line gives them."""
    given: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in Reading.model_fields:
            raise UsageError(
                "PEN008",
                f"--reading takes key=value, not {text!r}",
                where="--reading",
                remedy=did_you_mean(name, list(Reading.model_fields)),
            )
        given[name] = value
        if name in ("header", "sheet", "parameters"):
            with suppress(yaml.YAMLError, ValueError):
                given[name] = yaml.safe_load(value)
    try:
        return Reading.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(
            "PEN003",
            f"'{first['loc'][0]}': {first['msg'].removeprefix('Value error, ')}",
            where="--reading",
            remedy=Reading.model_fields[str(first["loc"][0])].description or "correct the value",
        ) from None
