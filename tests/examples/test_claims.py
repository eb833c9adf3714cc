"""The claims example: rare frauds, and errors that do not cost the same."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from penstock.reporting.comparison import FinishedRun
from penstock.settings import Settings
from tests.frozen import runs as frozen

FOLDER = Path(__file__).parents[2] / "examples" / "claims"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("claims_generate", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generator_writes_the_committed_bytes(generator: ModuleType) -> None:
    written = generator.generate().to_csv(index=False, lineterminator="\n").encode()
    assert written == (FOLDER / "claims.csv").read_bytes()
    assert len(written) < 300_000


def test_frauds_are_rare() -> None:
    rows = pd.read_csv(FOLDER / "claims.csv")
    assert 0.03 <= (rows["fraud"] == "yes").mean() <= 0.05
    assert rows["claim"].is_unique


@pytest.mark.slow
def test_deciding_by_costs_pays(home: Path) -> None:
    """Against never looking, always looking, and looking above one half."""
    Settings.from_environment().apply()
    document = frozen.run("claims")
    evidence = FinishedRun(home, document["run"]["id"]).evidence()
    y, prediction = evidence.y, evidence.prediction
    costs = np.array(document["decision"]["costs"])
    assert costs.tolist() == [[0, 1], [20, 0]]
    cost = -document["metrics"]["neg_cost"]["value"]
    assert cost == pytest.approx(costs[y, evidence.predicted["labels"]].mean())
    others = [np.zeros_like(y), np.ones_like(y), prediction.argmax(axis=1)]
    assert cost < 0.9 * min(costs[y, answers].mean() for answers in others)
    assert document["metrics"]["accuracy"]["value"] < (y == 0).mean()  # and yet it is the better model
    assert document["coverage"]["share"]["low"] <= 0.99 <= document["coverage"]["share"]["high"]
    assert document["calibration"]["error"]["value"] < 0.03
    frozen.compare("claims", document)
