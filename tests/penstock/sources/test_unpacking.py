"""Archives and compressed files: members that stay inside, sizes that stay below a limit."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.errors import PenstockError, UsageError
from penstock.sources import unpacking
from penstock.sources.options import Reading
from penstock.sources.reading import read_frame

TABLE = b"a\n1\n2\n3\n"
ZEROS = b"a\n" + (b"0" * 2047 + b"\n") * (1 << 10)

LINES = b'{"a": "%s"}\n' % (b"x" * 2000) * (1 << 10)


def read(source: str, folder: Path) -> pd.DataFrame:
    return read_frame(source, Reading(), folder, folders=(folder.resolve(),))


def tar(*members: tuple[str, bytes | str], kind: bytes = tarfile.SYMTYPE) -> bytes:
    """A text is what a link leads to."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            if isinstance(content, str):
                entry.type, entry.linkname = kind, content
                archive.addfile(entry)
            else:
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def zipped(*members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_member_of_a_tar(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / "t.tar").write_bytes(pack(tar(("other", b"x"), ("./b/t.csv", TABLE))))
    assert read("tar://b/t.csv::t.tar", tmp_path)["a"].tolist() == [1, 2, 3]
    with pytest.raises(UsageError, match=r"PEN101(.|\n)*did you mean 'b/t.csv'"):
        read("tar://t2.csv::t.tar", tmp_path)


def test_a_member_of_a_zip_and_archives_in_archives(tmp_path: Path) -> None:
    (tmp_path / "t.zip").write_bytes(zipped(("b/t.csv", TABLE), ("t.tar", tar(("t.csv.gz", gzip.compress(TABLE))))))
    assert read("zip://b/t.csv::t.zip", tmp_path)["a"].tolist() == [1, 2, 3]
    assert read("zip://b/t.csv::simplecache::t.zip", tmp_path)["a"].tolist() == [1, 2, 3]
    assert read("tar://t.csv.gz::zip://t.tar::t.zip", tmp_path)["a"].tolist() == [1, 2, 3]


def test_memory_that_a_compression_asks_for_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.tar").write_bytes(lzma.compress(tar(("t.csv", TABLE)), preset=9))
    for name in ("t.zip", "t.xlsx"):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr("t.csv", TABLE)
    sources = ["tar://t.csv::t.tar", "zip://t.csv::t.zip"]
    for source in sources:
        assert read(source, tmp_path)["a"].tolist() == [1, 2, 3]
    monkeypatch.setattr(unpacking, "MAX_WINDOW", 1 << 20)
    for source in (*sources, "t.xlsx"):
        with pytest.raises(PenstockError, match=r"PEN109(.|\n)*more than 1 MB of memory(.|\n)*smaller dictionary"):
            read(source, tmp_path)


def test_an_xz_file_of_several_streams(tmp_path: Path) -> None:
    content = tar(("a", b"x" * 100_000), ("t.csv", TABLE))
    parts = [lzma.compress(content[:50_000]), lzma.compress(content[50_000:])]
    (tmp_path / "t.tar").write_bytes(bytes(8).join(parts) + bytes(8))
    assert read("tar://t.csv::t.tar", tmp_path)["a"].tolist() == [1, 2, 3]
    (tmp_path / "t.tar").write_bytes(parts[0])
    with pytest.raises(PenstockError, match="PEN109"):
        read("tar://t.csv::t.tar", tmp_path)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
@pytest.mark.parametrize("target", ["{outside}", "../outside.csv", "t.csv/../../outside.csv"])
def test_a_link_in_a_tar_leads_nowhere(tmp_path: Path, kind: bytes, target: str) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / "outside.csv").write_bytes(TABLE)
    content = tar(("link.csv", target.format(outside=tmp_path / "outside.csv")), kind=kind)
    (folder / "t.tar").write_bytes(content)
    with pytest.raises(UsageError, match="PEN101"):
        read("tar://link.csv::t.tar", folder)


def test_a_link_in_a_zip_is_its_text(tmp_path: Path) -> None:
    (tmp_path / "outside.csv").write_bytes(TABLE)
    folder = tmp_path / "project"
    folder.mkdir()
    entry = zipfile.ZipInfo("link.csv")
    entry.external_attr = 0o120777 << 16
    with zipfile.ZipFile(folder / "t.zip", "w") as archive:
        archive.writestr(entry, str(tmp_path / "outside.csv"))
    with pytest.raises(PenstockError):
        read("zip://link.csv::t.zip", folder)


@pytest.mark.parametrize("name", ["../t.csv", "/t.csv", "b/../../t.csv", "..", "a/.."])
def test_names_of_members_that_lead_out_write_nothing(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "project"
    (folder / "scratch").mkdir(parents=True)
    (folder / "t.zip").write_bytes(zipped((name, TABLE)))
    (folder / "t.tar").write_bytes(tar((name, TABLE)))
    before = sorted(tmp_path.rglob("*"))
    for kind in ("zip", "tar"):
        with suppress(PenstockError):
            read(f"{kind}://{name}::t.{kind}", folder)
    assert sorted(tmp_path.rglob("*")) == before


def put_workbook(file: Path) -> None:
    buffer = io.BytesIO()
    pd.DataFrame({"a": [1, 2]}).to_excel(buffer, index=False)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/more.xml", b" " * (2 << 20))
    file.write_bytes(buffer.getvalue())


BOMBS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "t.csv.gz": ("t.csv.gz", lambda file: file.write_bytes(gzip.compress(ZEROS))),
    "t.jsonl.gz": (
        "t.jsonl.gz",
        lambda file: file.write_bytes(gzip.compress(LINES)),
    ),
    "t.zip": ("zip://t.csv::t.zip", lambda file: file.write_bytes(zipped(("t.csv", ZEROS)))),
    "t.tar": ("tar://t.csv::t.tar", lambda file: file.write_bytes(gzip.compress(tar(("t.csv", ZEROS))))),
    "other.tar": (
        "tar://t.csv::other.tar",
        lambda file: file.write_bytes(bz2.compress(tar(("other", ZEROS), ("t.csv", TABLE)))),
    ),
    "xz.tar": ("tar://t.csv::xz.tar", lambda file: file.write_bytes(lzma.compress(tar(("t.csv", ZEROS))))),
    "t.xlsx": ("t.xlsx", put_workbook),
    "t.parquet": ("t.parquet", lambda file: pd.DataFrame({"a": np.zeros(1 << 18)}).to_parquet(file)),
}


@pytest.mark.parametrize("name", BOMBS)
def test_what_is_unpacked_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    source, put = BOMBS[name]
    put(tmp_path / name)
    monkeypatch.setenv("PENSTOCK_MAX_UNPACKED_MB", "1")
    with pytest.raises(PenstockError) as caught:
        read(source, tmp_path)
    assert (caught.value.code, caught.value.exit_status) == ("PEN148", 3)
    assert "1 MB" in caught.value.what
    assert "export PENSTOCK_MAX_UNPACKED_MB=" in caught.value.remedy
    monkeypatch.setenv("PENSTOCK_MAX_UNPACKED_MB", "16")
    assert len(read(source, tmp_path))


def test_a_sparse_member_is_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says itself how many zeros it stands for."""
    entry = tarfile.TarInfo("t.csv")
    entry.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(entry.tobuf(tarfile.GNU_FORMAT))
    header[386:398] = b"00000000000\0"  # where its only piece begins
    header[398:410] = b"00000000000\0"  # how long that is
    header[483:495] = b"77777777777\0"  # 8 GB
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    (tmp_path / "t.tar").write_bytes(bytes(header) + bytes(1024))
    monkeypatch.setenv("PENSTOCK_MAX_UNPACKED_MB", "1")
    with pytest.raises(PenstockError, match="PEN148"):
        read("tar://t.csv::t.tar", tmp_path)


def test_a_long_header_is_not_read_into_memory(tmp_path: Path) -> None:
    entry = tarfile.TarInfo("t.csv")
    entry.type, entry.size = tarfile.XHDTYPE, 1 << 30
    (tmp_path / "t.tar").write_bytes(gzip.compress(entry.tobuf() + bytes(1 << 22)))
    with pytest.raises(PenstockError, match="PEN109"):
        read("tar://t.csv::t.tar", tmp_path)


def test_entries_of_a_tar_are_counted_and_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = tar(*[(f"{number}.txt", b"") for number in range(20)], ("t.csv", TABLE))
    (tmp_path / "t.tar").write_bytes(content)
    assert len(read("tar://t.csv::t.tar", tmp_path)) == 3
    monkeypatch.setattr(unpacking, "MAX_ENTRIES", 20)
    with pytest.raises(PenstockError, match=r"PEN109(.|\n)*more than 20 entries"):
        read("tar://t.csv::t.tar", tmp_path)


@pytest.mark.parametrize(("headers", "names"), [(2000, 1), (1, 20_000)])
def test_headers_for_all_entries_do_not_add_up(tmp_path: Path, headers: int, names: int) -> None:
    header = tarfile.TarInfo.create_pax_global_header({f"n{at}": "v" for at in range(names)})
    (tmp_path / "t.tar").write_bytes(gzip.compress(header * headers + tar(("t.csv", TABLE)), 1))
    with pytest.raises(PenstockError, match=r"PEN109(.|\n)*no tar archive"):
        read("tar://t.csv::t.tar", tmp_path)


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    entry = tarfile.TarInfo("t")
    entry.size, entry.pax_headers = len(TABLE), {"path": "a\0b.csv"}
    with tarfile.open(tmp_path / "t.tar", "w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(entry, io.BytesIO(TABLE))
    with pytest.raises(PenstockError, match="PEN109"):
        read("tar://a\0b.csv::t.tar", tmp_path)


@pytest.mark.parametrize("said", ["0", "-1", "many", "1.5"])
def test_a_limit_that_is_none_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(TABLE))
    monkeypatch.setenv("PENSTOCK_MAX_UNPACKED_MB", said)
    with pytest.raises(UsageError, match="PEN149"):
        read("t.csv.gz", tmp_path)


@pytest.mark.parametrize("content", [b"", b"no archive", zipped(("t.csv", TABLE))[:-30], tar(("t.csv", TABLE))[:300]])
def test_what_is_no_archive_is_said(tmp_path: Path, content: bytes) -> None:
    for kind in ("zip", "tar"):
        (tmp_path / f"t.{kind}").write_bytes(content)
        with pytest.raises(PenstockError, match=r"PEN10[19]"):
            read(f"{kind}://t.csv::t.{kind}", tmp_path)
    with pytest.raises(UsageError, match="PEN101"):
        read("zip://t.csv::none.zip", tmp_path)
