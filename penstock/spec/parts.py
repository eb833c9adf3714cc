"""What the parts of a pipeline file are made of."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

Scalar = bool | int | float | str
ParameterValue = Scalar | None | list[Scalar | None]
Share = Annotated[float, Field(gt=0, lt=1)]


class Part(BaseModel):
    """A mapping of the pipeline file: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class Choice(Part):
    """A component by its catalogue name, with parameters: `ridge` or `{ridge: {alpha: [0.1, 1, 10]}}`.

    A list of values is a search space.
    """

    name: str
    parameters: dict[str, ParameterValue] = {}

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
