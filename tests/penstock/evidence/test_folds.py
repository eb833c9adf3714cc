"""Folds come back from the store as they were put there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.evidence.folds import Fold, Folds, ScoredOn
from penstock.store import Store


@given(
    count=st.integers(0, 4),
    n_classes=st.integers(0, 3),
    scored_on=st.sampled_from(["folds", "rows", "averages"]),
    ordered=st.booleans(),
    known=st.sets(st.sampled_from(["target", "groups", "weight"])),
)
def test_what_was_saved_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, count: int, n_classes: int, scored_on: ScoredOn, ordered: bool,
    known: set[str],
) -> None:  # fmt: skip
    store = Store(tmp_path_factory.getbasetemp() / "folds")
    parts = [Fold(np.arange(10), np.array([10, 11 + number])) for number in range(count)]
    arrays = {name: np.arange(20) for name in known}
    words = {"level_names": np.array("{}")}
    folds = Folds(splits=parts, n_classes=n_classes, scored_on=scored_on, ordered=ordered, words=words, **arrays)
    found = Folds.load(store, folds.save(store))
    assert len(found) == count
    assert (found.n_classes, found.scored_on, found.ordered) == (n_classes, scored_on, ordered)
    assert found.words == words
    for name in ("target", "groups", "weight"):
        stored = getattr(found, name)
        assert (stored is not None) == (name in known)
        assert stored is None or np.array_equal(stored, arrays[name])
    for number, part in enumerate(parts):
        assert np.array_equal(found.train(number), part.train)
        assert np.array_equal(found.valid(number), part.valid)
    assert found.save(store) == folds.save(store)


def test_rows_without_a_target_say_so(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(LookupError, match="no target"):
        _ = Folds.load(store, Folds().save(store)).y
