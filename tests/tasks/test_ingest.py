"""Ingest from every kind of source: the same rows are the same digests, and what was found out is told."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sqlalchemy import create_engine

from penstock import store as stores
from penstock.context import Engine, Run
from penstock.errors import DataError, UsageError
from penstock.problems.data import Rows
from penstock.sources import delimited
from penstock.spec.data import Data
from penstock.spec.validation import Validation
from penstock.tasks import ingest as ingests
from penstock.tasks.ingest import hold_frame, ingest, take, tell
from penstock.tasks.validate import written_rules

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


@pytest.mark.parametrize("late", [False, True])
def test_a_link_that_is_changed_while_a_run_goes_on_leads_nowhere(tmp_path: Path, late: bool) -> None:
    home = tmp_path.resolve() / "project"
    home.mkdir()
    for folder in (home, tmp_path):
        table().to_csv(folder / "t.csv", index=False)
    (home / "link.csv").symlink_to(home / "t.csv")
    run = a_run(home).model_copy(update={"folders": (home,)})
    data = Data(source="link.csv", target="left")
    content = take(run, data, "UTC")
    assert content.digest
    (home / "link.csv").unlink()
    (home / "link.csv").symlink_to(tmp_path / "t.csv")
    with pytest.raises(UsageError, match="PEN056"):
        ingest(run, data, "classification", content, None, 0) if late else take(run, data, "UTC")
    named = run.model_copy(update={"named_by_user": ("data.source",)})
    assert take(named, data, "UTC") == content


def test_written_rules_are_read_inside_the_project(tmp_path: Path) -> None:
    home = tmp_path.resolve() / "project"
    home.mkdir()
    (tmp_path / "rules.yaml").write_text("- {type: expect_column_to_exist, kwargs: {column: x}}")
    (home / "rules.yaml").symlink_to(tmp_path / "rules.yaml")
    run, validation = a_run(home).model_copy(update={"folders": (home,)}), Validation(written="rules.yaml")
    with pytest.raises(UsageError, match="PEN056"):
        written_rules(run, validation)
    assert written_rules(run.model_copy(update={"named_by_user": ("validation.written",)}), validation)


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
    assert facts.source == "t-2025-01-01.csv"
    assert (facts.rows, facts.columns, facts.delimiter) == (ROWS, 5, ";")
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


def test_columns_are_read_many_at_once_where_they_are_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each read goes through the descriptions of all columns: one read for each takes quadratic time."""
    names = [f"c{number}" for number in range(60)]
    frame = pd.DataFrame(np.arange(600.0).reshape(10, 60), columns=names).assign(left=["yes", "no"] * 5)
    frame.to_csv(tmp_path / "t.csv", index=False)
    reads: list[int] = []
    read = stores.Store.frame

    def counted(store: stores.Store, ref: stores.Ref, columns: list[str] | None = None) -> pd.DataFrame:
        reads.append(len(columns or []))
        return read(store, ref, columns)

    monkeypatch.setattr(stores.Store, "frame", counted)
    whole = digests(taken(a_run(tmp_path / "whole"), str(tmp_path / "t.csv")))
    assert len(reads) <= 2
    monkeypatch.setattr(ingests, "CELLS", 200)
    reads.clear()
    assert digests(taken(a_run(tmp_path / "parts"), str(tmp_path / "t.csv"))) == whole
    assert max(reads) == 20


@pytest.mark.parametrize("value", ["1e400", "inf", "-Infinity", "1e39"])
@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_numbers_that_no_model_can_take_are_refused_with_row_and_value(tmp_path: Path, value: str, name: str) -> None:
    frame = table()
    frame.to_csv(tmp_path / "t.csv", index=False)
    lines = (tmp_path / "t.csv").read_text().splitlines()
    row = lines[7].split(",")
    lines[7] = ",".join([row[0], value, *row[2:]])
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    if name == "t.jsonl":
        records = frame.to_dict("records")
        written = [json.dumps(record) for record in records]
        literal = value.replace("inf", "Infinity")
        written[6] = re.sub(r'"x": [^,]+', f'"x": {literal}', written[6])
        (tmp_path / name).write_text("\n".join(written) + "\n")
    with pytest.raises(DataError) as caught:
        taken(a_run(tmp_path / "home"), str(tmp_path / name))
    assert caught.value.code == "PEN113"
    assert caught.value.where == "column 'x', row 7"
    shown = {"inf": "inf", "-Infinity": "-inf", "1e39": "1e+39"}.get(value, value)
    assert caught.value.what.replace("'", "").endswith(f": {shown}")
