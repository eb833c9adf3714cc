from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from penstock.actions.records import Actions, Record
from penstock.errors import EnvironmentFault
from penstock.home import runs
from penstock.home.clean import find_leftovers
from penstock.settings import Settings
from penstock.store import Ref, Store, digest_of
from penstock.tasks.evaluate import count_winner, winners_evaluated
from penstock.tracking import Tracking
from tests.documents import typed

HOUR = 3600


class Home:
    """A home with runs that each made an object, and one that all of them share."""

    def __init__(self, folder: Path, database: Path) -> None:
        shutil.copy(database, folder / "mlflow.db")
        self.settings = Settings(folder, f"sqlite:///{folder}/mlflow.db", folder / "artifacts", None)
        self.store = Store(self.settings.store)
        self.shared = self.store.put_facts({"rows": "of all runs"})

    def run(self, pipeline: str, number: int, *, told: bool = True, cached_from: str | None = None) -> tuple[str, Ref]:
        run = f"{pipeline}-20260101-{number:06}-aaa{number}"
        deep = self.store.put_facts({"deep": run})
        made = self.store.put_facts({"made by": run, "leads to": deep.digest})
        parts = {"inputs": {"rows": f"facts:{self.shared.digest}"}, "run": run}
        key = digest_of(parts)
        record = Record(key=key, stage="train", parts=parts, made=made.model_dump(), seconds=1.0, run=run)
        Actions(self.store).keep(record, pipeline, "train")
        folder = runs.folder_of(self.settings.home, run)
        folder.mkdir(parents=True)
        (folder / "journal.jsonl").write_text(json.dumps({"event": "stage", "stage": "train", "key": key}) + "\n")
        if told:
            document: dict[str, Any] = {"run": {"cached_from": cached_from}}
            runs.keep_document(self.settings.home, run, typed(document))
        os.utime(folder, (number * HOUR, number * HOUR))
        return run, deep

    def kept(self, keep: int = 1) -> list[str]:
        return find_leftovers(self.settings, keep).kept


@pytest.fixture
def home(tmp_path: Path, migrated_database: Path) -> Home:
    return Home(tmp_path, migrated_database)


def test_the_newest_runs_stay_with_all_that_they_lead_to(home: Home) -> None:
    old, of_old = home.run("churn", 1)
    new, of_new = home.run("churn", 2)
    other, _ = home.run("rents", 3)
    stray = home.store.put_facts({"nobody": "names it"})
    count_winner(home.store, of_old, of_old)

    found = find_leftovers(home.settings, 1)
    assert found.kept == [new, other]
    told = found.document()
    assert {name: part["count"] for name, part in told["leftovers"].items()} == {"runs": 1, "records": 1, "objects": 3}
    assert told["bytes"] > 0
    assert home.store.fault(of_old) is None, "nothing goes before it is asked for"

    found.remove()
    assert not runs.folder_of(home.settings.home, old).exists()
    assert [home.store.fault(ref) for ref in (of_old, stray)] == ["missing", "missing"]
    assert [Store(home.settings.store).fault(ref) for ref in (of_new, home.shared)] == [None, None]
    assert winners_evaluated(home.store, of_old) == [of_old.digest]
    assert find_leftovers(home.settings, 1).document()["leftovers"] == {}


def test_a_run_stays_that_made_a_registered_version_or_is_repeated_by_one_that_stays(home: Home) -> None:
    registered, _ = home.run("churn", 1)
    origin, _ = home.run("churn", 2)
    home.run("churn", 3)
    newest, _ = home.run("churn", 4, cached_from=origin)
    tracking = Tracking(home.settings.tracking_uri, home.settings.artifact_root)
    mlflow_run = tracking.start_run("churn", "a-run", {"penstock.run": registered})
    tracking.registry.client.create_registered_model("churn")
    tracking.registry.client.create_model_version("churn", source="file:///nowhere", run_id=mlflow_run)
    assert home.kept() == [registered, origin, newest]


def test_a_stopped_run_stays_until_its_pipeline_comes_to_an_end(home: Home) -> None:
    home.run("churn", 1, told=False)
    ended, _ = home.run("churn", 2)
    stopped, _ = home.run("churn", 3, told=False)
    assert home.kept() == [ended, stopped]


def test_the_newest_looks_for_drift_stay_beside_the_newest_runs(home: Home) -> None:
    looks = [home.run("churn", number, told=False)[0] for number in (1, 2, 4, 5)]
    for number, look in zip((1, 2, 4, 5), looks, strict=True):
        report = runs.folder_of(home.settings.home, look) / "drift.json"
        report.write_text("{}")
        os.utime(report, (number * HOUR, number * HOUR))
    ended, _ = home.run("churn", 3)
    assert home.kept(1) == [ended, looks[3]]
    assert home.kept(3) == [*looks[1:2], ended, *looks[2:]]


def test_what_was_fetched_of_versions_that_are_gone_goes_too(home: Home) -> None:
    tracking = Tracking(home.settings.tracking_uri, home.settings.artifact_root)
    mlflow_run = tracking.start_run("churn", "a-run", {})
    tracking.registry.client.create_registered_model("churn")
    tracking.registry.client.create_model_version("churn", source="file:///nowhere", run_id=mlflow_run)
    needed, gone = (home.settings.home / "downloads" / name for name in (mlflow_run, "0" * 32))
    for folder in (needed, gone):
        folder.mkdir(parents=True)
    assert find_leftovers(home.settings, 1).found["fetched samples"] == [gone]


def test_half_written_files_go_once_nobody_can_be_writing_them(home: Home) -> None:
    old, fresh = (home.settings.store / f".writing-{name}" for name in ("old", "fresh"))
    for path in (old, fresh):
        path.write_text("x")
    os.utime(old, (time.time() - 2 * HOUR,) * 2)
    assert find_leftovers(home.settings, 1).found["half-written files"] == [old]


def test_a_scoring_that_was_stopped_long_ago_is_not_expected_back(home: Home) -> None:
    old, fresh = (home.settings.home / "scoring" / name for name in ("old", "fresh"))
    for path in (old, fresh):
        path.mkdir(parents=True)
    os.utime(old, (time.time() - 8 * 24 * HOUR,) * 2)
    assert find_leftovers(home.settings, 1).found["stopped scorings"] == [old]


def test_nothing_is_looked_for_while_a_run_goes_on(home: Home) -> None:
    run = runs.begin(home.settings.home, "churn")
    with pytest.raises(EnvironmentFault) as caught:
        find_leftovers(home.settings, 1)
    assert (caught.value.code, run in caught.value.what) == ("PEN908", True)
    runs.finish(home.settings.home, run)
