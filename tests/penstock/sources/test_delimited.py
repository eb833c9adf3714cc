"""Text files of any dialect: what is found out, what is asked, and that nothing is read wrongly without a word."""

from __future__ import annotations

import csv
import gzip
import io
import math
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from penstock.errors import DataError, PenstockError
from penstock.sources import delimited
from penstock.sources.delimited import read_delimited
from penstock.sources.options import Reading
from penstock.sources.table import Table


def read(folder: Path, content: str | bytes, name: str = "t.csv", **options: Any) -> Table:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_delimited(path, Reading(**options))


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        ("a,b\n1,2.5\n", {"delimiter": ",", "decimal": "."}),
        ("a;b\n1;2,5\n", {"delimiter": ";", "decimal": ","}),
        ("a;b\r\n1;2,5\r\n", {"delimiter": ";", "decimal": ","}),
        ("a|b\n1|2.5\n", {"delimiter": "|", "decimal": "."}),
        ("a\tb\n1\t2,5\n", {"delimiter": "\t", "decimal": ","}),
        ("a\tb\r1\t2.5\r", {"delimiter": "\t", "decimal": "."}),
        ('"a, of x";"b"\n"1";"2,5"\n', {"delimiter": ";", "decimal": ","}),
        ("\n\na;b\n\n1;2,5\n\n", {"delimiter": ";", "decimal": ","}),
        ("a b;b\n1;2.5\n", {"delimiter": ";", "decimal": "."}),
    ],
)
def test_separator_and_decimal_mark_are_found_out(content: str, facts: dict[str, str], tmp_path: Path) -> None:
    table = read(tmp_path, content)
    assert table.frame().to_numpy().tolist() == [[1, 2.5]]
    assert facts.items() <= table.facts.items()


@pytest.mark.parametrize(
    ("values", "delimiter", "numbers", "marks"),
    [
        (["1.234,5", "2,25"], ";", [1234.5, 2.25], (",", ".")),
        (["100,5", "1.234,5"], ";", [100.5, 1234.5], (",", ".")),
        (['"100.5"', '"1,234.5"'], ",", [100.5, 1234.5], (".", ",")),
        (["100,5", "1.234.567"], ";", [100.5, 1234567], (",", ".")),
        (["1.234.567", "2"], ";", [1234567, 2], (",", ".")),
        (["1,234.5", "2.25"], ";", [1234.5, 2.25], (".", ",")),
        (['"1,234,567"', "2"], ",", [1234567, 2], (".", ",")),
        (["1.234", "0.5"], ";", [1.234, 0.5], (".", None)),
        (["1,234", "0,5"], ";", [1.234, 0.5], (",", None)),
        (["1.234", "2.345"], ",", [1.234, 2.345], (".", None)),
        (["1.234e2", "2.345"], ";", [123.4, 2.345], (".", None)),
        ([" 1,5", "-2,25 "], ";", [1.5, -2.25], (",", None)),
        (["1234,567", "2,345"], ";", [1234.567, 2.345], (",", None)),
        (["3 189,10", "783,5"], ";", [3189.1, 783.5], (",", " ")),
        (["3\u00a0189,10", "1\u202f002\u202f783,5"], ";", [3189.1, 1002783.5], (",", " ")),
        (["12 345", "-1 234 567"], ",", [12345, -1234567], (".", " ")),
        (["36'399.00", "7.5"], ",", [36399, 7.5], (".", "'")),
        (["36\u2019399", "1'000"], ",", [36399, 1000], (".", "'")),
        (["\u221243.5", "12"], ",", [-43.5, 12], (".", None)),
        (["\u22121\u00a0234,5", "2,5e\u22123"], ";", [-1234.5, 0.0025], (",", " ")),
    ],
)
def test_numbers_are_read_as_they_were_meant(
    values: list[str], delimiter: str, numbers: list[float], marks: tuple[str, str | None], tmp_path: Path
) -> None:
    table = read(tmp_path, f"x{delimiter}y\n" + "".join(f"{value}{delimiter}a\n" for value in values))
    assert table.frame()["x"].tolist() == numbers
    assert (table.facts["decimal"], table.facts["thousands"]) == marks


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ('x,y\n"1,234",a\n"2,345",b\n', "PEN132", "'1,234' in column 'x'"),
        ("x;y\n1.234;a\n2.345;b\n", "PEN132", "'1.234' in column 'x'"),
        ("x;y\n1.5;1,5\n2.5;2,5\n", "PEN132", "'1,5' in column 'y'"),
        ("last, first;age\nDoe, John;5\nRoe, Jane;6\n", "PEN131", "commas or by semicolons"),
        ("1.5,2\n3,4\n", "PEN141", "names of columns or values"),
        ("x,y\n1,5,2,5\n2,5,3,5\n", "PEN109", "a row has 4 value(s), the header has 2"),
        ("Sales of 2024\n\nx,y\n1,5\n", "PEN109", "a row has 2 value(s), the header has 1"),
        ('x,y\n1,"never closed\n2,3\n', "PEN109", "a quote is opened and never closed"),
        ('x\n"never closed\n2\n', "PEN109", "a quote is opened and never closed"),
    ],
)
def test_what_can_be_read_two_ways_is_asked(content: str, code: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, content)
    assert caught.value.code == code
    assert words in caught.value.what


def test_a_title_above_the_names_is_told_as_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, "Sales of 2024\n\nx,y\n1,5\n")
    assert caught.value.where.endswith("line 3")
    assert "the first line, 'Sales of 2024', was taken for the header: delete the lines above" in caught.value.remedy


def test_the_answer_is_taken(tmp_path: Path) -> None:
    either = "x;y\n1.234;a\n2.345;b\n"
    assert read(tmp_path, either, decimal=".").frame()["x"].tolist() == [1.234, 2.345]
    assert read(tmp_path, either, decimal=",").frame()["x"].tolist() == [1234, 2345]
    assert read(tmp_path, either, thousands=".").frame()["x"].tolist() == [1234, 2345]
    assert read(tmp_path, either, decimal=",", thousands="").frame()["x"].tolist() == ["1.234", "2.345"]
    assert read(tmp_path, "1.5,2\n3,4\n", header=False).frame().to_dict("list") == {
        "column_1": [1.5, 3.0],
        "column_2": [2, 4],
    }
    assert [*read(tmp_path, "1.5,2\n3,4\n", header=True).frame().columns] == ["1.5", "2"]
    assert read(tmp_path, "a:b\n1:'x:y'\n", delimiter=":", quote="'").frame()["b"].tolist() == ["x:y"]
    assert read(tmp_path, "a b\n1 2\n3 4\n", delimiter=" ").frame().to_dict("list") == {"a": [1, 3], "b": [2, 4]}
    assert read(tmp_path, "a;b\n1 234,5;x\n2\u00a0000;y\n", thousands=" ", decimal=",").frame()["a"].tolist() == [
        1234.5,
        2000,
    ]


def test_a_wrong_answer_mangles_no_value(tmp_path: Path) -> None:
    assert read(tmp_path, "x;y\n1.5;a\n2.25;b\n", decimal=",").frame()["x"].tolist() == ["1.5", "2.25"]
    assert read(tmp_path, "x;y\n12.34;a\n", decimal=",", thousands=".").frame()["x"].tolist() == ["12.34"]


@pytest.mark.parametrize(
    "values", [["012 345", "067 890"], ["12 34", "1 2345"], ["1 234", "red 2"], ["-5\u22123", "1"]]
)
def test_codes_and_words_with_spaces_stay_texts(values: list[str], tmp_path: Path) -> None:
    assert read(tmp_path, "x;y\n" + "".join(f"{value};a\n" for value in values)).frame()["x"].tolist() == values


def test_a_column_is_what_all_its_values_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "BLOCK", 64)
    rows = "".join(f"{n},{n},{n},true,00{n}\n" for n in range(100, 200))
    read_back = read(tmp_path, f"a,b,c,d,e\n{rows}1,1.5,x,0,7\n").frame()
    assert [str(dtype) for dtype in read_back.dtypes] == ["int64", "float64", "str", "str", "str"]
    assert read_back["c"].tolist()[:2] == ["100", "101"]
    assert read_back["e"].tolist()[:2] == ["00100", "00101"]


def test_numbers_that_would_lose_digits_stay_texts(tmp_path: Path) -> None:
    frame = read(tmp_path, "a,b,c\n9223372036854775808,1152921504606846977,7\n1,,8\n").frame()
    assert frame["a"].tolist() == ["9223372036854775808", "1"]
    assert frame["b"].tolist()[0] == "1152921504606846977"
    assert frame["c"].tolist() == [7, 8]


@pytest.mark.slow
def test_the_parts_in_which_a_file_is_read_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = "a;b;c\n" + "".join(f"{n};{n / 7:.3f};x{n % 5}\n".replace(".", ",") for n in range(2000))
    whole = read(tmp_path, content).frame()
    monkeypatch.setattr(delimited, "BLOCK", 100)
    parted = read(tmp_path, content)
    assert len(list(parted.batches())) > 100
    pd.testing.assert_frame_equal(parted.frame(), whole)


def test_rows_longer_than_what_is_read_at_once(tmp_path: Path) -> None:
    long = "long " * 500_000
    frame = read(tmp_path, f'a,b\n1,x\n2,"{long}"\n3,y\n').frame()
    assert frame["b"].tolist() == ["x", long, "y"]


def test_quotes_in_files_separated_by_tabs(tmp_path: Path) -> None:
    excel = read(tmp_path, 'a\tb\n"x\ty"\t1\n"say ""hi"""\t2\n')
    assert excel.facts["quote"] == '"'
    assert excel.frame()["a"].tolist() == ["x\ty", 'say "hi"']
    lone = read(tmp_path, 'a\tb\n"so he said\t1\nend"\t2\n')
    assert "quote" not in lone.facts or lone.facts["quote"] is None
    assert lone.frame()["a"].tolist() == ['"so he said', 'end"']


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_encodings_and_compression(encoding: str, tmp_path: Path) -> None:
    text = "name;größe\nMüller;1,5\ncafé;2,5\n"
    plain, zipped = text.encode(encoding), gzip.compress(text.encode(encoding), mtime=0)
    for name, content in (("t.csv", plain), ("t.csv.gz", zipped)):
        frame = read(tmp_path, content, name).frame()
        assert frame.to_dict("list") == {"name": ["Müller", "café"], "größe": [1.5, 2.5]}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=200), st.text('a1,;|\t"\n\r. é\0\ufeff-', max_size=80).map(str.encode)))
def test_any_bytes_give_a_frame_or_an_error_for_people(tmp_path: Path, content: bytes) -> None:
    for name in ("t.csv", "t.tsv"):
        with suppress(PenstockError):
            table = read(tmp_path, content, name)
            assert len(table.frame()) == table.rows


values = st.one_of(
    st.none(),
    st.integers(-(10**6), 10**6),
    st.floats(-1e6, 1e6).map(lambda x: round(x, 4)),
)
words = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=8).map(lambda word: f"w{word}")
western = st.sampled_from(["café", "Müller", "naïve", "Straße", "plain", "two words", 'a "quote"', "1;2", "x, y"])
tables = st.one_of(
    st.tuples(st.lists(st.tuples(values, words), min_size=1, max_size=20), st.sampled_from(["utf-8-sig", "utf-16"])),
    st.tuples(st.lists(st.tuples(values, western), min_size=1, max_size=20), st.sampled_from(["utf-8", "cp1252"])),
)


def written(number: float, decimal: str, grouped: bool) -> str:
    text = f"{number:,}" if grouped else str(number)
    return text if decimal == "." else text.translate(str.maketrans(".,", ",."))


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tables,
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from([".", ","]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.booleans(),
)
def test_tables_come_back_from_any_dialect(
    tmp_path: Path,
    table: tuple[list[tuple[float | None, str]], str],
    delimiter: str,
    decimal: str,
    ending: str,
    declared: bool,
    grouped: bool,
) -> None:
    """Found out or declared, the values are the same; where it is not certain, that is said."""
    rows, encoding = table
    # Between commas, 1.000 is taken for one: who writes points for thousands there has to say so.
    assume(declared or not grouped or (delimiter, decimal) != (",", ","))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=ending)
    writer.writerow(["number", "word"])
    writer.writerows(("" if number is None else written(number, decimal, grouped), word) for number, word in rows)
    thousands = {".": ",", ",": "."}[decimal] if grouped else ""
    options = {"delimiter": delimiter, "decimal": decimal, "thousands": thousands, "encoding": encoding, "quote": '"'}
    try:
        frame = read(tmp_path, text.getvalue().encode(encoding), **(options if declared else {})).frame()
    except DataError as error:
        if declared or error.code not in {"PEN130", "PEN131", "PEN132"}:
            raise
        return
    assert frame["word"].tolist() == [word for _, word in rows]
    got = [None if math.isnan(number) else number for number in frame["number"].tolist()]
    assert got == [number for number, _ in rows]


def wide(columns: int, separator: str = ",", name: str = "a column of number {:06d}") -> str:
    names = [name.format(number) for number in range(columns)]
    return "\n".join(separator.join(row) for row in (names, ["1"] * columns, ["2"] * columns)) + "\n"


@pytest.mark.parametrize(
    ("separator", "name"),
    [(mark, "a column of number {:06d}") for mark in (",", ";", "\t")]
    + [(",", '"a\nname, of; {:06d}"'), (";", '"a\nname, of; {:06d}"'), ("\t", '"a name, of; {:06d}"')],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_header_longer_than_what_is_read_first(separator: str, name: str, encoding: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(delimited, "HEAD", 100)
        table = read(tmp_path, wide(300, separator, name).encode(encoding))
    assert len(table.schema) == 300
    assert table.schema.names[-1] == name.format(299).strip('"')
    assert table.frame().iloc[1].tolist() == [2] * 300


@pytest.mark.slow
def test_a_header_of_half_a_megabyte(tmp_path: Path) -> None:
    table = read(tmp_path, wide(16_000))
    assert (len(table.schema), table.rows) == (16_000, 2)


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ("x" * 300_000, "PEN109", "a value in the first row is longer than 131,072 characters"),
        ("x" * 300_000 + "\n1\n2\n", "PEN109", "a value in the first row is longer than 131,072 characters"),
        (f"a,{'x' * 200_000}\n1,2\n3,4\n", "PEN109", "a value in the first row is longer than 131,072 characters"),
        ("a," * 2_000_000, "PEN168", "more than"),
        ("a," * 20_000 + "\n" + "1," * 20_000 + "\n", "PEN168", "more than"),
        (",".join(f"c{number}" for number in range(20_000)) + "\n1\n", "PEN168", "more than"),
        ("\n".join(["a\tb", "1\t2", "," * 30_000]), "PEN109", "a row has 1 value(s), the header has 2"),
    ],
    ids=["one value", "a title", "a long name", "one line", "many names", "short rows", "a wide row"],
)
def test_lines_that_are_no_header(content: str, code: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=re.escape(words)) as caught:
        read(tmp_path, content)
    assert caught.value.code == code
    assert str(tmp_path) in caught.value.where
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("values", "decimal"),
    [(["1e400", "2.5"], None), (["-1.5E+999", "2"], None), (["\u22121e400", " 2"], None), (["1,5e400", "2,5"], ",")],
)
def test_numbers_too_large_for_a_number_stay_as_they_are_written(
    values: list[str], decimal: str | None, tmp_path: Path
) -> None:
    frame = read(tmp_path, "x;y\n" + "".join(f"{value};a\n" for value in values), decimal=decimal).frame()
    plain = [value.replace(",", ".").replace("\u2212", "-") for value in values]
    assert [text.strip() for text in frame["x"]] == [text.strip() for text in plain]


def test_infinity_is_a_number_and_nan_is_none(tmp_path: Path) -> None:
    frame = read(tmp_path, "x,y\ninf,1\n-Infinity,nan\n+inf,NaN\n2,3\n").frame()
    assert frame["x"].tolist() == [math.inf, -math.inf, math.inf, 2.0]
    assert frame["y"].isna().tolist() == [False, True, True, False]
