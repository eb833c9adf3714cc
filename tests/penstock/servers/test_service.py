"""Programs that are looked after."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from penstock.errors import EnvironmentFault
from penstock.servers.service import Service

WITH_HELPER = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); "


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    command = [sys.executable, "-c", WITH_HELPER + "time.sleep(600)"]
    made = Service("the lathe", command, dict(os.environ), tmp_path / "lathe.log")
    yield made
    made.end()


def helper_of(service: Service) -> psutil.Process:
    assert service.process
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for child in psutil.Process(service.process.pid).children():
            return child
        time.sleep(0.02)
    raise AssertionError("no helper was started")


@pytest.mark.slow
def test_what_a_killed_one_left_behind_ends_before_it_is_started_again(service: Service) -> None:
    service.start()
    helper = helper_of(service)
    assert service.process
    service.process.kill()
    service.process.wait()
    assert helper.is_running()
    service.start()
    assert psutil.wait_procs([helper], timeout=10)[1] == []
    again = helper_of(service)
    service.end()
    assert not service.is_alive()
    assert psutil.wait_procs([again], timeout=10)[1] == []


def test_dying_again_and_again_is_a_fault_with_the_end_of_the_log(service: Service) -> None:
    service.log.write_text("the belt has snapped\n")
    service.died()
    service.died()
    with pytest.raises(EnvironmentFault, match="the lathe ended 3 times within 60 seconds") as caught:
        service.died()
    assert caught.value.code == "PEN912"
    assert "the belt has snapped" in caught.value.what
    assert service.environment["PATH"] not in repr(service), "the environment holds passwords"
