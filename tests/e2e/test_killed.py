"""Killed is normal: the same command goes on, ends with the same digests, and closes what was left open."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from tests.e2e import harness
from tests.small import classification

BOUNDARIES = 16
RANDOM_KILLS = 20
QUICK = (3, 9, 13)


class Disturbed:
    """A small pipeline, and what an undisturbed run of it makes."""

    def __init__(self, folder: Path, api: str, database: Path) -> None:
        self.folder, self.api, self.database = folder, api, database
        self.pipeline = classification(folder / "project", name="killed", rows=120, search={"fits": 6})
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


@pytest.mark.parametrize(
    "boundary", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in range(1, BOUNDARIES)]
)
def test_killed_at_a_stage_boundary(disturbed: Disturbed, boundary: int) -> None:
    home = disturbed.new_home(f"boundary-{boundary}")
    process = harness.start(disturbed.pipeline, home, disturbed.api)
    assert harness.kill_when(process, lambda: harness.stages_done(home) >= boundary)
    disturbed.check_goes_on(home)
    ran = [event for event in harness.journal(home) if event["event"] == "stage" and event["state"] == "ran"]
    # Tasks that were under way beside the one that ended may have been cut off, but what had ended is not run again.
    assert len(ran) <= BOUNDARIES - boundary


@pytest.mark.slow
@pytest.mark.parametrize("number", range(RANDOM_KILLS))
def test_killed_at_a_random_time(disturbed: Disturbed, number: int) -> None:
    home = disturbed.new_home(f"random-{number}")
    moment = time.monotonic() + np.random.default_rng(number).uniform(0.05, 0.95) * disturbed.seconds
    process = harness.start(disturbed.pipeline, home, disturbed.api)
    harness.kill_when(process, lambda: time.monotonic() >= moment)
    disturbed.check_goes_on(home)
