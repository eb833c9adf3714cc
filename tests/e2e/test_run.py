"""Whole runs, in this process, through the shared Prefect API and a real MLflow."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import penstock
from penstock.components import splitting
from penstock.settings import Settings
from penstock.tracking import Tracking
from tests.conftest import Cli
from tests.small import classification, clusters, regression


def run_json(cli: Cli, *arguments: object) -> dict[str, object]:
    status, out, err = cli("run", "--json", *arguments)
    assert status == 0, err
    return json.loads(out)  # type: ignore[no-any-return]


def tracking() -> Tracking:
    settings = Settings.from_environment()
    return Tracking(settings.tracking_uri, settings.artifact_root)


@pytest.mark.covers("proc_store_best_copy")
def test_a_classification_from_file_to_champion(tmp_path: Path, served_home: Path, cli: Cli) -> None:
    pipeline = classification(tmp_path / "project", name="first", validation={"leakage": "warn"})
    document = run_json(cli, pipeline)

    assert document["winner"]["name"] in ("logistic-regression", "dummy")
    auc = document["metrics"]["roc_auc"]
    assert auc["low"] <= auc["value"] <= auc["high"]
    assert document["selection"]["corrected"]["low"] < document["selection"]["naive"]
    assert document["verdict"]["verdict"] == "first"
    assert document["selection"]["winners_evaluated"] == 1
    assert {stage["state"] for stage in document["stages"]} == {"ran"}
    assert all(Path(path).exists() for path in document["artifacts"].values())

    found = tracking()
    (run,) = found.runs("first")
    assert run["mlflow_run"] == document["run"]["mlflow_run"]
    assert run["status"] == "FINISHED"
    assert run["metrics"]["roc_auc_low"] == pytest.approx(auc["low"])
    assert run["tags"]["penstock.prefect_flow_run"] == document["run"]["prefect_flow_run"]
    files = {file.path for file in found.client.list_artifacts(run["mlflow_run"])}
    assert {"report.html", "pipeline.yaml", "suite.json", "figures"} <= files
    parent = f"tags.`mlflow.parentRunId` = '{run['mlflow_run']}'"
    children = found.client.search_runs([found.experiment("first")], parent)
    assert len(children) == len(document["candidates"])
    assert found.registry.champion("first").version == "1"

    # The registered copy, loaded again, scores on the test rows what was logged.
    rows = pd.read_csv(tmp_path / "project" / "data.csv")
    test = splitting.test_rows(rows["id"], share=0.2, seed=0, classes=rows["left"].to_numpy(), groups=None).mask
    assert test.sum() == document["data"]["test_rows"]
    probability = penstock.load("first@champion").predict_proba(rows[test].drop(columns="left"))["yes"]
    assert roc_auc_score(rows["left"][test] == "yes", probability) == pytest.approx(run["metrics"]["roc_auc"])

    # A report that is gone is made again, the same.
    page = Path(document["artifacts"]["report"])
    content = page.read_text()
    page.unlink()
    assert cli("report", "first") == (0, f"{page}\n", "")
    assert page.read_text() == content

    # The same command again has nothing to do and says so.
    again = run_json(cli, pipeline)
    assert {stage["state"] for stage in again["stages"]} == {"cached"}
    assert again["metrics"] == document["metrics"]
    assert again["run"]["cached_from"] == document["run"]["id"]
    newest = found.runs("first")[0]
    assert newest["tags"]["penstock.cached_from"] == document["run"]["id"]
    parent = f"tags.`mlflow.parentRunId` = '{newest['mlflow_run']}'"
    assert found.client.search_runs([found.experiment("first")], parent) == []


@pytest.mark.slow
def test_a_change_meets_the_champion_and_the_champion_scores(tmp_path: Path, served_home: Path, cli: Cli) -> None:
    pipeline = classification(tmp_path / "project", name="first")
    run_json(cli, pipeline)
    # A changed seed runs what hangs on it, and the gate compares with the champion.
    changed = run_json(cli, pipeline, "--set", "split.seed=5")
    states = {stage["stage"]: stage["state"] for stage in changed["stages"]}
    assert (states["validate"], states["split"]) == ("cached", "ran")
    reasons = {stage["stage"]: stage["reason"] for stage in changed["stages"]}
    assert "split.seed: 0 became 5" in reasons["split"]
    assert changed["verdict"]["champion"] == "1"
    assert changed["verdict"]["verdict"] in ("promoted", "held", "inconclusive")

    status, out, _ = cli("plan", "--json", pipeline)
    assert status == 0
    assert {stage["state"] for stage in json.loads(out)["stages"] if stage["stage"] != "report"} == {"cached"}
    status, out, _ = cli("plan", pipeline, "--set", "preparation.impute=mean")
    assert "would run" in out
    assert "median" in out

    rows = pd.read_csv(tmp_path / "project" / "data.csv").drop(columns="left")
    rows.to_csv(tmp_path / "new.csv", index=False)
    status, _, err = cli("score", "first@1", tmp_path / "new.csv", tmp_path / "scores.csv")
    assert (status, "240 rows" in err) == (0, True)
    scores = pd.read_csv(tmp_path / "scores.csv")
    assert list(scores.columns) == ["id", "prediction", "probability_no", "probability_yes"]
    assert scores["id"].tolist() == rows["id"].tolist()
    assert penstock.load("first@1").predict(rows).tolist() == scores["prediction"].tolist()

    rows.to_csv(tmp_path / "new.txt", index=False, sep=":", decimal=",")
    reading = ("--reading", "delimiter=:", "--reading", "decimal=,")
    status, _, err = cli("score", "first@1", tmp_path / "new.txt", tmp_path / "scores.jsonl", *reading)
    assert status == 0, err
    pd.testing.assert_frame_equal(pd.read_json(tmp_path / "scores.jsonl", lines=True), scores)

    rows.assign(a=rows["a"] * 1e6).to_parquet(tmp_path / "broken.parquet")
    status, _, err = cli("score", "first@champion", tmp_path / "broken.parquet", tmp_path / "out.csv")
    assert status == 3
    assert "PEN505" in err
    assert "'a'" in err
    assert not (tmp_path / "out.csv").exists()

    status, out, _ = cli("runs", "--json", "first")
    assert [run["status"] for run in json.loads(out)["runs"]] == ["FINISHED"] * 2

    # What people decide stands against a gate that finds the same model again.
    if changed["verdict"]["verdict"] != "promoted":
        assert cli("promote", "first@2", "--why", "asked for")[0] == 0
    status, out, _ = cli("rollback", "first", "--why", "worse on Monday")
    assert (status, out) == (0, "version 1 of first is the champion in place of version 2\n")
    status, _, err = cli("run", pipeline, "--set", "split.seed=5", "--require-promotion")
    assert (status, err[:6]) == (5, "PEN401")
    assert tracking().registry.champion("first").version == "1"
    status, out, _ = cli("decisions", "first", "--json")
    made = json.loads(out)["decisions"]
    assert (made[0]["kind"], made[0]["version"], made[0]["evidence"]["verdict"]) == ("gate", "1", "first")
    assert (made[-1]["kind"], made[-1]["version"], made[-1]["why"]) == ("rollback", "1", "worse on Monday")
    assert "worse on Monday" in cli("decisions", "first")[1]


@pytest.mark.slow
def test_a_regression(tmp_path: Path, served_home: Path) -> None:
    pipeline = regression(
        tmp_path,
        split={"recipe": "train-validation-test"},
        features={"select": {"mutual-information": {"keep": 2}}, "extract": {"pca": {"components": 2}}},
    )
    result = penstock.run(pipeline, overrides=["search.strategy=grid", "models=[{ridge: {alpha: [0.1, 1.0]}}]"])
    assert result.winner == "ridge"
    assert 0.5 < result.metrics["r2"].value < 1
    assert len(result.document.candidates) == 3
    assert "residual" in result.report.read_text().lower()


@pytest.mark.slow
def test_the_registry_is_put_in_order(tmp_path: Path, served_home: Path, cli: Cli) -> None:
    """A version that is gone is registered again; one that a killed run left without a verdict is removed."""
    pipeline = classification(tmp_path, name="order")
    first = run_json(cli, pipeline)
    registry = tracking().registry
    registry.delete_version("order", "1")
    left = registry.client.create_model_version(
        "order", source="file:///nowhere", run_id=first["run"]["mlflow_run"], tags={"penstock.state": "pending"}
    )
    second = run_json(cli, pipeline)
    states = {stage["stage"]: (stage["state"], stage["reason"]) for stage in second["stages"]}
    assert states["register"] == ("ran", "version 1 is no longer in the registry")
    assert states["evaluate"][0] == "cached"
    assert registry.pending_versions("order") == []
    assert registry.find("order", str(left.version)) is None
    assert registry.champion("order").version == second["verdict"]["version"]

    # Cleaning keeps all that the newest run and the registered version stand on: the same command has nothing to do.
    assert "`penstock clean --yes` would free" in cli("clean", "--keep", "1")[1]
    assert cli("clean", "--keep", "1", "--yes")[0] == 0
    assert cli("clean", "--keep", "1")[1] == "nothing to remove\n"
    third = run_json(cli, pipeline)
    assert {stage["state"] for stage in third["stages"]} == {"cached"}
    assert Path(first["artifacts"]["report"]).exists() == (first["run"]["id"] == third["run"]["cached_from"])


@pytest.mark.slow
def test_a_clustering(tmp_path: Path, served_home: Path, cli: Cli) -> None:
    document = run_json(cli, clusters(tmp_path))
    assert len(document["clusters"]) == 3
    assert document["metrics"]["stability"]["value"] > 0.9
    assert document["metrics"]["silhouette"]["low"] > 0.3
    rows = pd.read_csv(tmp_path / "data.csv")
    assigned = penstock.load("groups@champion").predict(rows)
    assert pd.crosstab(assigned, rows["kind"]).gt(0).sum().sum() == 3


@pytest.mark.slow
def test_three_classes_with_groups_in_a_sample(tmp_path: Path, served_home: Path) -> None:
    pipeline = classification(tmp_path, rows=400, name="many")
    frame = pd.read_csv(tmp_path / "data.csv")
    frame["left"] = pd.qcut(frame["b"] + frame["c"], 3, labels=["low", "mid", "high"]).astype(str)
    frame["house"] = frame.index // 3
    frame.to_csv(tmp_path / "data.csv", index=False)
    result = penstock.run(pipeline, overrides=["data.positive=null", "data.group=house"], sample=300)
    assert result.document.data.rows == 300
    assert result.document.data.target.classes == ["high", "low", "mid"]
    assert result.document.metric == "roc_auc_ovr"


@pytest.mark.slow
def test_a_written_suite_stops_or_warns(tmp_path: Path, served_home: Path, cli: Cli) -> None:
    pipeline = classification(tmp_path, name="suite", validation={"written": "suite.yaml"})
    rule = {"type": "expect_column_values_to_be_between", "kwargs": {"column": "b", "min_value": 0}}
    (tmp_path / "suite.yaml").write_text(json.dumps([rule]))
    status, _, err = cli("run", pipeline)
    assert status == 3
    assert err.startswith("PEN201")
    assert "'b'" in err
    assert "on_failure" in err
    document = run_json(cli, pipeline, "--set", "validation.on_failure=warn")
    assert [check["column"] for check in document["checks"] if not check["passed"]] == ["b"]


@pytest.mark.slow
def test_one_worker_and_two_make_the_same_bits(
    tmp_path: Path, served_home: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    """Each in a home of its own, so that nothing is taken from the store; by a strategy that follows the scores."""
    models = ["logistic-regression", {"decision-tree": {"max_depth": [2, 3, 5]}}, "random-forest"]
    about: dict[str, Any] = {"search": {"strategy": "tpe", "fits": 14, "batch": 3}}
    pipeline = classification(tmp_path / "project", models=models, split={"folds": 2}, **about)
    elsewhere = shutil.copytree(served_home, tmp_path / "second-home")
    one = run_json(cli, pipeline, "--set", "limits.workers=1")
    monkeypatch.setenv("PENSTOCK_HOME", str(elsewhere))
    two = run_json(cli, pipeline, "--set", "limits.workers=2")
    assert "cached" not in {stage["state"] for stage in two["stages"]}
    assert two["winner"] == one["winner"]
    assert two["metrics"] == one["metrics"]
    told = ("label", "parameters", "status", "folds", "score")
    assert [[candidate[key] for key in told] for candidate in two["candidates"]] == [
        [candidate[key] for key in told] for candidate in one["candidates"]
    ]


@pytest.mark.slow
def test_a_hopeless_candidate_is_ended_early_and_the_winner_is_the_same(
    tmp_path: Path, served_home: Path, cli: Cli
) -> None:
    models = [{"ridge": {"alpha": [1.0, 1e6]}}]
    pipeline = regression(tmp_path / "project", name="race", rows=600, models=models, search={"strategy": "grid"})
    one = run_json(cli, pipeline, "--set", "limits.workers=1")
    (ended,) = [candidate for candidate in one["candidates"] if candidate["status"] == "pruned"]
    assert ended["parameters"]["alpha"] == 1e6
    assert "behind ridge #1" in ended["reason"]
    assert len(ended["folds"]) == 1
    assert one["run"]["reproducible"]

    # Another number of workers changes nothing, so that everything is taken from the store.
    two = run_json(cli, pipeline, "--set", "limits.workers=2")
    assert {stage["state"] for stage in two["stages"]} == {"cached"}

    every = run_json(cli, pipeline, "--set", "search.prune=false")
    assert {candidate["status"] for candidate in every["candidates"]} == {"finished"}
    assert every["selection"]["fits"] > one["selection"]["fits"]
    assert every["winner"]["model_digest"] == one["winner"]["model_digest"]
