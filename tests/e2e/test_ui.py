"""`penstock ui` with nothing set up: both pages answer, a second call joins the first, and Ctrl-C ends them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import sync_playwright

from penstock.home.runs import alive
from tests.e2e.test_embedded import wait_until_gone

CHROMIUM = shutil.which("chromium")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
READY = 5_000  # milliseconds in which a page of theirs has asked for all it wants
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


def asked_of_others(*addresses: str) -> list[str]:
    """What pages in a real browser ask of anything but this machine."""
    asked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        for address in addresses:
            before = len(asked)
            page.goto(address)
            page.wait_for_timeout(READY)
            assert len(asked) > before + 5, f"{address} shows nothing"
        browser.close()
    return [url for url in asked if urlsplit(url).hostname not in ("127.0.0.1", None)]


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
    asks = f"Prefect's page asks for a password: it is the whole line in {home / 'prefect' / 'password'}\n"
    assert (second.returncode, err) == (0, asks)
    assert dict(line.split() for line in out.splitlines()) == told
    assert page(mlflow)
    if CHROMIUM:
        newer_page = f"{prefect}v2/"  # which the other offers
        assert asked_of_others(prefect, f"{prefect}runs", newer_page, mlflow) == []

    children = psutil.Process(first.pid).children(recursive=True)
    assert children
    first.send_signal(signal.SIGINT)
    _, err = first.communicate(timeout=60)
    assert (first.returncode, err) == (0, f"{asks}Ctrl-C ends what was started\n")
    wait_until_gone(home)
    assert [child.pid for child in children if alive(child.pid, child.create_time())] == []
    with pytest.raises(OSError, match="refused"):
        page(mlflow)
