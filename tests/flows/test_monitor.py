"""Monitoring, from a registered model to the report, MLflow and Prefect's event."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock import api
from penstock.errors import DataError, ModelError, UsageError
from penstock.flows.monitor import monitor
from penstock.flows.supervised import supervised
from penstock.flows.unsupervised import unsupervised
from penstock.model import load_bundle
from penstock.tracking import MONITOR, Tracking
from tests.asking import ask
from tests.conftest import Cli
from tests.e2e.harness import tracking_of
from tests.listener import Listener
from tests.small import classification, clusters


def look(model: str, source: Path, **asked: Any) -> dict[str, Any]:
    return monitor.fn(model, str(source), engine="plain", **asked)


def recent(folder: Path, name: str, **changes: Any) -> Path:
    """Fresh rows of the same law, but for the changes."""
    fresh = classification(folder / f"fresh-{name}", rows=200, seed=11).parent / "data.csv"
    frame = pd.read_csv(fresh).assign(**changes)
    frame["id"] = [f"new{number}" for number in range(len(frame))]
    path = folder / f"{name}.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.mark.slow
@pytest.mark.covers("proc_store_best_copy")
def test_a_model_is_watched_from_its_registration_on(
    tmp_path: Path, served_home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, listener: Listener
) -> None:
    pipeline = classification(tmp_path / "project", rows=400, name="watched", search={"fits": 4}, split={"folds": 2})
    supervised.fn(str(pipeline), [], engine="plain")
    tracking: Tracking = tracking_of(served_home)
    version = tracking.registry.champion("watched")
    assert version is not None
    kept = pd.read_parquet(tracking.fetch(version.run_id, "reference.parquet", tmp_path))
    assert set(kept.columns) == {"a", "b", "c", "plan", "since", "left", "_part"}
    assert kept["_part"].value_counts()["train"] > 250

    # Rows of the same law: nothing is said, and the score with the labels that they bring is told.
    same = look("watched", recent(tmp_path, "same"))
    assert not same["drifted"]
    assert same["words"] == []
    assert {family["name"] for family in same["families"]} == {"inputs", "predictions", "performance"}
    assert same["scores"]["metric"] == "roc_auc"
    # What is registered gives the score that was logged, on the test rows that were kept.
    assert same["scores"]["test"]["value"] == pytest.approx(tracking.runs("watched")[0]["metrics"]["roc_auc"])
    card = load_bundle(tracking.registry.download("watched", "champion", tmp_path)).card
    assert {"data", "trained_on", "seed", "method", "parameters"} <= set(card)
    assert same["scores"]["now"]["low"] < same["scores"]["now"]["value"] < same["scores"]["now"]["high"]
    page = Path(same["report"]).read_text()
    assert "Nothing has changed more than chance explains." in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")

    # A shifted column, a new level and holes, through the command line, a flow run and its event.
    shifted = recent(
        tmp_path,
        "shifted",
        a=lambda frame: frame["a"] + 3,
        plan=lambda frame: frame["plan"].where(np.arange(200) % 5 > 0, "gold"),
        c=lambda frame: frame["c"].where(np.arange(200) % 4 > 0),
    )
    monkeypatch.chdir(tmp_path)
    status, out, err = cli("monitor", "watched", shifted.name, "--json", "--require-stable", "--ignore", "since")
    assert (status, err[:6]) == (7, "PEN600")
    found = json.loads(out)
    moved = {(one["kind"], one["column"]) for one in found["families"][0]["found"] if one["drifted"]}
    assert {("numbers", "a"), ("levels", "plan"), ("missing", "c")} <= moved
    assert found["ignored"] == ["since"]
    gold = next(one for one in found["unseen"] if one["column"] == "plan")
    assert (gold["rows"], gold["examples"]) == (40, ["gold"])
    assert any(one["rule"] == "expect_column_values_to_be_in_set" for one in found["broken"])
    assert [one["drifted"] for one in found["history"]] == [False]
    _require_event(found)

    # MLflow has both looks in the pipeline's experiment, apart from the runs that train.
    looks = tracking.runs("watched", MONITOR)
    assert [one["tags"]["penstock.drift"] for one in looks] == ["true", "false"]
    assert looks[0]["metrics"]["inputs.a.numbers.distance"] > 0.5
    assert looks[1]["metrics"]["roc_auc"] == pytest.approx(same["scores"]["now"]["value"])
    assert len(tracking.runs("watched")) == 1

    # Answers that were recorded, and labels that came later by the key: the answers were wrong.
    rows = pd.read_csv(tmp_path / "same.csv")
    said = {"probability_no": rows["left"].eq("yes"), "probability_yes": rows["left"].eq("no")}
    rows[["id"]].assign(prediction="yes", **{name: 0.9 * value for name, value in said.items()}).iloc[::-1].to_csv(
        tmp_path / "said.csv", index=False
    )
    rows[["id", "left"]].sample(150, random_state=0).to_csv(tmp_path / "labels.csv", index=False)
    rows.drop(columns="left").to_csv(tmp_path / "bare.csv", index=False)
    wrong = look(
        "watched@1",
        tmp_path / "bare.csv",
        predictions=str(tmp_path / "said.csv"),
        labels=str(tmp_path / "labels.csv"),
        notify=["team"],
    )
    assert [family["name"] for family in wrong["families"] if family["drifted"]] == ["predictions", "performance"]
    assert [(told["event"], told["model"]) for _, told in listener.heard] == [("drift", "watched")]
    assert wrong["scores"]["rows"] == 150
    assert wrong["scores"]["now"]["value"] < 0.1

    status, out, _ = cli("monitor", "watched", tmp_path / "same.csv")
    assert status == 0
    assert "Nothing has changed more than chance explains." in out
    with pytest.raises(DataError) as caught:
        look("watched", tmp_path / "same.csv", predictions=str(tmp_path / "labels.csv"))
    assert caught.value.code == "PEN603"
    with pytest.raises(UsageError) as misspelt:
        look("watched", tmp_path / "same.csv", ignore=["sinse"])
    assert (misspelt.value.code, misspelt.value.remedy) == ("PEN607", "did you mean 'since'?")
    with pytest.raises(ModelError) as absent:
        look("nobody", tmp_path / "same.csv")
    assert absent.value.code == "PEN507"


def _require_event(found: dict[str, Any]) -> None:
    """Prefect's server has the event, with the model as its resource."""
    deadline = time.monotonic() + 60
    while True:
        asked = {"filter": {"event": {"name": ["penstock.drift"]}}}
        answer = ask(f"{os.environ['PREFECT_API_URL']}/events/filter", asked)
        events = [one for one in answer["events"] if one["payload"]["run"] == found["run"]]
        if events or time.monotonic() > deadline:
            break
        time.sleep(0.5)
    (event,) = events
    assert event["resource"]["prefect.resource.id"] == "penstock.model.watched"
    assert "a" in event["payload"]["words"]


@pytest.mark.slow
def test_shares_of_clusters_are_watched(tmp_path: Path, home: Path) -> None:
    pipeline = clusters(tmp_path / "project", name="herds", models=[{"k-means": {"clusters": [3]}}])
    unsupervised.fn(str(pipeline), [], engine="plain")
    frame = pd.read_csv(clusters(tmp_path / "other", seed=4, rows=300).parent / "data.csv")
    frame[(frame["kind"] != "u") | (np.arange(300) % 8 == 0)].to_csv(tmp_path / "fewer.csv", index=False)
    found = look("herds", tmp_path / "fewer.csv")
    shares = next(one for one in found["families"][1]["found"] if one["column"] == "prediction")
    assert shares["drifted"]
    assert sum(shares["before"]["shares"].values()) == pytest.approx(1)
    assert shares["distance"] > 0.2
    assert found["scores"] is None

    # The same rows through `penstock score`: of what the model gives, what is asked for.
    api.score("herds", tmp_path / "fewer.csv", tmp_path / "scores.csv", give=["cluster", "confidence"])
    scores = pd.read_csv(tmp_path / "scores.csv")
    assert [name for name in scores.columns if name not in frame.columns] == ["prediction", "confidence"]
    assert scores["prediction"].value_counts(normalize=True).to_dict() == pytest.approx(
        {int(cluster): share for cluster, share in shares["now"]["shares"].items()}
    )
    assert scores["confidence"].between(0, 1).all()
