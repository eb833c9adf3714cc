"""What can go wrong around a run, made to go wrong: its servers, its database, the disk."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect, sync_playwright

from penstock.servers.up import Platform
from penstock.settings import Settings
from penstock.tracking import Tracking
from tests.asking import ask, found
from tests.conftest import Cli
from tests.e2e import harness
from tests.e2e.test_report_page import CHROMIUM, QUIET, keep
from tests.e2e.test_schedule import free_port
from tests.postgres import Postgres
from tests.small import classification

GONE = 20.0  # seconds
TEAM = ("team", "a-long-password")


@dataclass
class Outlived:
    """A run, and the servers that went away and came back while it went on; as if other machines could reach them."""

    platform: Platform
    status: int | None
    document: dict[str, Any]


@pytest.fixture(scope="module")
def outlived(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[Outlived]:
    folder = tmp_path_factory.mktemp("faults")
    home = folder / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(home))
        patch.setenv("PENSTOCK_DATABASE", postgres.uri)
        patch.setenv("PENSTOCK_AUTH", ":".join(TEAM))
        patch.setattr("penstock.servers.up.is_loopback", lambda _: False)
        platform = Platform(Settings.from_environment(), free_port(), free_port(), "penstock", "127.0.0.1")
        platform.services.remove(platform.worker)
        patch.setattr(platform.worker, "start", lambda: None)
        try:
            platform.start(lambda _: None)
            patch.setenv("MLFLOW_TRACKING_URI", platform.mlflow)
            patch.setenv("MLFLOW_TRACKING_USERNAME", TEAM[0])
            patch.setenv("MLFLOW_TRACKING_PASSWORD", TEAM[1])
            status = _with_faults(platform, postgres, classification(folder / "project", name="outlives"), home)
            (document,) = [json.loads(path.read_text()) for path in home.glob("runs/*/run.json")] or [{}]
            yield Outlived(platform, status, document)
        finally:
            platform.end()


def _with_faults(platform: Platform, postgres: Postgres, pipeline: Path, home: Path) -> int | None:
    process = harness.start(pipeline, home, platform.api, fresh=True)

    def until(stages: int) -> None:
        while harness.stages_done(home) < stages:
            assert process.is_alive(), log(home)
            time.sleep(0.05)

    until(2)
    platform.mlflow_server.end()
    gone = time.monotonic()
    until(4)
    platform.prefect_server.end()
    until(5)
    postgres.stop()
    postgres.start()
    platform.prefect_server.start()
    platform.prefect_server.wait()
    time.sleep(max(0.0, gone + GONE - time.monotonic()))
    assert process.is_alive(), "it waits for MLflow"
    platform.mlflow_server.start()
    status = harness.finish(process)
    assert status == 0, log(home)
    platform.mlflow_server.wait()
    return status


@pytest.mark.slow
def test_a_run_outlives_its_servers_and_their_database(outlived: Outlived) -> None:
    platform, document = outlived.platform, outlived.document
    tracking = Tracking(platform.mlflow)
    (run,) = tracking.runs("outlives")
    assert run["status"] == "FINISHED"
    told = {name: facts["value"] for name, facts in document["metrics"].items() if facts["value"] is not None}
    assert {name: run["metrics"][name] for name in told} == pytest.approx(told)
    parent = f"tags.`mlflow.parentRunId` = '{run['mlflow_run']}'"
    children = tracking.client.search_runs([tracking.experiment("outlives")], parent)
    assert sorted(child.info.status for child in children) == ["FINISHED"] * len(document["candidates"])
    assert tracking.registry.champion("outlives").run_id == run["mlflow_run"]
    flow_run = ask(f"{platform.api}/flow_runs/{document['run']['prefect_flow_run']}", auth=TEAM)
    assert flow_run["state_type"] == "COMPLETED"


@pytest.mark.slow
def test_who_does_not_know_the_password_stays_outside(outlived: Outlived) -> None:
    platform = outlived.platform
    experiments = f"{platform.mlflow}/api/2.0/mlflow/experiments/get-by-name?experiment_name=outlives"
    flows = f"{platform.api}/flows/filter"
    for auth, status in ((None, 401), (("team", "another-password"), 401), (TEAM, 200)):
        assert httpx.get(experiments, auth=auth, timeout=60).status_code == status
        assert httpx.post(flows, json={}, auth=auth, timeout=60).status_code == status
    commands = [word for service in platform.services for word in service.command]
    assert TEAM[1] not in " ".join(commands), "all users of a machine see the list of processes"
    assert TEAM[1] not in repr(platform.services)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine; install the package `chromium`")
def test_the_pages_of_both_servers_tell_the_run(outlived: Outlived, tmp_path: Path) -> None:
    platform, document = outlived.platform, outlived.document
    prefect = platform.api.removesuffix("/api")
    experiment = f"{platform.mlflow}/#/experiments/{Tracking(platform.mlflow).experiment('outlives')}"
    run, flow_run = document["run"], document["run"]["prefect_flow_run"]
    artifacts = found(platform.api, "artifacts/latest", auth=TEAM)
    (artifact,) = [one for one in artifacts if one["key"] == "outlives-report"]  # other tests share the database
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        known = {"Authorization": httpx.BasicAuth(*TEAM)._auth_header}
        page = browser.new_context(viewport={"width": 1400, "height": 1000}, extra_http_headers=known).new_page()
        page.set_default_timeout(60_000)

        page.goto(f"{prefect}/runs/flow-run/{flow_run}")
        page.get_by_role("tab", name="Task Runs").or_(page.get_by_text("Task Runs", exact=True)).first.click()
        for stage in ("report", "register", "train"):
            expect(page.get_by_text(stage, exact=True).first).to_be_visible(timeout=60_000)
        keep(page, tmp_path, "prefect-stages")
        page.goto(f"{prefect}/artifacts/artifact/{artifact['latest_id']}")
        to_run, to_report = (page.get_by_role("link", name=name, exact=True) for name in ("MLflow run", "Report"))
        expect(to_run).to_be_visible(timeout=60_000)
        keep(page, tmp_path, "prefect-artifact")
        addresses = [str(link.get_attribute("href")) for link in (to_run, to_report)]

        page.goto(addresses[0])
        expect(page.get_by_text(run["id"]).first).to_be_visible(timeout=60_000)
        expect(page.get_by_text("roc_auc", exact=True).first).to_be_visible(timeout=60_000)
        expect(page.get_by_text("Evaluation runs")).to_have_count(0)  # the view for language models
        keep(page, tmp_path, "mlflow-run")
        page.goto(addresses[1])
        report = page.frame_locator("iframe").get_by_text("How good is it?")
        expect(report).to_be_visible(timeout=60_000)
        keep(page, tmp_path, "mlflow-report")
        page.get_by_text("figures", exact=True).first.click()
        page.get_by_text("confusion_matrix.svg", exact=True).first.click()
        expect(page.locator("img[src^='blob:']").first).to_be_visible(timeout=60_000)
        keep(page, tmp_path, "mlflow-figure")
        page.goto(f"{experiment}/runs?workflowType=machine_learning")
        expect(page.get_by_text(run["id"]).first).to_be_visible(timeout=60_000)
        keep(page, tmp_path, "mlflow-runs")
        page.goto(f"{platform.mlflow}/#/models/outlives?workflowType=machine_learning")
        expect(page.get_by_text("champion").first).to_be_visible(timeout=60_000)
        keep(page, tmp_path, "mlflow-model")
        browser.close()


def log(home: Path) -> str:
    return "".join(path.read_text()[-3000:] for path in home.glob("runs/*/run.log"))


@pytest.mark.slow
def test_a_disk_that_is_full_at_the_report_or_at_scoring(
    tmp_path: Path, served_home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PENSTOCK_AUTH", raising=False)  # of the servers above
    pipeline = classification(tmp_path / "project", name="full")
    scores = tmp_path / "answers" / "scores.csv"
    scores.parent.mkdir()

    def full(folder: Path) -> Callable[[int], None]:
        def no_space(file: int) -> None:
            if Path(os.readlink(f"/proc/self/fd/{file}")).is_relative_to(folder):
                raise OSError(errno.ENOSPC, "No space left on device")

        return no_space

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full(served_home / "runs"))
        status, out, err = cli("run", pipeline)
    assert (status, out, err[:6]) == (6, "", "PEN901")
    assert "run the same command again" in err
    status, out, err = cli("run", "--json", pipeline)
    assert status == 0, err
    ran = {stage["stage"] for stage in json.loads(out)["stages"] if stage["state"] == "ran"}
    assert ran <= {"report"}, "all that was finished is kept"

    command = ("score", "full@champion", tmp_path / "project" / "data.csv", scores)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full(scores.parent))
        status, _, err = cli(*command)
    assert (status, err[:6]) == (6, "PEN901")
    assert list(scores.parent.iterdir()) == []
    status, _, err = cli(*command)
    assert status == 0, err
    assert len(scores.read_text().splitlines()) == 241
