from __future__ import annotations

import io

import pytest

from penstock.errors import DataError
from penstock.sources.encoding import find_encoding


def found(content: bytes, declared: str | None = None) -> str:
    return find_encoding(io.BytesIO(content), "t.csv", declared)


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        ("a,b\n1,x\n", "ascii", "utf-8"),
        ("a,b\n1,café\n", "utf-8", "utf-8"),
        ("a,b\n1,café\n", "utf-8-sig", "utf-8"),
        ("a,b\n1,café\n", "utf-16", "utf-16"),
        ("a,b\n1,café\n", "utf-32", "utf-32"),
        ("a,b\n1,café\n2,Müller\n3,Garçon\n", "cp1252", "cp1252"),
        ("a,b\n1,España\n2,Málaga\n", "latin-1", "cp1252"),
        ("a,b\n1,œuvre\n2,l\u2019été\n3,à 5 €\n", "cp1252", "cp1252"),
        ("a,b\n1,100 €\n", "cp1252", "cp1252"),
        ("имя,город\nИван,Москва\n", "cp1251", "cp1251"),  # noqa: RUF001
        ("имя,город\nИван,Москва\n", "koi8-r", "koi8-r"),  # noqa: RUF001
        ("όνομα,πόλη\nΓιώργος,Αθήνα\n", "cp1253", "cp1253"),  # noqa: RUF001
        ("имя,город\nИван,Москва\n", "iso-8859-5", "iso-8859-5"),  # noqa: RUF001
        ("имя,город\nИван,Москва\n", "cp866", "cp866"),  # noqa: RUF001
        ("a,b\n1,Łódź\n2,Kraków\n3,Żółw\n4,pięć\n", "cp1250", "cp1250"),
        ("a,b\n1,Łódź\n2,Kraków\n3,Żółw\n4,Częstochowa\n", "iso-8859-2", "iso-8859-2"),
        ("a,b\n1,Dąbrowa\n2,Gołąb\n3,Wałbrzych\n", "cp1250", "cp1250"),
        ("a,b\n1,Šumperk\n2,Přerov\n3,Děčín\n", "iso-8859-2", "iso-8859-2"),
        ("a,b\n1,Dąbrowa\n2,Śląsk\n3,Wałbrzych\n", "iso-8859-2", "iso-8859-2"),
    ],
)
def test_what_is_certain_is_found_out(text: str, encoding: str, expected: str) -> None:
    content = text.encode(encoding)
    assert found(content) == expected
    assert content.decode(expected).lstrip("\ufeff") == text


@pytest.mark.parametrize(
    ("text", "encoding", "words"),
    [
        ("a,b\n1,très\n", "cp1252", ["'très'", "'trčs'", "cp1250"]),
        ("Fläche,b\n1,São\n", "cp1252", ["'São'", "'Săo'"]),  # not the word that both read alike
        ("a,b\n1,Jiří\n", "cp1250", ["'Jiří'", "'Jiøí'"]),
        ("a,b\n1,Kőszeg\n2,Szűcs\n3,Győr\n", "cp1250", ["as cp1250 it reads 'Kőszeg'; as cp1252"]),
        ("a,b\n1,Přerov\n2,Děčín\n3,Třebíč\n", "iso-8859-2", ["as cp1250 it reads 'Přerov'; as cp1252"]),
        ("a,b\n1,Köln\n", "mac-roman", ["'Köln'"]),
        ("a,b\n1,Ærø\n2,Mønster\n3,grød\n", "mac-roman", ["'Mønster'"]),
        ("a,b\n1,Łódź\n", "cp1250", ["'Łódź'"]),
        ("名前,都市\n太郎,東京\n", "shift_jis", ["cp932", "'名前'"]),
        ("a,b\n1,x\n", "utf-16-le", ["zero bytes"]),
    ],
)
def test_what_is_uncertain_is_asked_with_the_readings_shown(text: str, encoding: str, words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        found(text.encode(encoding))
    assert caught.value.code == "PEN130"
    assert all(word in caught.value.what for word in words), caught.value.what
    assert "--reading encoding=" in caught.value.remedy
    assert "reading: {encoding: " in caught.value.remedy


def test_a_few_zero_bytes_are_no_utf_16() -> None:
    with pytest.raises(DataError) as caught:
        found(b"a,b\n1,x\n2,\0y\n" + b"3,z\n" * 50)
    assert (caught.value.code, caught.value.where) == ("PEN105", "t.csv, line 3")
    assert "1 zero byte(s), which no text holds; the first is byte 10" in caught.value.what
    assert "tr -d" in caught.value.remedy


def test_a_declared_encoding_is_believed_but_checked() -> None:
    assert found("a\ntrès\n".encode("cp1252"), "cp1252") == "cp1252"
    with pytest.raises(DataError, match="not in utf-8: byte 4 cannot be read"):
        found("a\ntrès\n".encode("cp1252"), "utf-8")


def test_a_letter_far_into_the_file_counts() -> None:
    content = b"a,b\n" + b"1,plain\n" * 300_000 + "2,café\n".encode("cp1252")
    assert found(content) == "cp1252"
