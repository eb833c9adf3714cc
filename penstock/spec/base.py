"""What the parts of a pipeline file are made of."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    field_validator,
    model_validator,
)

Scalar = bool | int | float | str
Table = dict[Scalar, Scalar | dict[Scalar, Scalar]]
ParameterValue = Scalar | None | list[JsonValue] | Table
TAKE_TABLES = ("settings", "table")
"""What a dissimilarity takes, and distances between levels; anything else is one value or a list of some."""
Share = Annotated[float, Field(gt=0, lt=1)]


class SpecModel(BaseModel):
    """A mapping of the pipeline file: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class Choice(SpecModel):
    """A component by its catalogue name, with parameters: `ridge` or `{ridge: {alpha: [0.1, 1, 10]}}`.

    A list of values is a search space, but for the few parameters whose value is a list, such as `priors`.
    """

    name: str
    parameters: dict[str, ParameterValue] = {}

    @field_validator("parameters")
    @classmethod
    def few_mappings(cls, parameters: dict[str, ParameterValue]) -> dict[str, ParameterValue]:
        wrong = [name for name, value in parameters.items() if isinstance(value, dict) and name not in TAKE_TABLES]
        if wrong:
            raise ValueError(f"'{wrong[0]}' takes a value or a list of values, not a mapping")
        return parameters

    @model_validator(mode="before")
    @classmethod
    def from_short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"name": value}
        if isinstance(value, dict) and len(value) == 1 and "name" not in value:
            ((name, parameters),) = value.items()
            return {"name": name, "parameters": parameters or {}}
        if isinstance(value, dict) and value and not {"name", "parameters"} & value.keys():
            raise ValueError("an entry names one method; write each method as an item of its own")
        return value


def _named_once(choices: list[Choice]) -> list[Choice]:
    names = [choice.name for choice in choices]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"named twice: {', '.join(twice)}; give one entry with lists of values instead")
    return choices


Choices = Annotated[list[Choice], AfterValidator(_named_once)]
Alternatives = Annotated[
    Annotated[Choice, Tag("Choice")]
    | Annotated[list[Choice], Field(min_length=1), AfterValidator(_named_once), Tag("list")],
    Discriminator(lambda value: "list" if isinstance(value, list) else "Choice"),
]
"""One component, or a list of those that the search is to try."""
