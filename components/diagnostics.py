"""What a diagnostic is: a function from a table and parameters to findings in words, a table and maybe a picture.

Each is a module of `penstock.components.teaching.diagnostics` with a `DIAGNOSTIC`, loaded by its name when asked for.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import numpy as np
import pandas as pd
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from penstock.components.renamed import name_meant
from penstock.errors import DataError, PenstockError, UsageError, did_you_mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Fourth powers of numbers beyond these, and their sums, leave the range of floating-point numbers.
SMALLEST, LARGEST = 1e-70, 1e70
NUMBERS = ConfigDict(coerce_numbers_to_str=True, allow_inf_nan=False)
SEED = Field(ge=0, lt=2**32)  # as libraries take it


@dataclass(frozen=True)
class Found:
    """What a diagnostic has found.

    Parameters
    ----------
    findings : list of str
        Sentences for people.
    table : DataFrame
        The table that is printed below them.
    facts : dict, default={}
        The numbers behind the findings, for scripts.
    figure : Figure or None, default=None
        A picture.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import Found, table_of
    >>> found = Found(["One row is missing."], pd.DataFrame({"rows": [9]}), {"missing": 1})
    >>> found.facts["missing"], table_of(found)
    (1, [{'rows': 9}])
    """

    findings: list[str]
    table: pd.DataFrame
    facts: dict[str, Any] = field(default_factory=dict)
    figure: Figure | None = None


def amount(value: float) -> str:
    """Four digits that count; a large number is written out."""
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.4g}"


def steps_of(count: int) -> str:
    return f"{count:,} step{'s' if count != 1 else ''}"


def table_of(found: Found) -> list[dict[str, Any]]:
    """The rows of the table as JSON, their names among them."""
    table = found.table if found.table.index.names == [None] else found.table.reset_index()
    rows: list[dict[str, Any]] = json.loads(table.to_json(orient="records", double_precision=15))
    return rows


@dataclass(frozen=True)
class Diagnostic:
    """A question about a table, or about numbers alone, that is answered in words, a table and maybe a picture.

    Parameters
    ----------
    name : str
        What `penstock diagnose` and the key `diagnose` of a pipeline file call it.
    summary : str
        What it finds, in a sentence.
    function : callable
        Takes the table (None where it needs none) and the parameters by keyword; returns a `Found`.
    parameters : mapping of str to str, default={}
        What each keyword argument of the function means; whether it is required is added.
    needs_table : bool, default=True
        Whether it needs a table.
    syllabus : tuple of str, default=()
        The syllabus rows that it covers.

    Examples
    --------
    >>> from penstock.components.diagnostics import find
    >>> diagnostic = find("hoeffding")
    >>> diagnostic.needs_table
    False
    >>> round(diagnostic(None, {"rows": 500, "epsilon": 0.05}).facts["bound"], 3)
    0.164
    """

    name: str
    summary: str
    function: Callable[..., Found]
    parameters: Mapping[str, str] = field(default_factory=dict)
    needs_table: bool = True
    syllabus: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        marks = dict.fromkeys(self.required, " (required)")
        marked = {name: f"{words}{marks.get(name, '')}" for name, words in self.parameters.items()}
        object.__setattr__(self, "parameters", marked)

    def __call__(self, frame: pd.DataFrame | None, given: Mapping[str, Any] | None = None) -> Found:
        """What it finds. Whatever goes wrong is an error for people."""
        parameters = self.checked(given or {})
        self._require(parameters)
        if frame is not None:
            _refuse_extremes(frame)
        try:
            return self.function(frame, **parameters)
        except (PenstockError, MemoryError):
            raise
        except Exception as error:
            raise DataError(
                "PEN235",
                f"'{self.name}' failed: {type(error).__name__}: {error}",
                where="the parameters" if frame is None else "the table",
                remedy="leave out columns with infinite values, with one value or that follow from others; ask for "
                "less extreme parameters; or ask another diagnostic",
            ) from error

    @property
    def required(self) -> list[str]:
        """Parameters that have no default."""
        asked = inspect.signature(self.function).parameters.values()
        return [one.name for one in asked if one.kind is one.KEYWORD_ONLY and one.default is one.empty]

    def _require(self, given: Mapping[str, Any]) -> None:
        source = " FILE.csv" if self.needs_table else ""
        settings = " ".join(f"--set {name}={name.upper()}" for name in self.required)
        self.require(given, "--set ", f"penstock diagnose {self.name}{source} {settings}")

    def require(self, given: Mapping[str, Any], where: str, example: str) -> None:
        """Refuse where something required is not given."""
        missing = [name for name in self.required if name not in given]
        if missing:
            raise UsageError(
                "PEN234",
                f"'{self.name}' is not told {'; '.join(f'{name}, {self.parameters[name]}' for name in missing)}",
                where=f"{where}{missing[0]}",
                remedy=f"write it like this: {example}",
            )

    def checked(self, given: Mapping[str, Any], where: str = "--set ") -> dict[str, Any]:
        """The parameters as the function takes them; `where` they were given, before their names."""
        return {name: self._checked(name, value, f"{where}{name}") for name, value in given.items()}

    def _checked(self, name: str, value: Any, where: str) -> Any:
        if name not in self.parameters:
            remedy = name_meant(name, self.parameters)
            raise UsageError("PEN221", f"'{self.name}' has no parameter '{name}'", where=where, remedy=remedy)
        kind = get_type_hints(self.function, include_extras=True)[name]
        kind = Annotated[kind, SEED] if name == "seed" else kind
        try:
            return TypeAdapter(kind, config=NUMBERS).validate_python(value)
        except ValidationError as error:
            what = f"{value!r} does not fit '{name}': {error.errors()[0]['msg']}"
            raise UsageError("PEN222", what, where=where, remedy=self.parameters[name]) from None


def _refuse_extremes(frame: pd.DataFrame) -> None:
    sizes = frame.select_dtypes("number", exclude="timedelta").abs().max()
    odd = sizes[((sizes > LARGEST) & (sizes < np.inf)) | ((sizes > 0) & (sizes < SMALLEST))]
    if len(odd):
        raise DataError(
            "PEN236",
            f"{len(odd)} column(s) hold numbers too {'large' if odd.iloc[0] > 1 else 'small'} to compute with: "
            f"'{odd.index[0]}' goes up to {odd.iloc[0]:.3g}",
            where=f"column '{odd.index[0]}'",
            remedy="give the column in other units, or its logarithm, or leave it out",
        )


def names() -> list[str]:
    """Of all diagnostics: nothing is imported."""
    modules = Path(__file__).with_name("teaching").joinpath("diagnostics").glob("[!_]*.py")
    return sorted(module.stem.replace("_", "-") for module in modules)


def module_of(name: str) -> str:
    return f"penstock.components.teaching.diagnostics.{name.replace('-', '_')}"


def find(name: str, where: str = "diagnose") -> Diagnostic:
    """The diagnostic of this name.

    Parameters
    ----------
    name : str
        Its name, one of `names()`.
    where : str, default="diagnose"
        The place that an error names.

    Returns
    -------
    Diagnostic
        What can be called with a table and parameters.

    Examples
    --------
    >>> from penstock.components.diagnostics import find
    >>> find("linear-separability").required
    ['target']
    """
    if name not in names():
        raise UsageError("PEN220", f"there is no diagnostic '{name}'", where=where, remedy=did_you_mean(name, names()))
    found: Diagnostic = import_module(module_of(name)).DIAGNOSTIC
    return found


def listing() -> list[dict[str, Any]]:
    return [
        {
            "name": one.name,
            "summary": one.summary,
            "parameters": dict(one.parameters),
            "needs_table": one.needs_table,
            "syllabus": list(one.syllabus),
        }
        for one in map(find, names())
    ]
