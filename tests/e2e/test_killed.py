"""Killed is normal: the same command goes on, ends with the same digests, and closes what was left open."""

from __future__ import annotations

import shutil
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.e2e import harness
from tests.small import classification

pytestmark = pytest.mark.slow

BOUNDARIES = 29
CHAIN = tuple(range(1, BOUNDARIES, 2))
RANDOM_CHAINS = 2
KILLS_OF_A_CHAIN = 4
ALL_STAGES: dict[str, Any] = {"search": {"fits": 6}, "validation": {"leakage": "warn"}}


class Disturbed:
    """A small pipeline, and what an undisturbed run of it makes."""

    def __init__(self, folder: Path, api: str, database: Path) -> None:
        self.folder, self.api, self.database = folder, api, database
        self.pipeline = classification(folder / "project", name="killed", rows=120, **ALL_STAGES)
        home = self.new_home("undisturbed")
        started = time.monotonic()
        assert harness.finish(harness.start(self.pipeline, home, api)) == 0
        self.seconds = time.monotonic() - started
        self.digests = harness.digests(home)
        self.stages = harness.stages_done(home)

    def new_home(self, name: str) -> Path:
        home = self.folder / name
        home.mkdir()
        shutil.copy(self.database, home / "mlflow.db")
        return home

    def check_goes_on(self, home: Path) -> None:
        assert harness.finish(harness.start(self.pipeline, home, self.api)) == 0
        assert harness.digests(home) == self.digests
        assert harness.open_mlflow_runs(home) == []
        assert harness.open_prefect_runs(self.api, "killed") == []
        assert harness.processes_of(home) == []
        assert list((home / "running").glob("*.json")) == []


@pytest.fixture(scope="module")
def disturbed(tmp_path_factory: pytest.TempPathFactory, prefect_api: str, migrated_database: Path) -> Disturbed:
    return Disturbed(tmp_path_factory.mktemp("killed"), prefect_api, migrated_database)


def test_the_undisturbed_run_has_the_stages_that_are_killed_below(disturbed: Disturbed) -> None:
    assert disturbed.stages == BOUNDARIES
    assert len(disturbed.digests) == BOUNDARIES - 1  # the report is made anew by every run


def test_killed_at_stage_boundaries(disturbed: Disturbed) -> None:
    """One after the other, so that each run goes on from what the one before it left."""
    home = disturbed.new_home("boundaries")
    for boundary in CHAIN:
        process = harness.start(disturbed.pipeline, home, disturbed.api)
        assert harness.kill_when(process, partial(_reached, home, boundary, harness.runs(home)))
    disturbed.check_goes_on(home)
    # Tasks under way beside the one that ended may have been cut off, but what had ended is not run again.
    ran = [event for event in harness.journal(home) if event["event"] == "stage" and event["state"] == "ran"]
    assert len(ran) <= BOUNDARIES - CHAIN[-1]


def _reached(home: Path, boundary: int, earlier: int) -> bool:
    return harness.runs(home) > earlier and harness.stages_done(home) >= boundary


@pytest.mark.parametrize("number", range(RANDOM_CHAINS))
def test_killed_again_and_again_at_random_times(disturbed: Disturbed, number: int) -> None:
    home = disturbed.new_home(f"random-{number}")
    for share in np.random.default_rng(number).uniform(0.05, 0.95, KILLS_OF_A_CHAIN):
        process = harness.start(disturbed.pipeline, home, disturbed.api)
        moment = time.monotonic() + share * disturbed.seconds
        harness.kill_when(process, lambda moment=moment: time.monotonic() >= moment)  # type: ignore[misc]
    disturbed.check_goes_on(home)
