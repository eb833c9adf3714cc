"""Every class of ours that the catalogue names says what it takes, and shows it: numpydoc, read by griffe."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import math
from typing import Any

import griffe
import pytest
from griffe import DocstringSection, DocstringSectionKind

from penstock.components import catalog

_SLOW = "neural_network"  # importing torch alone takes seconds
_TO_COME = (
    "clustering", "density", "dimensionality_reduction", "dissimilarity", "ensembles", "feature_selection", "kernels",
    "linear_classification", "linear_regression", "local_models", "multiclass", "neural_network", "perceptron",
    "preprocessing", "svm", "trees",
)  # fmt: skip


def _classes() -> list[str]:
    libraries = {
        library
        for entry in catalog.entries().values()
        for library in ([entry.library] if isinstance(entry.library, str) else entry.library.values())
    }
    return sorted(library for library in libraries if library.startswith("penstock."))


def _cases() -> list[Any]:
    return [
        pytest.param(name, marks=pytest.mark.slow if f".{_SLOW}." in name else ())
        for name in _classes()
        if name.split(".")[2] not in _TO_COME
    ]


def _load(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _sections(documented: Any) -> list[DocstringSection]:
    return griffe.parse_numpy(griffe.Docstring(inspect.cleandoc(documented.__doc__)))


def _named(documented: Any, kind: DocstringSectionKind) -> dict[str, Any]:
    """What a section says, by name; `a, b : float` speaks of two."""
    listed = [item for section in _sections(documented) if section.kind is kind for item in section.value]
    return {name: item for item in listed for name in item.name.split(", ")}


def _faults(documented: Any) -> list[str]:
    takes = inspect.signature(documented).parameters
    said = _named(documented, DocstringSectionKind.parameters)
    faults = [f"{name} is not documented" for name in takes if name not in said]
    faults += [f"{name} is documented, and does not exist" for name in said if name not in takes]
    for name in set(takes) & set(said):
        if not said[name].annotation or not said[name].description:
            faults.append(f"{name}: its type or its meaning is missing")
        if not _same(said[name].value, takes[name].default):
            faults.append(f"{name}: the default is {takes[name].default!r}, not {said[name].value}")
    return faults


def _same(said: str | None, default: object) -> bool:
    if default is inspect.Parameter.empty or said is None:
        return default is inspect.Parameter.empty and said is None
    if isinstance(default, float) and math.isnan(default):
        return said == "nan"
    value = ast.literal_eval(said)
    return type(value) is type(default) and bool(value == default)


@pytest.mark.parametrize("name", _cases())
def test_every_parameter_is_documented_with_its_default(name: str) -> None:
    assert not _faults(_load(name))


@pytest.mark.parametrize("name", _cases())
def test_every_documented_attribute_exists(name: str) -> None:
    documented = _load(name)
    source = "".join(inspect.getsource(base) for base in documented.__mro__ if base is not object)
    assert not [it for it in _named(documented, DocstringSectionKind.attributes) if it not in source]


@pytest.mark.parametrize("name", _cases())
def test_the_summary_is_one_line(name: str) -> None:
    first, *rest = inspect.cleandoc(_load(name).__doc__).splitlines()
    assert first.endswith(".")
    assert not any(rest[:1])


@pytest.mark.parametrize("name", _cases())
def test_the_example_runs(name: str) -> None:
    documented = _load(name)
    found = doctest.DocTestFinder(recurse=False).find(documented, name, globs={})
    examples = [example for test in found for example in test.examples]
    assert examples
    assert any(example.want for example in examples)
    assert DocstringSectionKind.examples in {section.kind for section in _sections(documented)}
    told: list[str] = []
    runner = doctest.DocTestRunner()
    for test in found:
        runner.run(test, out=told.append)
    assert not told, "".join(told)
