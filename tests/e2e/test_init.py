"""What `penstock init` writes runs as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import penstock
from tests.conftest import Cli
from tests.penstock.starter.test_begin import messy

EXAMPLES = Path(__file__).parents[2] / "examples"


def begin_and_run(cli: Cli, source: Path, *options: str, changes: tuple[str, ...] = ()) -> dict[str, Any]:
    status, out, err = cli("init", source, "--json", "--force", *options)
    assert status == 0, err
    pipeline = json.loads(out)["pipeline"]
    quick = ["split.folds=2", "search.fits=8", "limits.workers=1", "validation.leakage=off", *changes]
    status, out, err = cli("run", "--json", pipeline, *(word for change in quick for word in ("--set", change)))
    assert status == 0, err
    return json.loads(out)  # type: ignore[no-any-return]


@pytest.mark.slow
def test_a_messy_classification(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served_home: Path, cli: Cli) -> None:
    monkeypatch.chdir(tmp_path)
    document = begin_and_run(cli, messy(tmp_path), "--target", "left", changes=("models=[logistic-regression]",))
    assert document["metrics"]["roc_auc"]["value"] > 0.7
    assert {check["source"] for check in document["checks"]} >= {"written", "built-in"}
    failed = [check for check in document["checks"] if not check["passed"]]
    assert {check["severity"] for check in failed} <= {"warning"}


@pytest.mark.slow
def test_names_with_line_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served_home: Path, cli: Cli) -> None:
    monkeypatch.chdir(tmp_path)
    rows = pd.read_csv(messy(tmp_path)).rename(
        columns={"left": "left\nus?", "no": "no\n(EUR)", "dose: mg": "dose:\nmg"}
    )
    rows.to_csv("broken.csv", index=False)
    document = begin_and_run(
        cli, Path("broken.csv"), "--target", "left\nus?", changes=("models=[logistic-regression]",)
    )
    assert document["metrics"]["roc_auc"]["value"] > 0.7


@pytest.mark.slow
def test_weights_and_moments_that_init_suggests_can_be_declared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served_home: Path, cli: Cli
) -> None:
    monkeypatch.chdir(tmp_path)
    declared = ("data.columns.sample_weight=weight", "data.columns.measured_at=time", "split.ordered=false")
    plain = begin_and_run(cli, messy(tmp_path), "--target", "left")
    weighted = begin_and_run(cli, messy(tmp_path), "--target", "left", changes=declared)
    assert weighted["metrics"]["accuracy"] != plain["metrics"]["accuracy"]
    features = [column.name for column in penstock.load("messy-data@2").schema.features]
    assert features == ["no", "dose: mg", "mood #1", "plan"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "target", "problem"),
    [
        ("churn", "churned", "classification"),
        ("churn", "monthly_charge", "regression"),
        ("segments", None, "clustering"),
    ],
    ids=["classification", "regression", "clustering"],
)
def test_the_tables_of_the_examples(
    example: str,
    target: str | None,
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    served_home: Path,
    cli: Cli,
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = (EXAMPLES / example / f"{example}.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / f"{example}.csv").write_text("".join(rows[:501]), encoding="utf-8")
    options = ("--target", target) if target else ()
    document = begin_and_run(cli, tmp_path / f"{example}.csv", *options)
    assert document["problem"] == problem
    assert document["verdict"]["verdict"] == "first"
