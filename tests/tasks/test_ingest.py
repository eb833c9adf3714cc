"""Ingest from every kind of source: the same rows are the same digests, and what was found out is told."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sqlalchemy import create_engine

from penstock import store as stores
from penstock.components.sources import delimited
from penstock.context import Engine, Run
from penstock.errors import DataError
from penstock.spec.data import Data
from penstock.tasks.ingest import Rows, hold_frame, ingest, take, tell

ROWS = 60


def table() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "id": [f"r{number}" for number in range(ROWS)],
            "x": rng.normal(size=ROWS).round(3),
            "n": rng.integers(0, 1000, ROWS),
            "plan": rng.choice(["basic", "pro"], ROWS),
            "left": rng.choice(["yes", "no"], ROWS),
        }
    )


def a_run(home: Path, name: str = "a", engine: Engine = "plain") -> Run:
    when = datetime(2024, 12, 31, 23, 30, tzinfo=UTC)
    folder = home / "runs" / name
    return Run(id=name, pipeline="p", home=home, folder=folder, base=home, tracking_uri="", engine=engine, started=when)


def taken(run: Run, source: str, sample: int | None = None, timezone: str = "UTC", **more: Any) -> Rows:
    data = Data(source=source, target="left", **more)
    return ingest(run, data, "classification", take(run, data, timezone), sample, 0)


def digests(rows: Rows) -> tuple[str, str, str]:
    return rows.received.digest, rows.frame.digest, rows.schema_.digest


def test_the_same_rows_have_the_same_digests_from_every_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = table()
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "u.csv", index=False, sep=";", decimal=",", encoding="utf-16")
    frame.to_parquet(tmp_path / "t.parquet")
    engine = create_engine(f"sqlite:///{tmp_path}/t.db")
    frame.to_sql("t", engine, index=False)
    engine.dispose()
    monkeypatch.setenv("T_URL", f"sqlite:///{tmp_path}/t.db")
    run = a_run(tmp_path)
    sources: list[dict[str, Any]] = [
        {"source": "t.csv"},
        {"source": "u.csv"},
        {"source": "t.parquet"},
        {"source": f"file://{tmp_path}/t.csv"},
        {"source": "env:T_URL", "reading": {"query": "select * from t"}},
    ]
    made = [digests(taken(run, key="id", **source)) for source in sources]
    data = Data(source="t.csv", target="left", key="id")
    made.append(digests(ingest(run, data, "classification", hold_frame(run.store, frame), None, 0)))
    assert len(set(made)) == 1


def test_reading_in_parts_changes_no_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table().to_csv(tmp_path / "t.csv", index=False)
    whole = taken(a_run(tmp_path / "a"), str(tmp_path / "t.csv"))
    monkeypatch.setattr(delimited, "BLOCK", 100)
    assert digests(taken(a_run(tmp_path / "b"), str(tmp_path / "t.csv"))) == digests(whole)
    monkeypatch.setattr(stores, "ROWS_PER_GROUP", 7)
    run = a_run(tmp_path / "c")
    parted = taken(run, str(tmp_path / "t.csv"))
    pd.testing.assert_frame_equal(run.store.frame(parted.frame), a_run(tmp_path / "a").store.frame(whole.frame))
    assert parted.schema_.digest == whole.schema_.digest


def test_a_sample_is_drawn_alike_from_files_and_from_held_rows(tmp_path: Path) -> None:
    frame = table()
    frame.to_csv(tmp_path / "t.csv", index=False)
    run = a_run(tmp_path)
    data = Data(source="t.csv", target="left")
    drawn = taken(run, "t.csv", sample=40)
    assert len(run.store.frame(drawn.frame)) == 40
    assert digests(ingest(run, data, "classification", hold_frame(run.store, frame), 40, 0)) == digests(drawn)


def test_days_in_names_and_what_is_told(tmp_path: Path) -> None:
    table().to_csv(tmp_path / "t-2025-01-01.csv", index=False, sep=";")
    run = a_run(tmp_path)
    rows = taken(run, "t-{date}.csv", timezone="Europe/Rome")
    facts = run.store.facts(rows.reading)
    assert facts["source"] == "t-2025-01-01.csv"
    assert (facts["rows"], facts["columns"], facts["delimiter"]) == (ROWS, 5, ";")
    tell(run, rows)
    (event,) = run.journal("reading")
    assert event["summary"] == "t-2025-01-01.csv: 60 rows, 5 columns; csv, separated by semicolons, utf-8"


def test_another_name_with_the_same_rows_changes_nothing_after_ingest(tmp_path: Path) -> None:
    for day in ("2024-12-31", "2025-01-01"):
        table().to_csv(tmp_path / f"t-{day}.csv", index=False)
    run = a_run(tmp_path)
    today, tomorrow = taken(run, "t-{date}.csv"), taken(run, "t-{date}.csv", timezone="Europe/Rome")
    assert digests(today) == digests(tomorrow)
    assert today.reading != tomorrow.reading


def test_new_bytes_are_read_anew_and_old_ones_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table().to_csv(tmp_path / "t.csv", index=False)
    run = a_run(tmp_path)
    first = taken(run, "t.csv")
    assert taken(run, "t.csv") == first
    assert [event["state"] for event in run.journal("stage")] == ["ran", "cached"]
    table().iloc[:-1].to_csv(tmp_path / "t.csv", index=False)
    assert taken(run, "t.csv").frame != first.frame
    monkeypatch.setenv("T_URL", "nothing is read while a run is planned")
    planned = taken(a_run(tmp_path, "b", "plan"), "env:T_URL", reading={"query": "select 1"})
    assert planned.frame.kind == "pending"


def test_a_column_is_judged_by_all_its_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "BLOCK", 256)
    monkeypatch.setattr(stores, "ROWS_PER_GROUP", 16)
    frame = table()
    frame["n"] = [*map(str, frame["n"][:-1]), "oops"]
    frame.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(DataError, match=r"column 'n' has mixed types: 1 of 60"):
        taken(a_run(tmp_path), "t.csv")
