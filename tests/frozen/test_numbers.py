"""What is the same by meaning is the same, and what is not is seen to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.frozen import meaning
from tests.frozen.numbers import differences, flatten
from tests.frozen.runs import FROZEN, RUNS, read

DOCUMENT: dict[str, Any] = {
    "data": {"learning_rows": 80, "test_rows": 20, "target": None},
    "candidates": [
        {"label": "ridge #1", "status": "ended", "score": 0.1, "folds": [0.1, 0.3], "seconds": 0.5},
        {"label": "dummy #0", "status": "finished", "score": 0.0, "folds": [], "seconds": 0.1},
    ],
    "curve": {"points": [{"rows": rows, "value": rows / 7} for rows in range(30)], "edges": [x / 3 for x in range(30)]},
    "run": {"id": "run-1", "seconds": 4.0, "reproducible": True},
}
RENAMED: dict[str, Any] = {
    "split": {"training_rows": 80.0, "test_rows": 20},
    "candidates": [
        {"label": "dummy #0", "status": "finished", "score": 0, "reason": None, "seconds": 0.2},
        {"label": "ridge #1", "status": "dropped", "score": 0.1, "folds": (0.1, 0.3), "seconds": 0.7},
    ],
    "curve": DOCUMENT["curve"],
    "run": {"id": "run-2", "command": "penstock run", "reproducible": True},
}  # fmt: skip


def test_new_names_places_and_words_are_one_line_each(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(differences(flatten(DOCUMENT), flatten(RENAMED))) == 5
    monkeypatch.setitem(meaning.KEYS, "training_rows", "learning_rows")
    monkeypatch.setattr("tests.frozen.numbers.PLACES", ((r"^split\.(\w+_rows)$", r"data.\1"),))
    monkeypatch.setitem(meaning.VALUES, "dropped", "ended")
    assert differences(flatten(DOCUMENT), flatten(RENAMED)) == []


@pytest.mark.parametrize(
    ("keys", "where"),
    [
        (("candidates", 0, "score"), "candidates[ridge #1].score"),
        (("candidates", 0, "folds", 1), "candidates[ridge #1].folds"),
        (("curve", "points", 29, "value"), "curve.points[*].value"),
        (("curve", "edges", 29), "curve.edges"),
        (("data", "learning_rows"), "data.learning_rows"),
    ],
)
def test_the_last_bit_of_one_number_is_seen_where_it_stands(keys: tuple[Any, ...], where: str) -> None:
    before = flatten(DOCUMENT)
    changed = _copy(DOCUMENT)
    inner: Any = changed
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = float(np.nextafter(inner[keys[-1]], np.inf))
    (told,) = differences(before, flatten(changed))
    assert told.startswith(f"{where}: ")


def test_a_number_that_goes_or_comes_is_seen() -> None:
    less = _copy(DOCUMENT)
    del less["data"]["test_rows"]
    assert differences(flatten(DOCUMENT), flatten(less)) == ["data.test_rows: 20 -> not there"]
    assert differences(flatten(less), flatten(DOCUMENT)) == ["data.test_rows: not there -> 20"]


def test_two_values_cannot_hide_behind_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(meaning.KEYS, "test_rows", "learning_rows")
    with pytest.raises(AssertionError, match=r"two values at data\.learning_rows"):
        flatten(DOCUMENT)


def test_every_example_is_frozen_in_few_bytes() -> None:
    files = sorted(FROZEN.iterdir())
    assert [file.stem for file in files] == sorted(RUNS)
    assert sum(file.stat().st_size for file in files) < 500_000
    assert len({read(name)[0] for name in RUNS}) == 1
    for name in RUNS:
        told = read(name)[2]
        assert {"problem", "verdict.verdict", "winner.name", "selection.candidates"} <= told.keys()
        for beside in ("metrics.", "candidates[", "mlflow.", "predicted."):
            assert any(path.startswith(beside) for path in told), (name, beside)


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(inner) for key, inner in value.items()}
    return [_copy(inner) for inner in value] if isinstance(value, list) else value
