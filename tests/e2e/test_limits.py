"""Candidates that misbehave are ended, recorded with the reason, and the run ships."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import PLUGIN, Cli
from tests.small import classification


@pytest.fixture
def misbehaving(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Methods of another package, as this process and its workers see them."""
    from penstock.components.catalog import entries

    entries.cache_clear()
    monkeypatch.syspath_prepend(str(PLUGIN))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PLUGIN), os.environ.get("PYTHONPATH", "")]))
    yield
    entries.cache_clear()


@pytest.mark.slow
def test_hanging_hungry_failing_and_dying_candidates_do_not_stop_the_run(
    misbehaving: None, tmp_path: Path, served_home: Path, cli: Cli
) -> None:
    models = ["test-hanging", "test-hungry", "test-failing", "test-dying", "logistic-regression"]
    pipeline = classification(
        tmp_path,
        name="limits",
        models=models,
        preparation={"scale": ["standard", "robust"]},
        search={"fits": 18},
        limits={"seconds": 6, "memory_mb": 600, "workers": 2},
    )
    status, out, err = cli("run", "--json", pipeline)
    assert status == 0, err
    document = json.loads(out)
    fates = {candidate["name"]: (candidate["status"], candidate["reason"]) for candidate in document["candidates"]}
    assert fates["test-hanging"][0] == "time"
    assert "time limit of 6 s" in fates["test-hanging"][1]
    assert fates["test-hungry"][0] == "memory"
    assert "memory limit of 600 MB" in fates["test-hungry"][1]
    assert fates["test-failing"] == ("failed", "ValueError: this method always fails")
    assert fates["test-dying"] == ("died", "its process ended with status 9")
    assert document["winner"]["label"] == "logistic-regression #5 (standard)"
    assert document["run"]["reproducible"] is False
    assert "test-hanging #1 (standard) ended after" in document["run"]["not_reproducible_because"]


@pytest.mark.slow
def test_a_run_without_survivors_says_why(misbehaving: None, tmp_path: Path, served_home: Path, cli: Cli) -> None:
    pipeline = classification(tmp_path, name="nobody", models=["test-failing"])
    status, _, err = cli("run", pipeline)
    assert status == 4
    assert err.startswith("PEN301")
    assert "this method always fails" in err
