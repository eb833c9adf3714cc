"""Whole runs on rows that come otherwise than from a plain CSV file."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest

import penstock
from tests.conftest import Cli
from tests.small import classification


@pytest.mark.slow
def test_a_dated_file_of_another_dialect_and_the_same_rows_from_python(
    tmp_path: Path, served_home: Path, cli: Cli
) -> None:
    pipeline = classification(tmp_path / "project", name="dated", data={"source": "data-{date}.csv"})
    rows = pd.read_csv(tmp_path / "project" / "data.csv")
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    rows.to_csv(tmp_path / "project" / f"data-{today}.csv", index=False, sep=";", decimal=",", encoding="utf-16")

    status, out, err = cli("run", "--json", pipeline)
    assert status == 0, err
    document = json.loads(out)
    reading = document["data"]["reading"]
    assert (reading["source"], reading["rows"], reading["columns"]) == (f"data-{today}.csv", 240, 7)
    assert (reading["delimiter"], reading["decimal"], reading["encoding"]) == (";", ",", "utf-16")

    given = penstock.run(pipeline, data=rows).document.as_json()
    assert given["data"]["reading"]["summary"] == "a data frame: 240 rows, 7 columns; DataFrame"
    assert given["winner"] == document["winner"]
    ran = {stage["stage"] for stage in given["stages"] if stage["state"] == "ran"}
    assert ran <= {"ingest", "report"}


def test_a_password_in_the_pipeline_file_is_refused_and_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.setenv("PENSTOCK_HOME", str(tmp_path / "home"))
    pipeline = classification(tmp_path / "project", data={"source": "postgresql://me:hunter2@host/db"})
    status, out, err = cli("run", pipeline)
    assert (status, "PEN133" in err) == (2, True)
    assert "hunter2" not in out + err
    assert not (tmp_path / "home").exists()
