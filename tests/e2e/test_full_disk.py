"""Disks that are really full: a home of its own on a small tmpfs, which is made larger until a run comes to its end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SmallDisk
from tests.e2e import harness
from tests.small import classification

SIZES_MB = (4, 7, 10, 20)
SMALL: dict[str, Any] = {"rows": 120, "models": ["gaussian-naive-bayes"], "search": {"fits": 4}, "split": {"folds": 2}}


@pytest.mark.slow
def test_a_full_disk_is_said_at_every_stage_and_changes_no_result(
    tmp_path: Path, small_disk: SmallDisk, served_home: Path
) -> None:
    pipeline = classification(tmp_path / "project", **SMALL)
    with_room = harness.start(pipeline, served_home, os.environ["PREFECT_API_URL"])
    home, stages = small_disk.folder, []
    for size in SIZES_MB:
        small_disk.resize(size)
        # With a Prefect server of its own, whose database is in the home, too.
        status = harness.finish(harness.start(pipeline, home, "", printed=str(tmp_path / "printed")))
        if status == 0:
            break
        printed = (tmp_path / "printed").read_text()
        assert status == 6, printed
        assert printed.startswith("PEN901: the disk is full\n"), printed
        assert "run the same command again" in printed
        assert len(printed.splitlines()) == 3, printed
        stages.append(harness.stages_done(home))
    assert status == 0
    assert len(stages) > 1, "some disks were too small"
    assert harness.open_mlflow_runs(home) == []
    assert list((home / "running").iterdir()) == []
    assert harness.finish(with_room) == 0
    assert harness.digests(home) == harness.digests(served_home) != {}
    assert harness.document(home)["metrics"] == harness.document(served_home)["metrics"]
