from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

from benchmarks.estimators.__main__ import families, pairs_of
from penstock.components.catalog import class_of, entries
from tests.methods import problems_of

OWN = "penstock.components."
NOT_MEASURED: dict[str, str] = {}  # by name of the class, with the reason


def own_classes() -> set[type]:
    installed = [entry for entry in entries().values() if entry.extra is None or find_spec(entry.extra)]
    found = {class_of(entry, problem) for entry in installed for problem in problems_of(entry)}
    return {kind for kind in found if kind.__module__.startswith(OWN)}


def measured_classes() -> set[type]:
    return {_of_ours(pair.ours()) for family in families() for pair in pairs_of(family)}


def _of_ours(estimator: Any) -> type:
    """A family may measure a class of its own that derives from ours."""
    return next(kind for kind in type(estimator).__mro__ if kind.__module__.startswith(OWN))


@pytest.mark.slow
def test_every_own_estimator_of_the_catalogue_is_measured_or_excused() -> None:
    unmeasured = {kind.__name__ for kind in own_classes() - measured_classes()}
    assert unmeasured == set(NOT_MEASURED)
