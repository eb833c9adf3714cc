"""Each diagnostic says what its parameters mean, and shows itself where that is cheap."""

from __future__ import annotations

import doctest
import inspect

import pytest

from penstock.components.diagnostics import find, names

pytestmark = pytest.mark.slow  # what they import takes its time
COSTLY = {"capacity", "cluster-shapes", "variance-reduction"}


@pytest.mark.parametrize("name", names())
def test_every_parameter_is_explained(name: str) -> None:
    diagnostic = find(name)
    asked = inspect.signature(diagnostic.function).parameters.values()
    assert set(diagnostic.parameters) == {one.name for one in asked if one.kind is one.KEYWORD_ONLY}
    assert all(diagnostic.parameters.values())


@pytest.mark.parametrize("name", [name for name in names() if name not in COSTLY])
def test_the_example_runs(name: str) -> None:
    (test,) = doctest.DocTestFinder(recurse=False).find(find(name).function, name, globs={})
    assert any(example.want for example in test.examples)
    told: list[str] = []
    doctest.DocTestRunner().run(test, out=told.append)
    assert not told, "".join(told)
