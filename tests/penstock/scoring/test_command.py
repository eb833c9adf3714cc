"""`penstock score` with a registered model: what it prints, its exit status, and as a flow run of a Prefect server."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console

from penstock.cli.scoring import following_rows
from penstock.model import load_bundle
from penstock.settings import Settings
from tests.asking import found
from tests.conftest import Cli
from tests.penstock.scoring.conftest import people


def register(model_file: Path) -> None:
    from penstock.tracking import Tracking

    settings = Settings.from_environment()
    tracking = Tracking(settings.tracking_uri, settings.artifact_root)
    run = tracking.start_run("people", "people-1", {})
    schema = load_bundle(model_file).schema
    version = tracking.registry.log_model(run, model_file, name="people", schema=schema)
    tracking.registry.set_champion("people", version.version)
    tracking.end_run(run, "FINISHED")


@pytest.mark.slow
def test_scores_without_a_server(tmp_path: Path, home: Path, model_file: Path, cli: Cli) -> None:
    register(model_file)
    source, scores = tmp_path / "new.csv", tmp_path / "scores.csv"
    frame = people(60)
    frame.loc[[3, 4], "age"] = 999
    frame.to_csv(source, index=False)
    status, out, err = cli("score", "people@champion", source, scores, "--on-breach", "age=abstain")
    assert (status, out) == (0, "")
    assert "60 of 60 rows scored with version 1 of people into" in err
    assert "2 left without an answer: column 'age': 2 of 60 values lie outside of" in err
    assert pd.read_csv(scores)["prediction"].isna().sum() == 2

    status, out, _ = cli("score", "people@1", source, scores, "--on-breach", "quarantine", "--give", "label", "--json")
    progress = json.loads(out)
    assert (status, progress["rows"], progress["scored"], progress["quarantined"]) == (0, 60, 58, 2)
    assert progress["model"]["version"] == "1"
    (breach,) = progress["breaches"]
    assert (breach["column"], breach["policy"], breach["count"]) == ("age", "quarantine", 2)
    assert Path(progress["quarantine"]) == tmp_path / "scores.quarantine.csv"
    assert list(pd.read_csv(scores).columns) == ["id", "prediction"]

    frame.assign(age=999).to_csv(source, index=False)
    scores.unlink()
    status, out, err = cli("score", "people", source, scores, "--json")
    assert (status, "PEN505" in err, scores.exists()) == (3, True, False)
    (finding,) = json.loads(out)["rejected"]
    assert (finding["column"], finding["count"]) == ("age", 60)
    assert not (home / "prefect").exists(), "no server was started"
    assert [path.suffix for path in (home / "scoring").iterdir()] in ([], [".lock"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "status"),
    [
        (["--give", "interval"], "PEN506", 2),
        (["--on-breach", "drop"], "PEN510", 2),
        (["--on-breach", "agee=impute"], "PEN511", 2),
        (["--table", "scores"], "PEN513", 2),
        (["--engine", "dusk"], "PEN093", 2),
    ],
)
def test_a_mistake_is_said(
    tmp_path: Path, home: Path, model_file: Path, cli: Cli, words: list[str], code: str, status: int
) -> None:
    register(model_file)
    people(20).to_csv(tmp_path / "new.csv", index=False)
    ended, _, err = cli("score", "people", tmp_path / "new.csv", tmp_path / "scores.csv", *words)
    assert (ended, err[:6]) == (status, code)
    assert not (tmp_path / "scores.csv").exists()


@pytest.mark.slow
def test_with_a_server_it_is_a_flow_run(tmp_path: Path, served_home: Path, model_file: Path, cli: Cli) -> None:
    register(model_file)
    people(250).to_parquet(tmp_path / "new.parquet", index=False)
    status, _, err = cli("score", "people@champion", tmp_path / "new.parquet", tmp_path / "scores-{date}.parquet")
    assert (status, "250 of 250 rows scored" in err) == (0, True), err
    (scores,) = tmp_path.glob("scores-20*.parquet")
    assert len(pd.read_parquet(scores)) == 250

    people(250).assign(age=999.0).to_parquet(tmp_path / "new.parquet", index=False)
    status, out, err = cli("score", "people", tmp_path / "new.parquet", tmp_path / "other.parquet", "--json")
    assert (status, err[:6], len(json.loads(out)["rejected"])) == (3, "PEN505", 1)

    api = Settings.from_environment().prefect_api_url
    assert api
    runs = found(api, "flow_runs", flows={"name": {"any_": ["score"]}})
    own = [run for run in runs if run["parameters"]["source"] == str(tmp_path / "new.parquet")]
    assert sorted(run["state_type"] for run in own) == ["COMPLETED", "FAILED"]


def test_progress_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr("penstock.cli.scoring.Console", lambda **_: Console(file=shown, force_terminal=True, width=100))
    with following_rows("people@1", quiet=False) as progress:
        progress(50, 200)
    assert "people@1: rows" in shown.getvalue()
    assert "50/200" in shown.getvalue()
