"""The encoding of a text: UTF-8 or a mark at its beginning, else one that makes words of one language, else ask.

Libraries that guess an encoding always have an answer, also where several are as good. Here an answer counts only where
the words, read so, have the letters of known languages, and no other reading does. Otherwise the readings are shown.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from typing import IO

from penstock.errors import DataError
from penstock.sources.options import how_to_say

BLOCK = 1 << 20
MIN_ZEROS = 0.1  # share of bytes; of UTF-16 nearly every second one
MAX_WITNESSES = 1 << 14
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
NO_TEXT = (b"\x89PNG", b"%PDF", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"PAR1", b"SQLi")
WESTERN = (
    "äöüß", "éèêëàâæçîïôœùûüÿ", "àèéìíòóùú", "áéíóúüñ", "ãõáéíóúâêôàç", "åäöé", "æøåé", "ëïéèöü", "áðéíóúýþæö",
)  # fmt: skip
CENTRAL = ("áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "ăâîşţ", "čćđšž")
CYRILLIC = ("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя")
ALPHABETS = {
    "cp1252": WESTERN,
    "cp1250": CENTRAL,
    "cp1251": CYRILLIC,
    "cp1253": ("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",),
    "cp1254": ("çğ\u0131iöşüâîû",),
    "iso-8859-2": CENTRAL,
    "iso-8859-5": CYRILLIC,
    "koi8-r": CYRILLIC[:1],
    "cp866": CYRILLIC[:1],
    "mac-roman": WESTERN,
    "cp850": WESTERN,
}
RARE = {"mac-roman", "cp850"}  # known so that they are not taken for another
CENTRAL_ENCODINGS = {"cp1250", "iso-8859-2"}
MIN_WORDS = 3
SYMBOLS = frozenset("€£§°²³µ«»“”„…—·½¼¾±ºª®©™¿¡\u2018\u2019\u2013\u00d7\u00a0")
BESIDE_NO_LETTER = "£§±½¼¾\u00d7"
WITHIN_WORDS = frozenset("\u2019\u2013·")
LONE_LETTERS = frozenset("àèéóаивскоуя")
NEVER_FIRST = frozenset("ъыь")


def find_encoding(file: IO[bytes], where: str, declared: str | None) -> str:
    """The encoding in which the whole file can be read; `file` is at its beginning."""
    head = file.read(BLOCK)
    marked = next((name for mark, name in MARKS if head.startswith(mark)), None)
    encoding = declared or marked or "utf-8"
    if not declared and not marked and b"\0" in head:
        raise _with_zeros(head, where)
    bad = _first_bad_byte(head, file, encoding)
    if bad is None:
        return encoding
    if declared or marked:
        raise DataError(
            "PEN105",
            f"the text is not in {encoding}: byte {bad} cannot be read",
            where=where,
            remedy=_remedy("cp1252") + ", or another encoding than this",
        )
    file.seek(0)
    return _from_words(b"\n".join(_witnesses(file)), where, bad)


def _with_zeros(head: bytes, where: str) -> DataError:
    zeros, place = head.count(b"\0"), head.index(b"\0")
    if head[:4] not in NO_TEXT and zeros < MIN_ZEROS * len(head) and not re.search(rb"[\x01-\x08\x0e-\x1f]", head):
        return DataError(
            "PEN105",
            f"the text holds {zeros} zero byte(s), which no text holds; the first is byte {place}",
            where=f"{where}, line {head[:place].count(10) + 1}",
            remedy="take them out, as `tr -d '\\000' < old.csv > new.csv` does",
        )
    if head[:4] in NO_TEXT or b"\0\0" in head:
        return DataError(
            "PEN105",
            "this is not a text: it holds bytes that no text holds",
            where=where,
            remedy="see what the file is; a table is to be saved as CSV, Excel (.xlsx) or Parquet, and named so",
        )
    return DataError(
        "PEN130",
        "the text holds zero bytes, as text in UTF-16 without a mark at its beginning does",
        where=where,
        remedy=_remedy("utf-16-be" if place % 2 == 0 else "utf-16-le"),
    )


def _first_bad_byte(block: bytes, file: IO[bytes], encoding: str) -> int | None:
    decoder = codecs.getincrementaldecoder(encoding)()
    position = 0
    while True:
        waiting = len(decoder.getstate()[0])
        try:
            decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            return position + error.start - waiting
        if not block:
            return None
        position += len(block)
        block = file.read(BLOCK)


def _witnesses(file: IO[bytes]) -> Iterator[bytes]:
    """Different words with letters beyond ASCII, up to a limit."""
    seen: set[bytes] = set()
    size = 0
    while block := file.read(BLOCK):
        block += file.readline()
        for word in re.findall(rb"[^\s,;|\"\t]*[\x80-\xff][^\s,;|\"\t]*", block):
            if word not in seen:
                seen.add(word)
                size += len(word)
                yield word
                if size > MAX_WITNESSES:
                    return


def _from_words(words: bytes, where: str, bad: int) -> str:
    readings: dict[str, str] = {}  # each text by the first encoding that gives it
    strict: set[str] = set()
    for encoding, alphabets in ALPHABETS.items():
        try:
            text = words.decode(encoding)
        except UnicodeDecodeError:
            continue
        letters = _letters(text)
        if letters is None or not letters <= set().union(*alphabets) or text in readings:
            continue
        readings[text] = encoding
        if any(letters <= set(alphabet) for alphabet in alphabets):
            strict.add(encoding)
    # Where several readings are words, only the usual encoding is taken, and only for the letters of one language.
    if strict == {"cp1252"} or list(readings.values()) == ["cp1252"]:
        return "cp1252"
    # Encodings of the same languages tell words of one of them from a mixture.
    choices = {name: text for text, name in sorted(readings.items(), key=lambda one: one[1] not in strict)}
    likely = strict if set(choices) == CENTRAL_ENCODINGS else set(choices)
    if len(likely) == 1 and words.count(b"\n") >= MIN_WORDS - 1 and not likely & RARE:
        return next(iter(choices))
    choices = choices or _guesses(words)
    shown = "; ".join(f"as {name} it reads {word!r}" for name, word in _examples(choices).items())
    raise DataError(
        "PEN130",
        f"the text is not in UTF-8 (byte {bad} cannot be read), and its encoding is not certain"
        + (f": {shown}" if shown else ""),
        where=where,
        remedy=_remedy(next(iter(choices), "cp1252")),
    )


def _letters(text: str) -> set[str] | None:
    """The letters beyond ASCII in small form; None where no one writes so."""
    symbols = {mark for mark in text if ord(mark) > 127 and not mark.isalpha()}
    if not symbols <= SYMBOLS or not set(re.findall(r"(?<=[^\W\d_])[^\x00-\x7f\w](?=[^\W\d_])", text)) <= WITHIN_WORDS:
        return None
    if re.search(rf"[^\W\d_][{BESIDE_NO_LETTER}]|[{BESIDE_NO_LETTER}][^\W\d_]|[©®][a-z]", text):
        return None
    letters: set[str] = set()
    for word in re.findall(r"[^\W\d_]+", text):
        foreign = {letter for letter in word if ord(letter) > 127} - SYMBOLS
        if foreign and not _is_word(word, foreign):
            return None
        letters |= {letter.lower() for letter in foreign - {"İ"}}
    return letters


def _is_word(word: str, foreign: set[str]) -> bool:
    """Whether it looks like one: no capital letter within, one script, and some letter of ASCII among Latin ones."""
    if len(word) == 1:
        return word in LONE_LETTERS
    if any(letter in foreign and letter.isupper() for letter in word[1:]) and not word.isupper():
        return False
    other = [unicodedata.name(letter, "").startswith(("CYRILLIC", "GREEK")) for letter in word]
    if any(other):
        return all(other) and word[0].lower() not in NEVER_FIRST
    return len(word) < 4 or not foreign.issuperset(word)


def _guesses(words: bytes) -> dict[str, str]:
    from charset_normalizer import from_bytes

    return {match.encoding: str(match) for match in list(from_bytes(words))[:3]}


def _examples(choices: dict[str, str]) -> dict[str, str]:
    """The same word in up to three encodings: the longest of the first that are not read alike."""
    names = list(choices)[:3]
    readings = list(zip(*(choices[name].split("\n") for name in names), strict=False))
    telling = [words for words in readings if len(set(words)) > 1] or readings
    chosen = max(telling[:20], key=lambda words: len(words[0]), default=())
    return {name: word[:30] for name, word in zip(names, chosen, strict=False)}


def _remedy(encoding: str) -> str:
    return f"say which: {how_to_say('encoding', encoding)}"
