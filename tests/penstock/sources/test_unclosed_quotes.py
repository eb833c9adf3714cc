from __future__ import annotations

from pathlib import Path

import pytest

from penstock.errors import DataError
from penstock.sources import delimited
from penstock.sources.options import Reading
from penstock.sources.table import Table

LABELS = "".join(f"{'ham' if n % 3 else 'spam'}\tmessage {n}\n" for n in range(40))
CITIES = "".join(f"{n}.5,{n},{'Rome' if n % 3 else 'Oslo'},{'yes' if n % 2 else 'no'}\n" for n in range(40))
CODES = "".join(f"r{n},2024-01-{n % 28 + 1:02d},note {n}\n" for n in range(40))


def read(folder: Path, content: str, name: str = "t.csv", **options: str) -> Table:
    (folder / name).write_bytes(content.encode())
    return delimited.read_delimited(folder / name, Reading(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "name", "column", "line"),
    [
        (f'a,b,city,y\n{CITIES}1.0,2,"Ro,yes\n3.0,4,Bern,no\n1.0,2,Ro",yes\n{CITIES}', "t.csv", "city", 42),
        (f'id,day,note\n{CODES}r98,2024-02-01,"open\nr99,2024-02-02,"\n', "t.csv", "note", 42),
    ],
)
def test_rows_within_a_value_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, name: str, column: str, line: int
) -> None:
    monkeypatch.setattr(delimited, "HEAD", 200)  # what comes first has sound quotes
    with pytest.raises(DataError) as caught:
        read(tmp_path, content, name)
    assert (caught.value.code, caught.value.where) == ("PEN146", f"{tmp_path / name}, line {line}")
    assert f"column '{column}'" in caught.value.what
    assert """`--reading "quote="`""" in caught.value.remedy
    assert """`--reading 'quote="'`""" in caught.value.remedy
    assert read(tmp_path, content, name, quote='"').rows < read(tmp_path, content, name, quote="").rows


@pytest.mark.parametrize("name", ["t.tsv", "t.csv"])
def test_between_tabs_such_quotes_are_ordinary_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(delimited, "HEAD", 200)
    content = f'label\ttext\nham\t"to you"\n{LABELS}ham\t"So he said\r\nham\tmore\r\nspam\tend"\n'
    table = read(tmp_path, content, name)
    assert table.rows == 44
    assert list(table.frame()["text"])[-3:] == ['"So he said', "more", 'end"']
    assert table.facts["quote"] is None
    assert read(tmp_path, content, name, quote='"').rows == 42


def test_between_tabs_too_rows_have_to_be_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "HEAD", 200)
    honest = 'ham\t"a tab\tin a text"\n'
    with pytest.raises(DataError, match=r"(?s)PEN146.*line 43\b"):
        read(tmp_path, f'label\ttext\nham\t"to you"\n{LABELS}ham\t"So he said\nham\tend"\n{honest}', "t.tsv")


@pytest.mark.parametrize(
    "value",
    ["yes, sure", "one, two", "pros: 1, 2", "maybe\nso, so\nand so", "12 Main St, Springfield", "spam, eggs"],
)
def test_texts_over_lines_are_left_alone(tmp_path: Path, value: str) -> None:
    content = "label,text\n" + "".join(f'{"ham" if n % 3 else "spam"},"Dear all\n{value}"\n' for n in range(9))
    assert set(read(tmp_path, content).frame()["text"]) == {f"Dear all\n{value}"}


def test_many_such_texts_are_looked_at_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "BLOCK", 200)
    honest = "".join(f'ham,"line one\nother{n},line"\n' for n in range(50))
    assert read(tmp_path, f"label,text\n{honest}").rows == 50
    with pytest.raises(DataError, match=r"(?s)PEN146.*line 12\b"):
        read(tmp_path, "label,text\n" + "ham,x\n" * 10 + 'ham,"open\nham,y"\n' + "spam,z\n" * 50)
