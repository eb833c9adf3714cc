"""The command line with nothing set up: its own databases and server, in one folder, gone when it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e import harness
from tests.small import classification


def penstock(home: Path, *arguments: object) -> subprocess.Popen[str]:
    unset = ("PREFECT_HOME", "PREFECT_API_URL", "MLFLOW_TRACKING_URI")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    command = [str(Path(sys.executable).with_name("penstock")), *map(str, arguments)]
    return subprocess.Popen(
        command,
        env={**environment, "PENSTOCK_HOME": str(home)},
        cwd=home.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until_gone(home: Path) -> None:
    deadline = time.monotonic() + 30
    while harness.processes_of(home) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert harness.processes_of(home) == []


@pytest.mark.slow
def test_a_run_with_nothing_set_up_is_killed_and_goes_on(tmp_path: Path) -> None:
    home = tmp_path / ".penstock"
    pipeline = classification(tmp_path, rows=100, name="embedded")
    killed = penstock(home, "run", pipeline)
    while harness.runs(home) == 0 or harness.stages_done(home) < 5:
        assert killed.poll() is None, killed.communicate()
        time.sleep(0.01)
    killed.kill()
    killed.communicate()

    again = penstock(home, "run", "--json", pipeline)
    out, err = again.communicate(timeout=120)
    assert again.returncode == 0, err
    assert err == ""
    document = json.loads(out)
    states = [stage["state"] for stage in document["stages"]]
    assert states[:5] == ["cached"] * 5
    wait_until_gone(home)
    assert harness.open_mlflow_runs(home) == []
    assert {path.name for path in tmp_path.iterdir()} == {".penstock", "data.csv", "pipeline.yaml"}
    statuses = [run["status"] for run in harness.tracking_of(home).runs("embedded")]
    assert statuses == ["FINISHED", "KILLED"]


def test_help_teaches_and_loads_nothing_heavy(tmp_path: Path) -> None:
    code = "import sys; sys.argv = ['penstock', '--help']\nfrom penstock.cli import main\ntry:\n    main()\n"
    code += "finally:\n    print([name for name in ('pandas', 'sklearn', 'prefect', 'mlflow') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert "penstock run examples/churn/pipeline.yaml" in done.stdout
    assert all(name in done.stdout for name in ("run", "plan", "catalog", "score", "runs", "schema"))
    assert done.stdout.rstrip().endswith("[]")
    assert list(tmp_path.iterdir()) == []
