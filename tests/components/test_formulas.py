"""Texts that a spreadsheet would run: what is escaped, what is left, and that it can be undone."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from penstock.components.formulas import formulas_named, unescaped
from penstock.errors import UsageError
from penstock.sources.options import Reading
from penstock.sources.reading import read_frame
from penstock.sources.writing import Destination

BLANKS = " \t\r\n\u00a0\u3000\ufeff"
RUN = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"


def cells(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_bytes().decode(), newline="")))


def written(folder: Path, texts: list[str], name: str = "x", formulas: str = "escape") -> list[list[str]]:
    table = pa.table({name: pa.array(texts, pa.large_string())})
    Destination(f"{folder}/t.csv", formulas=formulas_named(formulas)).write([table.slice(0, 1), table.slice(1)])
    return cells(folder / "t.csv")


@pytest.mark.parametrize("mark", RUN)
@pytest.mark.parametrize("before", ["", " ", "\u00a0", "\u3000", "\ufeff", "'"])
def test_texts_and_names_that_begin_as_formulas_do(tmp_path: Path, mark: str, before: str) -> None:
    text = f"{before}{mark}=HYPERLINK(A1)"
    name, value, plain = (row[0] for row in written(tmp_path, [text, "plain"], name=text))
    assert name == value
    assert value.replace("'", "") == text.replace("'", "")
    assert value.count("'") > text.count("'")
    assert value.lstrip(BLANKS)[0] == "'"
    assert plain == "plain"


@pytest.mark.parametrize(
    "text", ["a;=cmd|' /C calc'!A0", "a\n=1+1", "a\t@SUM(A1)", 'a";=1+1;"b', "a\r\n+1;-2", "\t=1", ";\uff1d1"]
)
@pytest.mark.parametrize("parting", [",", ";", "\t"])
def test_no_cell_begins_as_a_formula_however_lines_are_parted(tmp_path: Path, text: str, parting: str) -> None:
    """A spreadsheet parts at its country's mark, and does not know quotes that stand within a cell."""
    table = pa.table({"n": [1], text: [text], "m": [2]})
    Destination(f"{tmp_path}/t.csv").write([table])
    content = (tmp_path / "t.csv").read_bytes().decode()
    seen = {value for line in content.replace("\r", "\n").split("\n") for value in line.split(parting)}
    seen |= {value for row in csv.reader(io.StringIO(content, newline=""), delimiter=parting) for value in row}
    assert not [value for value in seen if value.lstrip(" \u00a0")[:1] in set(RUN) - {""}]


@pytest.mark.parametrize(
    "text",
    ["-5", "+3.5", "-1,5", "+390212345678", "-1e-5", "-.5", "a-b", "a@b.org", "2024-01-01", "it's", "'t", "x; -y"],
)
def test_numbers_and_other_texts_stay(tmp_path: Path, text: str) -> None:
    assert written(tmp_path, [text, "x"], name=text) == [[text], [text], ["x"]]


@pytest.mark.parametrize("text", ["+39 02 1234", "-5 C", "-", "-1+1", "+1e5e5", "-5\n", "-inf"])
def test_what_only_looks_like_a_number_is_none(tmp_path: Path, text: str) -> None:
    assert written(tmp_path, [text]) == [["x"], [f"'{text}"]]


def test_other_values_and_other_files_are_left_alone(tmp_path: Path) -> None:
    table = pa.table(
        {
            "=n": [-1.5, None],
            "k": pa.array(["=1", None]).dictionary_encode(),
            "v": pa.array(["=1", None], pa.string_view()).cast(pa.large_string()),
        }
    )
    Destination(f"{tmp_path}/t.csv").write([table])
    assert cells(tmp_path / "t.csv") == [["'=n", "k", "v"], ["-1.5", "'=1", "'=1"], ["", "", ""]]
    for name in ("t.parquet", "t.jsonl"):
        Destination(f"{tmp_path}/{name}").write([table])
        assert read_frame(name, Reading(), tmp_path).to_dict("list")["k"][0] == "=1"
    aside = Destination(f"{tmp_path}/t.csv", formulas="keep").beside("quarantine")
    aside.write([table])
    assert cells(tmp_path / "t.quarantine.csv")[1] == ["-1.5", "=1", "=1"]


texts = st.text(st.sampled_from([*RUN, "'", ";", " ", "1", "a", ",", '"', "\u3000"]), max_size=8)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(texts, min_size=1, max_size=6))
@example(["' \r="])
def test_escaped_texts_come_back(tmp_path: Path, values: list[str]) -> None:
    assert [row[0] if row else "" for row in written(tmp_path, values, formulas="keep")[1:]] == values
    found = [row[0] if row else "" for row in written(tmp_path, values)[1:]]
    assert unescaped(pd.DataFrame({"x": found}, dtype="str"))["x"].tolist() == values


def test_another_word_is_refused() -> None:
    with pytest.raises(UsageError, match="'kept' is no policy for formulas") as caught:
        formulas_named("kept")
    assert (caught.value.code, caught.value.where, caught.value.remedy) == (
        "PEN167",
        "--formulas",
        "did you mean 'keep'?",
    )
