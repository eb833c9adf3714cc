"""Scoring from a source to a destination: the same answers in every format, whole or not at all, killed or not."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.policies import UNIQUE
from penstock.errors import DataError, EnvironmentFault, ModelError
from penstock.model import load_bundle
from penstock.scoring.batch import deliver, score_rows
from penstock.scoring.work import alone
from tests.penstock.scoring.conftest import Scoring, fitted, job_of, people


def read(path: Path) -> pd.DataFrame:
    if path.is_dir() or path.suffix == ".parquet":
        return pd.read_parquet(path)
    return pd.read_json(path, lines=True) if ".jsonl" in path.name else pd.read_csv(path)


@pytest.mark.parametrize("given", ["new.csv", "new.csv.gz", "new.parquet", "new.jsonl", "parts"])
@pytest.mark.parametrize("wanted", ["scores.csv", "scores.csv.gz", "scores.parquet", "scores.jsonl.gz", "scores/"])
def test_every_format_gives_the_answers_of_the_model(
    tmp_path: Path, scoring: Scoring, model_file: Path, given: str, wanted: str
) -> None:
    frame = people(250, seed=5)
    source = tmp_path / given
    if given == "parts":
        source.mkdir()
        frame.iloc[:130].to_parquet(source / "a.parquet", index=False)
        frame.iloc[130:].to_parquet(source / "b.parquet", index=False)
    elif given.endswith(".parquet"):
        frame.to_parquet(source, index=False)
    elif given.endswith(".jsonl"):
        frame.to_json(source, orient="records", lines=True, double_precision=15)
    else:
        frame.to_csv(source, index=False)
    summary = scoring(source, f"{tmp_path}/{wanted}")
    assert (summary["rows"], summary["scored"], summary["chunks"]) == (250, 250, {"scored": 3, "reused": 0})
    found = read(tmp_path / wanted)
    expected = load_bundle(model_file).score_frame(frame)
    assert list(found.columns) == ["id", *expected.columns]
    assert found["id"].tolist() == frame["id"].tolist()
    assert found["prediction"].tolist() == expected["prediction"].tolist()
    assert found["probability_yes"].to_numpy() == pytest.approx(expected["probability_yes"].to_numpy(), abs=1e-9)
    assert not (tmp_path / "work").exists()


def test_a_model_that_takes_all_memory_is_said(
    tmp_path: Path, scoring: Scoring, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    people(3).to_csv(tmp_path / "new.csv", index=False)
    monkeypatch.setattr("penstock.model.PenstockModel.predict_columns", full)
    with pytest.raises(ModelError, match=r"PEN524: for 3 rows the model(.|\n)*ask who registered it"):
        scoring(tmp_path / "new.csv", tmp_path / "scores.csv")


def test_texts_that_a_spreadsheet_would_run_are_escaped_unless_declared(
    tmp_path: Path, scoring: Scoring, model_file: Path
) -> None:
    frame = people(3).assign(id=["=cmd|' /C calc'!A0", "-17", "+39 02 1234"])
    frame["=note"] = "@SUM(A1)"
    frame.loc[0, "age"] = 999.0
    frame.to_csv(tmp_path / "new.csv", index=False)
    scores, aside = tmp_path / "scores.csv", tmp_path / "scores.quarantine.csv"

    def keys(**options: Any) -> list[str]:
        scoring(tmp_path / "new.csv", scores, on_breach=["quarantine"], **options)
        return [*read(aside)["id"], *pd.read_csv(scores, dtype=str)["id"]]

    assert keys() == ["'=cmd|' /C calc'!A0", "-17", "'+39 02 1234"]
    assert read(aside)["'=note"].tolist() == ["'@SUM(A1)"]
    assert keys(formulas="keep") == frame["id"].tolist()
    assert read(aside)["=note"].tolist() == ["@SUM(A1)"]
    declared = fitted(tmp_path / "declared", policies={"formulas": "keep"})
    assert keys(file=declared) == frame["id"].tolist()
    assert keys(file=declared, formulas="escape")[2] == "'+39 02 1234"


def test_answers_are_given_as_asked(tmp_path: Path, scoring: Scoring) -> None:
    people(20).to_csv(tmp_path / "new.csv", index=False)
    scoring(tmp_path / "new.csv", tmp_path / "scores.csv", give=["probability"])
    assert list(read(tmp_path / "scores.csv").columns) == ["id", "probability_no", "probability_yes"]
    with pytest.raises(ModelError, match="gives no 'interval'") as raised:
        scoring(tmp_path / "new.csv", tmp_path / "scores.csv", give=["interval"])
    assert raised.value.remedy == "choose one of: label, probability"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """250 rows: number 120 is too old, number 201 has an age that cannot be read."""
    frame = people(250, seed=5)
    frame["age"] = frame["age"].astype(object)
    frame.loc[119, "age"] = 999.0
    frame.loc[200, "age"] = "old"
    frame.to_csv(tmp_path / "broken.csv", index=False)
    return tmp_path / "broken.csv"


class TestPolicies:
    def test_rejected_as_a_whole_and_nothing_is_written(self, tmp_path: Path, scoring: Scoring) -> None:
        frame = people(250).assign(age=999.0)
        frame.to_csv(tmp_path / "new.csv", index=False)
        (tmp_path / "scores.csv").write_text("before")
        with pytest.raises(DataError, match="lie outside of") as raised:
            scoring(tmp_path / "new.csv", tmp_path / "scores.csv")
        assert (raised.value.code, raised.value.exit_status) == ("PEN505", 3)
        assert (tmp_path / "scores.csv").read_text() == "before"
        assert not (tmp_path / "work").exists()

    def test_a_few_strange_values_do_not_reject_a_batch(self, tmp_path: Path, scoring: Scoring, broken: Path) -> None:
        summary = scoring(broken, tmp_path / "scores.csv")
        assert (summary["scored"], summary["quarantine"], summary["breaches"]) == (250, None, [])

    def test_quarantined_rows_stand_aside_with_their_reason(
        self, tmp_path: Path, scoring: Scoring, broken: Path
    ) -> None:
        summary = scoring(broken, tmp_path / "scores.csv", on_breach=["quarantine"])
        assert (summary["scored"], summary["quarantined"]) == (248, 2)
        assert [(one["column"], one["count"], one["policy"]) for one in summary["breaches"]] == [
            ("age", 1, "quarantine"),
            ("age", 1, "quarantine"),
        ]
        scores, aside = read(tmp_path / "scores.csv"), read(Path(summary["quarantine"]))
        assert aside["row"].tolist() == [120, 201]
        assert aside["id"].tolist() == ["r119", "r200"]
        assert aside["age"].tolist() == ["999.0", "old"], "as received"
        assert aside["reason"].str.contains("lies outside of").tolist() == [True, False]
        assert aside["reason"].tolist()[1] == "age is missing"
        assert set(scores["id"]) == set(people(250)["id"]) - {"r119", "r200"}
        assert "breach" not in scores.columns

        # Without breaches the side file is there too, so that none of an earlier batch is taken for this one's.
        people(20).to_csv(tmp_path / "new.csv", index=False)
        scoring(tmp_path / "new.csv", tmp_path / "scores.csv", on_breach=["quarantine"])
        assert len(read(Path(summary["quarantine"]))) == 0

    def test_abstaining_keeps_the_row_without_an_answer(self, tmp_path: Path, scoring: Scoring, broken: Path) -> None:
        summary = scoring(broken, tmp_path / "scores.parquet", on_breach=["age=abstain"])
        assert (summary["scored"], summary["abstained"]) == (250, 2)
        scores = read(tmp_path / "scores.parquet")
        empty = scores.index[scores["prediction"].isna()]
        assert empty.tolist() == [119, 200]
        assert scores.loc[empty, "probability_yes"].isna().all()
        assert scores["breach"].notna().tolist() == scores["prediction"].isna().tolist()
        whole = load_bundle(fitted(tmp_path / "again")).score_frame(people(250, seed=5))
        np.testing.assert_allclose(
            scores["probability_yes"].drop(empty), whole["probability_yes"].drop(empty), rtol=1e-12
        )

    def test_imputing_takes_the_value_for_missing(self, tmp_path: Path, scoring: Scoring, broken: Path) -> None:
        summary = scoring(broken, tmp_path / "scores.parquet", on_breach=["impute"])
        assert (summary["scored"], summary["imputed"], summary["abstained"]) == (250, 2, 0)
        scores = read(tmp_path / "scores.parquet")
        frame = people(250, seed=5)
        frame.loc[[119, 200], "age"] = np.nan
        expected = load_bundle(fitted(tmp_path / "again")).score_frame(frame, enforce=False)
        np.testing.assert_allclose(scores["probability_yes"], expected["probability_yes"], rtol=1e-12)
        assert scores.loc[119, "breach"].startswith("age: 999.0 lies outside of")

    @pytest.mark.parametrize("value", ["1e400", "inf", "-Infinity", "1e39"])
    def test_numbers_that_no_model_can_take_are_said(self, tmp_path: Path, scoring: Scoring, value: str) -> None:
        frame = people(250, seed=5)
        frame["income"] = frame["income"].astype(object)
        frame.loc[119, "income"] = value
        frame.to_csv(tmp_path / "new.csv", index=False)
        summary = scoring(tmp_path / "new.csv", tmp_path / "scores.csv")
        assert (summary["scored"], summary["breaches"], len(summary["warnings"])) == (250, [], 1)
        shown = {"1e39": "1e+39", "-Infinity": "-inf"}.get(value, value)
        assert "1 of " in summary["warnings"][0]
        assert f"infinite or too large for a model; they are taken for missing: {shown} in row 120" in summary[
            "warnings"
        ][0].replace("; at most 5.00% may", "")
        expected = load_bundle(fitted(tmp_path / "again")).score_frame(
            frame.assign(income=pd.to_numeric(frame["income"].where(frame.index != 119))), enforce=False
        )
        scores = read(tmp_path / "scores.csv")
        np.testing.assert_allclose(scores["probability_yes"], expected["probability_yes"], rtol=1e-12)

        summary = scoring(tmp_path / "new.csv", tmp_path / "scores.csv", on_breach=["quarantine"])
        assert (summary["quarantined"], summary["warnings"]) == (1, [])
        aside = read(Path(summary["quarantine"]))
        assert aside["reason"].tolist() == [f"income: {shown} is infinite or too large for a model"]
        assert aside["row"].tolist() == [120]

        frame.loc[:50, "income"] = value
        frame.to_csv(tmp_path / "new.csv", index=False)
        with pytest.raises(DataError, match="infinite or too large for a model") as raised:
            scoring(tmp_path / "new.csv", tmp_path / "scores.csv")
        assert raised.value.code == "PEN505"

    def test_infinite_values_of_every_format(self, tmp_path: Path, scoring: Scoring) -> None:
        frame = people(250, seed=5)
        frame.loc[119, "income"] = np.inf
        frame.to_parquet(tmp_path / "new.parquet", index=False)
        lines = frame.assign(income=frame["income"].astype(object)).to_dict("records")
        (tmp_path / "new.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        for name in ("new.parquet", "new.jsonl"):
            assert len(scoring(tmp_path / name, tmp_path / "scores.csv")["warnings"]) == 1
            assert scoring(tmp_path / name, tmp_path / "s.csv", on_breach=["quarantine"])["quarantined"] == 1

    def test_from_python_infinite_values_are_logged(
        self, tmp_path: Path, model_file: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        model, frame = load_bundle(model_file), people(250, seed=5)
        frame.loc[3, "income"] = -np.inf
        assert model.predict(frame).notna().all()
        assert "-inf in row 4" in caplog.text

    def test_policies_travel_with_the_model(self, tmp_path: Path, scoring: Scoring, broken: Path) -> None:
        file = fitted(tmp_path / "declared", policies={"on_breach": "quarantine", "columns": {"age": "impute"}})
        assert scoring(broken, tmp_path / "scores.csv", file=file)["imputed"] == 2
        model = load_bundle(file)
        one = people(1).assign(age=999.0)
        assert model.predict(one).tolist() == model.predict(one.assign(age=np.nan), enforce=False).tolist()
        with pytest.raises(DataError, match="are none of basic, gold"):
            model.predict(one.assign(plan="iron"))

    def test_a_share_that_is_exceeded_falls_on_all_its_rows(self, tmp_path: Path, scoring: Scoring) -> None:
        frame = people(400, seed=2)
        frame.loc[150:, "income"] = np.nan  # every tenth was missing in training: only the third part shows it
        frame.to_csv(tmp_path / "new.csv", index=False)
        with pytest.raises(DataError, match="are missing"):
            scoring(tmp_path / "new.csv", tmp_path / "scores.csv")
        summary = scoring(tmp_path / "new.csv", tmp_path / "scores.csv", on_breach=["income=quarantine"])
        assert summary["quarantined"] == frame["income"].isna().sum()
        usual = people(400, seed=2)
        usual.to_csv(tmp_path / "new.csv", index=False)
        assert scoring(tmp_path / "new.csv", tmp_path / "b.csv", on_breach=["income=quarantine"])["quarantined"] == 0

    def test_values_that_occur_twice_are_found_across_parts(self, tmp_path: Path, scoring: Scoring) -> None:
        rule = {"type": UNIQUE, "kwargs": {"column": "income"}, "meta": {"source": "written"}}
        file = fitted(tmp_path / "unique", written=[rule])
        frame = people(250, seed=3)
        frame.loc[[10, 240], "income"] = 55.5
        frame.to_parquet(tmp_path / "new.parquet", index=False)
        summary = scoring(tmp_path / "new.parquet", tmp_path / "s.parquet", file=file, on_breach=["income=quarantine"])
        aside = read(Path(summary["quarantine"]))
        assert aside["row"].tolist() == [11, 241]
        assert aside["reason"].tolist() == ["income: 55.5 occurs more than once"] * 2

    @pytest.mark.parametrize(("policy", "left"), [("quarantine", 150), ("abstain", 250)])
    def test_a_part_of_which_no_row_is_answered(self, tmp_path: Path, scoring: Scoring, policy: str, left: int) -> None:
        frame = people(250, seed=5)
        frame.loc[100:199, "age"] = 999.0
        frame.to_parquet(tmp_path / "new.parquet", index=False)
        summary = scoring(tmp_path / "new.parquet", tmp_path / "scores.parquet", on_breach=[f"age={policy}"])
        scores = read(tmp_path / "scores.parquet")
        assert (len(scores), summary["scored"]) == (left, left)
        assert scores["prediction"].notna().sum() == 150

    def test_rows_without_a_key_are_told_by_their_place(self, tmp_path: Path, scoring: Scoring, broken: Path) -> None:
        pd.read_csv(broken).drop(columns="id").to_csv(broken, index=False)
        scoring(broken, tmp_path / "scores.csv", on_breach=["quarantine"])
        assert read(tmp_path / "scores.csv")["row"].tolist()[118:120] == [119, 121]


class TestGoingOn:
    @pytest.mark.slow
    def test_killed_it_goes_on_and_ends_with_the_same_bytes(
        self, tmp_path: Path, model_file: Path, scoring: Scoring
    ) -> None:
        people(2000, seed=7).to_csv(tmp_path / "new.csv", index=False)
        scoring(tmp_path / "new.csv", tmp_path / "undisturbed.csv", on_breach=["impute"])
        job = job_of(tmp_path / "home", model_file, tmp_path / "new.csv", tmp_path / "s.csv", on_breach=["impute"])
        code = (
            "import sys, time; from penstock.scoring.batch import Job, score_rows; "
            "score_rows(Job.model_validate_json(sys.argv[1]), lambda done, rows: time.sleep(0.2))"
        )
        process = subprocess.Popen([sys.executable, "-c", code, job.model_dump_json()])
        give_up = time.monotonic() + 60
        while len(list(job.folder.glob("[0-9]*.scores.arrow"))) < 3 and time.monotonic() < give_up:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        kept = sorted(job.folder.glob("[0-9]*.scores.arrow"))
        assert 3 <= len(kept) < 20
        kept[1].write_bytes(kept[1].read_bytes()[:100])  # as a machine that stopped may leave it
        assert not (tmp_path / "s.csv").exists()
        summary = deliver(job, score_rows(job))
        assert summary["chunks"] == {"scored": 20 - len(kept) + 1, "reused": len(kept) - 1}
        assert (tmp_path / "s.csv").read_bytes() == (tmp_path / "undisturbed.csv").read_bytes()
        assert not job.folder.exists()

    def test_a_place_that_turns_out_to_be_none_is_said_and_the_scores_wait(
        self, tmp_path: Path, model_file: Path
    ) -> None:
        people(250, seed=7).to_csv(tmp_path / "new.csv", index=False)
        (tmp_path / "taken").write_text("a file, where a folder is meant")
        job = job_of(tmp_path / "home", model_file, tmp_path / "new.csv", tmp_path / "taken" / "s.csv")
        with pytest.raises(EnvironmentFault) as raised:
            deliver(job, score_rows(job))
        assert (raised.value.code, raised.value.where) == ("PEN916", str(tmp_path / "taken" / "s.csv"))
        assert "the same command again" in raised.value.remedy
        (tmp_path / "taken").unlink()
        assert deliver(job, score_rows(job))["chunks"] == {"scored": 0, "reused": 3}

    @pytest.mark.parametrize("change", ["nothing", "source", "model", "options"])
    def test_whatever_is_changed_begins_anew(self, tmp_path: Path, model_file: Path, change: str) -> None:
        people(300, seed=7).to_csv(tmp_path / "new.csv", index=False)
        names = (tmp_path / "home", model_file, tmp_path / "new.csv", tmp_path / "s.csv")
        score_rows(job_of(*names))
        job = job_of(*names, **({"give": ["label"]} if change == "options" else {}))
        if change == "source":
            people(300, seed=8).to_csv(tmp_path / "new.csv", index=False)
        if change == "model":
            job = job.model_copy(update={"version": "2"})
        done = score_rows(job)
        assert done.reused == (3 if change == "nothing" else 0)
        assert deliver(job, done)["scored"] == 300

    def test_a_source_that_is_written_meanwhile_is_refused(self, tmp_path: Path, model_file: Path) -> None:
        people(300).to_csv(tmp_path / "new.csv", index=False)
        job = job_of(tmp_path / "home", model_file, tmp_path / "new.csv", tmp_path / "s.csv")
        with pytest.raises(DataError, match="changed while it was scored"):
            score_rows(job, lambda done, rows: (tmp_path / "new.csv").touch())

    def test_the_same_scoring_runs_once_at_a_time(self, tmp_path: Path) -> None:
        with alone(tmp_path / "work"), pytest.raises(EnvironmentFault) as raised, alone(tmp_path / "work"):
            pass
        assert raised.value.code == "PEN913"


class TestDatabases:
    @pytest.fixture
    def database(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> sqlite3.Connection:
        monkeypatch.setenv("SALES_URL", f"sqlite:///{tmp_path / 'sales.db'}")
        connection = sqlite3.connect(tmp_path / "sales.db")
        people(250, seed=5).to_sql("people", connection, index=False)
        return connection

    def test_rows_come_from_a_query_and_scores_go_to_a_table(
        self, tmp_path: Path, scoring: Scoring, database: sqlite3.Connection
    ) -> None:
        query = ["query=select * from people order by cast(substr(id, 2) as integer)"]
        for _ in range(2):  # the second time the table is there, and its rows are replaced
            scoring("env:SALES_URL", "env:SALES_URL", table="scores", reading=query, on_breach=["quarantine"])
            scores = pd.read_sql("select * from scores", database)
            assert list(scores.columns) == ["id", "prediction", "probability_no", "probability_yes"]
            assert scores["id"].tolist() == people(250)["id"].tolist()
        assert pd.read_sql("select * from scores_quarantine", database).empty

    def test_a_failure_leaves_the_table_as_it_was(
        self, tmp_path: Path, scoring: Scoring, database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        people(250, seed=5).to_csv(tmp_path / "new.csv", index=False)
        database.execute("create table scores (id text check (id != 'r140'), prediction text)")
        database.execute("insert into scores values ('before', 'yes')")
        database.commit()
        with pytest.raises(DataError, match="CHECK constraint failed"):
            scoring(tmp_path / "new.csv", "env:SALES_URL", table="scores", give=["label"])
        assert database.execute("select * from scores").fetchall() == [("before", "yes")]
        with pytest.raises(DataError, match="holds other columns") as raised:
            scoring(tmp_path / "new.csv", "env:SALES_URL", table="people")
        assert raised.value.code == "PEN515"
        assert database.execute("select count(*) from people").fetchall() == [(250,)]
