"""What a diagnostic is: a function from a table and parameters to findings in words, a table and maybe a picture."""

from __future__ import annotations

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


@dataclass(frozen=True)
class Diagnostic:
    """`parameters` are the keyword arguments of the function, each with what it means."""

    name: str
    summary: str
    function: Callable[..., Found]
    parameters: Mapping[str, str] = field(default_factory=dict)
    syllabus: tuple[str, ...] = ()

    def __call__(self, frame: pd.DataFrame, given: Mapping[str, Any] | None = None) -> Found:
        return self.function(frame, **{name: self._checked(name, value) for name, value in (given or {}).items()})

    def _checked(self, name: str, value: Any) -> Any:
        where = f"--set {name}"
        if name not in self.parameters:
            remedy = did_you_mean(name, list(self.parameters))
            raise UsageError("PEN221", f"'{self.name}' has no parameter '{name}'", where=where, remedy=remedy)
        try:
            return TypeAdapter(
                get_type_hints(self.function)[name], config=ConfigDict(coerce_numbers_to_str=True)
            ).validate_python(value)
        except ValidationError as error:
            what = f"{value!r} does not fit '{name}': {error.errors()[0]['msg']}"
            raise UsageError("PEN222", what, where=where, remedy=self.parameters[name]) from None
