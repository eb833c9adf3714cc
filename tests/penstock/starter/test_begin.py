from __future__ import annotations

import errno
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.expectations.suite import run_suite
from penstock.expectations.written import read_suite
from penstock.spec.checked import load_checked_spec
from penstock.spec.data import Ordinal
from penstock.starter.begin import take
from tests.conftest import Cli

ROWS = 120


def messy(folder: Path, rows: int = ROWS) -> Path:
    """A table with a bit of everything that goes wrong, under names that YAML would misread."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=rows)
    frame = pd.DataFrame(
        {
            "visit": [f"v{n}" for n in range(rows)],
            "patient_id": [f"p{n % 30}" for n in range(rows)],
            "measured_at": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 90, rows), unit="D"),
            "no": np.where(rng.random(rows) < 0.2, np.nan, x),
            "dose: mg": rng.choice(["?", "1.5", "2", "2.5", "3"], rows),
            "mood #1": rng.choice(["low", "medium", "high"], rows),
            "sample_weight": rng.integers(1, 4, rows),
            "plan": rng.choice(["basic", "pro"], rows),
            "part": np.where(rng.random(rows) < 0.3, "test", "train"),
            "empty": np.nan,
            "left": np.where(x + rng.normal(scale=0.5, size=rows) > 0, "yes", "no"),
        }
    )
    path = folder / "Messy data.csv"
    frame.to_csv(path, index=False)
    return path


def begun(cli: Cli, source: Path, *arguments: object) -> dict[str, Any]:
    status, out, err = cli("init", source, "--json", *arguments)
    assert status == 0, err
    return json.loads(out)  # type: ignore[no-any-return]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_files_can_be_read_and_the_data_keep_the_rules(folder: Path, cli: Cli) -> None:
    source = messy(folder)
    document = begun(cli, source, "--target", "left")
    assert (document["pipeline"], document["suite"]) == ("messy-data.yaml", "messy-data.expectations.yaml")
    spec = load_checked_spec(document["pipeline"])
    assert (spec.name, spec.problem, spec.data.source) == ("messy-data", "classification", "Messy data.csv")
    assert (spec.data.key, spec.data.group, spec.data.positive) == ("visit", "patient_id", "yes")
    assert spec.data.columns == {"dose: mg": "nominal", "part": "ignore"}
    assert "# given: {column: part, test: test}" in Path(document["pipeline"]).read_text()
    rules = read_suite(Path(document["suite"]))
    rows = take(str(source)).frame
    findings = run_suite(rows, rules, source="written")
    assert len(findings) > 10
    assert [finding["message"] for finding in findings if not finding["passed"]] == []
    # fewer rows keep them too, and rows of another kind do not
    assert all(finding["passed"] for finding in run_suite(rows.sample(60, random_state=0), rules, source="written"))
    strange = rows.assign(no=1e9, plan="none")
    assert sum(not finding["passed"] for finding in run_suite(strange, rules, source="written")) == 2


def test_each_line_of_a_role_becomes_a_declaration_when_its_hash_is_taken_away(folder: Path, cli: Cli) -> None:
    begun(cli, messy(folder), "--target", "left")
    text = Path("messy-data.yaml").read_text()
    head, columns, tail = text.partition("ignore.\n")
    block, empty, rest = tail.partition("\n\n")
    block = re.sub(r"(?m)^    # ", "    ", block)
    Path("messy-data.yaml").write_text(head + columns + block + empty + rest)
    assert load_checked_spec("messy-data.yaml").data.columns == {
        "measured_at": "date",
        "no": "interval",
        "dose: mg": "nominal",
        "mood #1": Ordinal(ordinal=["low", "medium", "high"]),
        "sample_weight": "ratio",
        "plan": "nominal",
        "part": "ignore",
        "empty": "ignore",
    }
    assert "If so: measured_at: time" in text
    assert "If so: sample_weight: weight" in text
    assert "delete this line" in text


def test_what_is_there_is_not_replaced_unless_by_force(folder: Path, cli: Cli) -> None:
    source = messy(folder)
    Path("mine.expectations.yaml").write_text("- mine")
    status, _, err = cli("init", source, "--target", "left", "--out", "mine.yaml")
    assert status == 2
    assert err.startswith("PEN166: 'mine.expectations.yaml' is there already")
    assert "--force" in err
    assert not Path("mine.yaml").exists()
    assert cli("init", source, "--target", "left", "--out", "mine.yaml", "--force")[0] == 0
    assert load_checked_spec("mine.yaml").name == "mine"


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("data.csv", "'data.csv' holds the data"),
        ("./data.csv", "holds the data"),
        ("linked.yaml", "holds the data"),
        ("folder", "'folder' is a folder"),
        (".", "'.' is a folder"),
        ("data.csv/x.yaml", "no file can be written here"),
        ("data.csv/below/x.yaml", "no file can be written here"),
        (f"{'n' * 300}.yaml", "File name too long"),
        ("/proc/x.yaml", "no file can be written here"),
    ],
)
def test_a_place_where_no_pipeline_can_stand_is_refused_also_by_force(
    folder: Path, cli: Cli, out: str, words: str
) -> None:
    source = messy(folder).rename("data.csv")
    Path("folder").mkdir()
    Path("linked.yaml").symlink_to("data.csv")
    content, before = source.read_bytes(), sorted(folder.rglob("*"))
    ended, _, err = cli("init", "data.csv", "--target", "left", "--out", out, "--force")
    assert (ended, err[:6]) == (2, "PEN166"), err
    assert words in err
    assert "say --out with the path of" in err
    assert source.read_bytes() == content
    assert sorted(folder.rglob("*")) == before


def test_the_rules_never_take_the_place_of_the_data(folder: Path, cli: Cli) -> None:
    with sqlite3.connect("x.expectations.yaml") as connection:
        pd.read_csv(messy(folder)).to_sql("t", connection, index=False)
    content = Path("x.expectations.yaml").read_bytes()
    url, query = "sqlite:///x.expectations.yaml", "query=select * from t"
    status, _, err = cli("init", url, "--reading", query, "--target", "left", "--out", "x.yaml", "--force")
    assert (status, err[:6]) == (2, "PEN166"), err
    assert Path("x.expectations.yaml").read_bytes() == content


def test_when_the_second_file_cannot_be_written_the_first_is_as_before(
    folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(path: Path, content: bytes) -> None:
        if path.name == "p.yaml":
            raise OSError(errno.EIO, "Input/output error")
        path.write_bytes(content)

    source = messy(folder)
    monkeypatch.setattr("penstock.starter.begin.write_atomically", write)
    status, _, err = cli("init", source, "--target", "left", "--out", "p.yaml")
    assert (status, err[:6]) == (2, "PEN166"), err
    assert not Path("p.expectations.yaml").exists()
    Path("p.expectations.yaml").write_text("- mine")
    assert cli("init", source, "--target", "left", "--out", "p.yaml", "--force")[0] == 2
    assert Path("p.expectations.yaml").read_text() == "- mine"


def test_line_breaks_in_names_stay_on_their_line(folder: Path, cli: Cli) -> None:
    rows = take(str(messy(folder))).frame.rename(columns={"left": "left\nus?", "dose: mg": "dose:\nmg", "visit": "v\n"})
    rows["plan"] = rows["plan"].str.replace("pro", "pro\nfessional")
    rows["\u2028mood\x85"] = rows.pop("mood #1")
    rows.to_csv("a\nb.csv", index=False)
    document = begun(cli, Path("a\nb.csv"), "--target", "left\nus?")
    spec = load_checked_spec(document["pipeline"])
    assert (spec.data.source, spec.data.target, spec.data.key) == ("a\nb.csv", "left\nus?", "v\n")
    assert spec.data.columns == {"dose:\nmg": "nominal", "part": "ignore"}
    findings = run_suite(take("a\nb.csv").frame, read_suite(Path(document["suite"])), source="written")
    assert [finding["message"] for finding in findings if not finding["passed"]] == []


def test_nothing_is_asked_where_nobody_sits(folder: Path, cli: Cli) -> None:
    status, out, err = cli("init", messy(folder))
    assert (status, err) == (0, "")
    assert "clustering: no column to predict was named" in out
    assert "penstock run messy-data.yaml" in out
    assert load_checked_spec("messy-data.yaml").problem == "clustering"


def test_data_elsewhere_are_named_by_their_whole_path(folder: Path, cli: Cli) -> None:
    (folder / "data").mkdir()
    (folder / "work").mkdir()
    source = messy(folder / "data")
    document = begun(cli, source, "--target", "left", "--out", "work/p.yaml")
    assert document["source"] == str(source)
    assert begun(cli, source, "--target", "left", "--out", "p.yaml")["source"] == "data/Messy data.csv"


def test_how_the_source_was_read_is_shown_and_held_on_to(folder: Path, cli: Cli) -> None:
    rows = take(str(messy(folder))).frame.drop(columns="empty")
    rows.to_csv("euro.csv", index=False, sep=";", decimal=",", encoding="utf-8")
    document = begun(cli, Path("euro.csv"), "--target", "left")
    assert "separated by semicolons" in document["reading"]
    assert load_checked_spec("euro.yaml").data.reading.declared() == {"delimiter": ";", "decimal": ","}
    status, _, err = cli("init", "euro.csv", "--target", "left", "--reading", "delimiter=;;", "--force")
    assert (status, err[:6]) == (2, "PEN003")


@pytest.mark.parametrize(
    ("arguments", "asked"), [(("--target", "left"), "What decides left?"), ((), "Which rows are alike?")]
)
def test_the_question_is_one_hash_away(folder: Path, cli: Cli, arguments: tuple[str, ...], asked: str) -> None:
    pipeline = Path(begun(cli, messy(folder), *arguments)["pipeline"])
    pipeline.write_text(pipeline.read_text().replace("# question:", "question:"))
    assert load_checked_spec(str(pipeline)).asked == asked


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["clustering", "reduction", "density"])
def test_a_problem_without_a_target(folder: Path, cli: Cli, problem: str) -> None:
    table = messy(folder)
    for target in ((), ("--target", "left")):
        told = begun(cli, table, "--problem", problem, "--out", folder / "alone.yaml", "--force", *target)
        spec = load_checked_spec(str(folder / "alone.yaml"))
        assert (told["problem"], spec.problem, spec.data.target) == (problem, problem, "left" if target else None)
        assert "metric" not in (folder / "alone.yaml").read_text().partition("search:")[2].partition("register:")[0]


def test_a_bundled_set(folder: Path, cli: Cli) -> None:
    document = begun(cli, Path("sklearn:iris"), "--target", "target")
    assert (document["pipeline"], document["source"], document["problem"]) == (
        "iris.yaml",
        "sklearn:iris",
        "classification",
    )


def test_a_missing_file_is_said_in_words(folder: Path, cli: Cli) -> None:
    status, _, err = cli("init", folder / "nothing.csv")
    assert status == 2
    assert err.startswith("PEN101")
