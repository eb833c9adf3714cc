"""What a diagnostic is: a function from a table and parameters to findings in words, a table and maybe a picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_type_hints

import pandas as pd
from matplotlib.figure import Figure
from pydantic import ConfigDict, TypeAdapter, ValidationError

from penstock.errors import UsageError, did_you_mean


@dataclass(frozen=True)
class Found:
    """`findings` are sentences for people, `facts` the numbers behind them for scripts."""

    findings: list[str]
    table: pd.DataFrame
    facts: dict[str, Any] = field(default_factory=dict)
    figure: Figure | None = None


def table_of(found: Found) -> list[dict[str, Any]]:
    """The rows of the table as JSON, their names among them."""
    table = found.table if found.table.index.names == [None] else found.table.reset_index()
    rows: list[dict[str, Any]] = json.loads(table.to_json(orient="records", double_precision=15))
    return rows


@dataclass(frozen=True)
class Diagnostic:
    """`parameters` are the keyword arguments of the function, each with what it means.

    `needs_table`: False where the question can be asked of numbers alone; the function then takes None for the table.
    """

    name: str
    summary: str
    function: Callable[..., Found]
    parameters: Mapping[str, str] = field(default_factory=dict)
    needs_table: bool = True
    syllabus: tuple[str, ...] = ()

    def __call__(self, frame: pd.DataFrame | None, given: Mapping[str, Any] | None = None) -> Found:
        return self.function(frame, **self.checked(given or {}))

    def checked(self, given: Mapping[str, Any], where: str = "--set ") -> dict[str, Any]:
        """The parameters as the function takes them; `where` they were given, before their names."""
        return {name: self._checked(name, value, f"{where}{name}") for name, value in given.items()}

    def _checked(self, name: str, value: Any, where: str) -> Any:
        if name not in self.parameters:
            remedy = did_you_mean(name, list(self.parameters))
            raise UsageError("PEN221", f"'{self.name}' has no parameter '{name}'", where=where, remedy=remedy)
        try:
            return TypeAdapter(
                get_type_hints(self.function, include_extras=True)[name], config=ConfigDict(coerce_numbers_to_str=True)
            ).validate_python(value)
        except ValidationError as error:
            what = f"{value!r} does not fit '{name}': {error.errors()[0]['msg']}"
            raise UsageError("PEN222", what, where=where, remedy=self.parameters[name]) from None
