"""Retraining: on labels, on drift through a real automation, and what people say to it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from penstock.errors import UsageError
from penstock.flows.retrain import retrain
from penstock.flows.supervised import supervised
from penstock.spec.reading import load_spec
from penstock.tracking.decisions import decisions
from tests.asking import found
from tests.conftest import Cli
from tests.e2e.harness import tracking_of
from tests.small import classification

QUICK: dict[str, Any] = {"search": {"fits": 4}, "split": {"folds": 2}}


@pytest.mark.slow
def test_labels_lead_to_a_challenger_and_a_person_lets_it_in(tmp_path: Path, home: Path, cli: Cli) -> None:
    again = {"on": ["labels"], "new_labels": 50}
    schedule = {"cron": "0 3 * * *"}
    pipeline = classification(
        tmp_path / "project", name="asked", register={"decide": "ask"}, retrain=again, schedule=schedule, **QUICK
    )
    first = retrain.fn(str(pipeline), cause="labels", engine="plain")
    assert first["retrained"]
    verdict = first["document"].as_json()["verdict"]
    assert verdict["verdict"] == "asked"
    assert "penstock promote asked@challenger" in verdict["reason"]
    assert "a person decides" in Path(first["document"].artifacts.report).read_text()
    registry = tracking_of(home).registry
    assert registry.champion("asked") is None
    assert registry.version("asked", "challenger").version == verdict["version"]

    status, out, _ = cli("promote", "asked@challenger", "--why", "it is good")
    assert (status, out) == (0, f"version {verdict['version']} of asked is the champion\n")
    made = decisions(registry, "asked")
    assert [one.kind for one in made] == ["ask", "promote"]
    assert made[0].evidence["cause"] == "240 new labelled rows have come"
    assert tracking_of(home).runs("asked")[0]["tags"]["penstock.cause"] == made[0].evidence["cause"]

    # Nothing has come since: nothing is trained. Rows without a label are no labels.
    waits = retrain.fn(str(pipeline), cause="labels", engine="plain")
    assert waits == {
        "retrained": False,
        "cause": "labels",
        "why": "0 new labelled rows have come, and 50 are waited for",
    }
    source = tmp_path / "project" / "data.csv"
    frame = pd.read_csv(source)
    more = frame.iloc[:60].assign(id=[f"more{number}" for number in range(60)])
    pd.concat([frame, more.assign(left=more["left"].where(more.index >= 20))]).to_csv(source, index=False)
    assert not retrain.fn(str(pipeline), cause="labels", engine="plain")["retrained"]


def test_what_retrains_by_the_clock_needs_one(tmp_path: Path) -> None:
    pipeline = classification(tmp_path / "project", retrain={"on": ["labels", "drift"]})
    with pytest.raises(UsageError) as caught:
        load_spec(pipeline)
    assert "retrain.on labels needs to know when to look" in str(caught.value)
    assert load_spec(pipeline, ["retrain.on=[drift]"]).retrain is not None


def test_what_the_page_shows_can_be_pasted_into_a_pipeline_file(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "monitor.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    pipeline = classification(tmp_path / "project")
    pipeline.write_text(pipeline.read_text() + shown)
    spec = load_spec(pipeline)
    assert spec.retrain is not None
    assert (spec.retrain.on, spec.retrain.new_labels, spec.register_.decide) == (["labels", "drift"], 200, "ask")


@pytest.mark.slow
def test_what_starts_a_retraining_is_deployed_and_taken_back(tmp_path: Path, served_home: Path, cli: Cli) -> None:
    """By the clock, by the clock where labels have come, and by drift, which needs an automation."""
    api, schedule = os.environ["PREFECT_API_URL"], {"cron": "0 3 * * *", "timezone": "Europe/Rome"}

    def deployed(*on: str) -> tuple[str, int]:
        pipeline = classification(tmp_path / "project", name="again", retrain={"on": list(on)}, schedule=schedule)
        status, _, err = cli("deploy", pipeline)
        assert status == 0, err
        (deployment,) = found(api, "deployments", deployments={"name": {"any_": ["again"]}})
        assert [one["schedule"]["cron"] for one in deployment["schedules"]] == ["0 3 * * *"]
        automations = [one for one in found(api, "automations") if one["name"] == "penstock: retrain again on drift"]
        assert all(one["actions"][0]["parameters"]["cause"] == "drift" for one in automations)
        return deployment["parameters"]["cause"], len(automations)

    assert deployed("labels", "drift") == ("labels", 1)
    assert deployed("schedule", "labels", "drift") == ("schedule", 1), "again: still one"
    assert deployed("schedule") == ("schedule", 0)


@contextmanager
def worker(home: Path, api: str, log: Path) -> Iterator[None]:
    environment = {
        **os.environ,
        "PREFECT_API_URL": api,
        "PENSTOCK_HOME": str(home),
        "PREFECT_WORKER_QUERY_SECONDS": "1",
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "prefect", "worker", "start", "--pool", "penstock", "--name", home.parent.name],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=home,
        )
    try:
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_drift_starts_the_retraining_by_itself(tmp_path: Path, served_home: Path, cli: Cli) -> None:
    pipeline = classification(
        tmp_path / "project", name="drifting", register={"decide": "hold"}, retrain={"on": ["drift"]}, **QUICK
    )
    supervised.fn(str(pipeline), ["register.decide=promote"], engine="plain")
    status, out, err = cli("deploy", pipeline)
    assert status == 0, err
    assert "retrain/drifting is deployed to pool penstock" in out
    assert "retrained on drift" in out
    status, _, err = cli("deploy", pipeline)  # again: still one automation
    assert status == 0, err
    api = os.environ["PREFECT_API_URL"]

    frame = pd.read_csv(tmp_path / "project" / "data.csv")
    frame.assign(b=frame["b"] + 2).drop(columns="left").to_csv(tmp_path / "recent.csv", index=False)
    more = frame.assign(id=[f"new{number}" for number in range(len(frame))], b=frame["b"] + 2)
    pd.concat([frame, more]).to_csv(tmp_path / "project" / "data.csv", index=False)
    with worker(served_home, api, tmp_path / "worker.log"):
        status, out, err = cli("monitor", "drifting", tmp_path / "recent.csv")
        assert status == 0, err
        assert "Changed more than chance explains: " in out
        of_it = {"deployments": {"name": {"any_": ["drifting"]}}}
        deadline = time.monotonic() + 400
        while True:
            runs = found(api, "flow_runs", **of_it)
            if runs and runs[0]["state_type"] in ("COMPLETED", "FAILED", "CRASHED"):
                break
            assert time.monotonic() < deadline, (runs, (tmp_path / "worker.log").read_text()[-3000:])
            time.sleep(1)
    (run,) = runs
    assert (run["state_type"], run["parameters"]["cause"]) == ("COMPLETED", "drift"), (
        tmp_path / "worker.log"
    ).read_text()
    trained = tracking_of(served_home).runs("drifting")
    assert len(trained) == 2
    assert trained[0]["tags"]["penstock.cause"] == "recent rows have drifted"
    champion = tracking_of(served_home).registry.champion("drifting")
    assert champion is not None
    assert champion.version == "1"
