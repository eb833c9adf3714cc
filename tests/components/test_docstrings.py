"""What the catalogue names, and what a user imports, says what it takes, and shows it: numpydoc."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import math
from typing import Any

import docstring_parser
import pytest
from docstring_parser import DocstringParam, DocstringStyle

from penstock import api
from penstock.components import catalog

_SLOW = ("penstock.components.neural_network", "penstock.model:load_bundle")  # what they import takes seconds
_IMPORTED = (
    "penstock.components.cards:Card",
    "penstock.components.catalog:Entry",
    "penstock.components.catalog:build",
    "penstock.components.catalog:described",
    "penstock.components.catalog:find",
    "penstock.components.diagnostics:Diagnostic",
    "penstock.components.diagnostics:Found",
    "penstock.components.diagnostics:find",
    "penstock.components.dissimilarity.measure:Measure",
    "penstock.components.domains:Float",
    "penstock.components.domains:Int",
    "penstock.components.domains:OneOf",
    "penstock.model:PenstockModel",
    "penstock.model:load_bundle",
    "penstock.problems.declaration:Extra",
    "penstock.problems.declaration:Problem",
    "penstock.problems.declaration:Refusal",
    "penstock.problems:find",
)


def _listed() -> list[str]:
    libraries = {
        library
        for entry in catalog.entries().values()
        for library in ([entry.library] if isinstance(entry.library, str) else entry.library.values())
    }
    return sorted(library for library in libraries if library.startswith("penstock."))


def _called() -> list[str]:
    """Of the module that a user calls; tests/penstock/test_api_examples.py runs the examples."""
    return [
        f"{api.__name__}:{name}"
        for name, value in vars(api).items()
        if inspect.isroutine(value) and value.__module__ == api.__name__ and not name.startswith("_")
    ]


def _cases() -> list[Any]:
    return [
        pytest.param(name, marks=pytest.mark.slow if name.startswith(_SLOW) else ())
        for name in (*_listed(), *_IMPORTED)
    ]


def _load(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _named(documented: Any, section: str) -> dict[str, DocstringParam]:
    """What a section says, by name; `a, b : float` speaks of two."""
    parsed = docstring_parser.parse(documented.__doc__, style=DocstringStyle.NUMPYDOC)
    said = [item for item in parsed.meta if isinstance(item, DocstringParam) and item.args[0] == section]
    return {name: item for item in said for name in item.arg_name.split(", ")}


def _faults(documented: Any) -> list[str]:
    takes = inspect.signature(documented).parameters
    said = _named(documented, "param")
    faults = [f"{name} is not documented" for name in takes if name not in said]
    faults += [f"{name} is documented, and does not exist" for name in said if name not in takes]
    for name in set(takes) & set(said):
        if not said[name].type_name or not said[name].description:
            faults.append(f"{name}: its type or its meaning is missing")
        if not _same(said[name].default, takes[name].default):
            faults.append(f"{name}: the default is {takes[name].default!r}, not {said[name].default}")
    return faults


def _same(said: str | None, default: object) -> bool:
    if default is inspect.Parameter.empty or callable(default) or said is None:
        return said is None and (default is inspect.Parameter.empty or callable(default))
    if isinstance(default, float) and math.isnan(default):
        return said == "nan"
    if repr(default) == "<factory>":  # of a dataclass
        default = {}
    value = ast.literal_eval(said)
    return type(value) is type(default) and bool(value == default)


class Told:
    """An estimator.

    Parameters
    ----------
    depth : int, default=2
        How deep it is.
    width : int
        How wide it is.
    gone : float, default=1.0
        What it had once.
    """

    def __init__(self, depth: int = 3, width: int = 8, height: int = 1) -> None: ...


def test_a_parameter_that_is_added_changed_or_gone_is_a_fault() -> None:
    assert set(_faults(Told)) == {
        "depth: the default is 3, not 2",
        "width: the default is 8, not None",
        "height is not documented",
        "gone is documented, and does not exist",
    }


@pytest.mark.parametrize("name", [*_cases(), *_called()])
def test_every_parameter_is_documented_with_its_default(name: str) -> None:
    assert not _faults(_load(name))


@pytest.mark.parametrize("name", _listed())
def test_every_documented_attribute_exists(name: str) -> None:
    documented = _load(name)
    known = set().union(*(_attributes(base) for base in inspect.getmro(documented)))
    assert not set(_named(documented, "attribute")) - known


def _attributes(base: type) -> set[str]:
    """The names that the class has, and that its methods read or write."""
    members = [inspect.unwrap(member) for member in vars(base).values() if inspect.isroutine(member)]
    used = (member.__code__.co_names for member in members if inspect.isfunction(member))
    return {*vars(base)}.union(*used)


@pytest.mark.parametrize("name", [*_cases(), *_called()])
def test_the_summary_is_one_line(name: str) -> None:
    first, *rest = inspect.cleandoc(_load(name).__doc__).splitlines()
    assert first.endswith(".")
    assert not any(rest[:1])


@pytest.mark.slow
@pytest.mark.parametrize("name", _cases())
def test_the_example_runs(name: str) -> None:
    documented = _load(name)
    found = doctest.DocTestFinder(recurse=False).find(documented, name, globs={})
    examples = [example for test in found for example in test.examples]
    assert examples
    assert any(example.want for example in examples)
    assert docstring_parser.parse(documented.__doc__, style=DocstringStyle.NUMPYDOC).examples
    told: list[str] = []
    runner = doctest.DocTestRunner()
    for test in found:
        runner.run(test, out=told.append)
    assert not told, "".join(told)
