"""`penstock ui` with nothing set up: both pages answer, a second call joins the first, and Ctrl-C ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import psutil
import pytest

from penstock.runs import alive
from tests.e2e.test_embedded import wait_until_gone

UNSET = ("PREFECT_HOME", "PREFECT_API_URL", "MLFLOW_TRACKING_URI")


def ui(home: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if name not in UNSET}
    code = "import sys; sys.argv[0] = 'penstock'; from penstock.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "ui", *arguments],
        env={**environment, "PENSTOCK_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def page(address: str) -> str:
    request = urllib.request.Request(address, headers={"Accept": "text/html"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


@pytest.mark.slow
def test_both_pages_answer_and_end_together(home: Path) -> None:
    from penstock.tracking import Tracking

    tracking = Tracking(f"sqlite:///{home / 'mlflow.db'}", home / "artifacts")
    tracking.end_run(tracking.start_run("churn", "churn-1", {"penstock.run": "churn-1"}), "FINISHED")
    first = ui(home)
    assert first.stdout is not None
    told = dict(first.stdout.readline().split() for _ in range(2))
    mlflow, prefect = told["MLflow"], told["Prefect"]
    assert f"#/experiments/{tracking.experiments()['churn']}/runs" in mlflow
    assert '<div id="root"' in page(mlflow)
    assert "Prefect" in page(prefect)
    assert page(f"{prefect}api/health") == "true"
    # What the page of runs asks for.
    through_page = Tracking(mlflow.partition("/#")[0])
    assert [run["run"] for run in through_page.runs("churn")] == ["churn-1"]

    second = ui(home, "churn", "--no-browser")
    out, err = second.communicate(timeout=60)
    assert (second.returncode, err) == (0, "")
    assert dict(line.split() for line in out.splitlines()) == told
    assert page(mlflow)

    children = psutil.Process(first.pid).children(recursive=True)
    assert children
    first.send_signal(signal.SIGINT)
    _, err = first.communicate(timeout=60)
    assert (first.returncode, err) == (0, "Ctrl-C ends what was started\n")
    wait_until_gone(home)
    assert [child.pid for child in children if alive(child.pid, child.create_time())] == []
    with pytest.raises(OSError, match="refused"):
        page(mlflow)
