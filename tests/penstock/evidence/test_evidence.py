from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from penstock.evidence.evidence import Evidence
from penstock.store import Store

UNITS = np.array(["ann", "bea", "cid"])


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence(UNITS, {"prediction": np.eye(3)}, {"y": np.arange(3)}, np.array([0, 0, 1]), np.array([1.0, 2.0, 0.5])),
        Evidence(np.arange(3), {"gain": np.ones(3), "base": np.zeros(3)}),
    ],
)
def test_it_comes_back_as_it_was_saved(evidence: Evidence, tmp_path: Path) -> None:
    store = Store(tmp_path)
    again = Evidence.load(store, evidence.save(store))
    assert again.units.tolist() == evidence.units.tolist()
    assert {name: array.tolist() for name, array in again.predicted.items()} == {
        name: array.tolist() for name, array in evidence.predicted.items()
    }
    assert again.true.keys() == evidence.true.keys()
    assert (again.groups is None, again.weight is None) == (evidence.groups is None, evidence.weight is None)
    assert again.save(store) == evidence.save(store)


def test_units_are_taken_with_all_that_is_known_of_them() -> None:
    every = Evidence(UNITS, {"prediction": np.arange(3.0)}, {"y": np.array([5, 6, 7])}, groups=np.array([0, 1, 1]))
    some = every.take(np.array([2, 0]))
    assert len(some) == 2
    assert some.units.tolist() == ["cid", "ann"]
    assert (some.prediction.tolist(), some.y.tolist()) == ([2.0, 0.0], [7, 5])
    assert some.groups is not None
    assert (some.groups.tolist(), some.weight) == ([1, 0], None)
