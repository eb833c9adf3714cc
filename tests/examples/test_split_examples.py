"""The grouped and the time-ordered example: same bytes from the same seed, and runs that show what they are for."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from penstock.settings import Settings
from tests.frozen import runs as frozen

EXAMPLES = Path(__file__).parents[2] / "examples"


def generator(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{name}_generate", EXAMPLES / name / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name: str) -> dict[str, Any]:
    Settings.from_environment().apply()
    document: dict[str, Any] = frozen.run(name)
    return document


@pytest.mark.parametrize("name", ["visits", "rentals"])
def test_the_generator_writes_the_committed_bytes(name: str) -> None:
    written = generator(name).generate().to_csv(index=False, lineterminator="\n").encode()
    assert written == (EXAMPLES / name / f"{name}.csv").read_bytes()
    assert len(written) < 200_000


@pytest.mark.slow
def test_visits_are_judged_on_patients_never_seen(home: Path) -> None:
    document = run("visits")
    certificate = {answer["code"]: answer for answer in document["certificate"]["checks"]}
    assert certificate["LEK004"]["outcome"] == "passed"
    assert document["certificate"]["found"] == []
    selection = document["selection"]
    nested = selection["nested"]
    assert nested["low"] < nested["value"] < nested["high"]
    assert (len(nested["folds"]), nested["metric"]) == (3, "roc_auc")
    assert [winner["name"] for winner in nested["winners"]] == ["logistic-regression"] * 3
    assert nested["value"] == pytest.approx(sum(nested["folds"]) / 3)
    assert nested["value"] <= selection["naive"] + 0.02
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "Nested: the whole search, made once more inside each of 3 outer folds" in page
    assert "nested cross-validation, outer folds" in page
    frozen.compare("visits", document)


@pytest.mark.slow
def test_rentals_are_judged_on_later_days(home: Path) -> None:
    document = run("rentals")
    certificate = {answer["code"]: answer for answer in document["certificate"]["checks"]}
    assert certificate["LEK005"]["outcome"] == "passed"
    assert certificate["LEK005"]["numbers"]["gap_days"] > 7
    assert document["certificate"]["found"] == []
    assert document["data"]["split"]["in_gap"] == 7
    raw = pd.read_csv(EXAMPLES / "rentals" / "rentals.csv", parse_dates=["day"])
    assert not raw["day"].is_monotonic_increasing
    assert document["metrics"]["r2"]["value"] > 0.3
    frozen.compare("rentals", document)
