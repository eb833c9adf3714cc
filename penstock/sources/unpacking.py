"""What is compressed is unpacked up to a limit: a small file can hold more than any disk."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path
from typing import IO, Self

from penstock.errors import DataError, UsageError, did_you_mean_file
from penstock.sources.files import Folders, open_file
from penstock.sources.table import FILE_NEEDED, unreadable

MAX_UNPACKED = "PENSTOCK_MAX_UNPACKED_MB"
DEFAULT_MB = 16_384
MB = 1 << 20
MAX_ENTRIES, SHOWN_NAMES = 1_000_000, 1000
HEADER_BYTES = {b"x": MB, b"X": MB, b"L": MB, b"K": MB, b"g": MB >> 4}
"""The last kind is added to what all entries after it say."""
_DAMAGED = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    struct.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    ValueError,
    RecursionError,
)
Content = IO[bytes] | io.BufferedIOBase | io.RawIOBase
MAX_WINDOW = 1 << 28
"""Bytes that unpacking may take beside what is unpacked."""
LOCAL_LENGTHS, LZMA_HEAD = 26, 5
"""Where in a zip archive the lengths stand that are between a member's header and its content, and how much of that
stands before the size of LZMA's dictionary."""


def max_bytes() -> int:
    text = os.environ.get(MAX_UNPACKED) or str(DEFAULT_MB)
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(
            "PEN149",
            f"'{text}' is no number of megabytes",
            where=MAX_UNPACKED,
            remedy=f"write a whole number: export {MAX_UNPACKED}={DEFAULT_MB}",
        )
    return int(text) * MB


def require_small(size: int, limit: int, where: str) -> None:
    if size > limit:
        raise DataError(
            "PEN148",
            f"the source unpacks to more than {limit // MB:,} MB",
            where=where,
            remedy=f"check where it comes from; if it is that large, allow it: export {MAX_UNPACKED}={limit // MB * 2}",
        )


def exhausted(where: str) -> DataError:
    return DataError(
        "PEN148",
        "the source takes more memory than there is",
        where=where,
        remedy="check where it comes from, and leave long values out; to refuse such sources sooner, bound what they "
        f"unpack to: export {MAX_UNPACKED}=1024",
    )


def unpacked(file: Content, where: str) -> io.BufferedReader:
    """What a decompressor gives, as long as it is no more than the limit."""
    return io.BufferedReader(_Limited(file, max_bytes(), where), MB)


class _Limited(io.RawIOBase):
    def __init__(self, file: Content, limit: int, where: str) -> None:
        self.file, self.limit, self.where, self.at = file, limit, where, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self.file.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self.at = self.file.seek(offset, whence)
        return self.at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        content = self.file.read(min(len(buffer), self.limit - self.at + 1))
        self.at += len(content)
        require_small(self.at, self.limit, self.where)
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        self.file.close()
        super().close()


class _Xz(io.RawIOBase):
    """What a file of the xz format holds; lzma.open would take the memory that the file asks for, up to 4 GB."""

    def __init__(self, file: IO[bytes], where: str) -> None:
        self.file, self.where, self.stream = file, where, _stream()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        content = b""
        while not content:
            packed = b""
            if self.stream.eof:
                packed = self._next_stream()
                if not packed:
                    return 0
                self.stream = _stream()
            elif self.stream.needs_input:
                packed = self.file.read(MB >> 4)
                if not packed:
                    raise EOFError("it ends too early")
            try:
                content = self.stream.decompress(packed, len(buffer))
            except lzma.LZMAError as error:
                if "limit" in str(error):
                    raise _greedy(self.where) from None
                raise
        buffer[: len(content)] = content
        return len(content)

    def _next_stream(self) -> bytes:
        """Zeros may stand between two of them."""
        packed = self.stream.unused_data.lstrip(b"\0")
        while not packed and (more := self.file.read(MB >> 4)):
            packed = more.lstrip(b"\0")
        return packed


def _stream() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_WINDOW)


def _greedy(where: str) -> DataError:
    return unreadable(
        where,
        f"to unpack it takes more than {MAX_WINDOW // MB} MB of memory, as its compression was chosen",
        "pack it again with a smaller dictionary, such as the 64 MB of `xz -9`, or with gzip",
    )


def _require_small_window(file: IO[bytes], member: zipfile.ZipInfo, where: str) -> None:
    """Memory for LZMA inside a zip archive is asked for by the first bytes of the member."""
    if member.compress_type == zipfile.ZIP_LZMA:
        file.seek(member.header_offset + LOCAL_LENGTHS)
        lengths = struct.unpack("<HH", file.read(4))
        file.seek(sum(lengths) + LZMA_HEAD, io.SEEK_CUR)
        if int.from_bytes(file.read(4), "little") > MAX_WINDOW:
            raise _greedy(where)


def open_bytes(path: Path, folders: Folders) -> io.BufferedReader:
    """A file's content; of one that ends in .gz what it unpacks to."""
    file = open_file(path, folders)
    if not path.name.lower().endswith(".gz"):
        return file
    return unpacked(_Owned(file), str(path))


class _Owned(gzip.GzipFile):
    """Closes the file that it reads."""

    def __init__(self, file: io.BufferedReader) -> None:
        super().__init__(fileobj=file, mode="rb")
        self.owned = file

    def close(self) -> None:
        super().close()
        self.owned.close()


def require_small_workbook(file: IO[bytes], where: str) -> None:
    """By the sizes that it declares, beyond which a member of a zip archive is not read."""
    with zipfile.ZipFile(file) as archive:
        require_small(sum(member.file_size for member in archive.infolist()), max_bytes(), where)
        for member in archive.infolist():
            _require_small_window(file, member, where)


def take_member(archive: IO[bytes], kind: str, member: str, folder: Path, where: str) -> Path:
    """One file of an archive, copied into a folder of ours; never one that an entry links to."""
    copy = folder / (member.rpartition("/")[2] or "member")
    try:
        if kind == "zip":
            _from_zip(archive, member, copy, where)
        else:
            _from_tar(archive, member, copy, where)
    except (*_DAMAGED, OSError) as error:
        raise unreadable(where, f"this is no {kind} archive that can be read: {error}", FILE_NEEDED) from None
    except RuntimeError:  # as zipfile says it
        raise unreadable(where, "the archive is protected by a password", "unpack it into a file first") from None
    return copy


def _from_zip(file: IO[bytes], member: str, copy: Path, where: str) -> None:
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        if member not in names:
            raise _no_member(member, names, where)
        _require_small_window(file, archive.getinfo(member), where)
        with archive.open(member) as source, unpacked(source, where) as content, copy.open("xb") as target:
            shutil.copyfileobj(content, target, MB)


def _from_tar(file: IO[bytes], member: str, copy: Path, where: str) -> None:
    head = file.read(8)
    file.seek(0)
    content: Content = file
    if head.startswith(b"\x1f\x8b"):
        content = gzip.GzipFile(fileobj=file)
    elif head.startswith(b"BZh"):
        content = bz2.BZ2File(file)
    elif head.startswith(b"\xfd7zXZ\x00"):
        content = _Xz(file, where)
    plain = file if content is file else unpacked(content, where)
    names: list[str] = []
    with tarfile.open(fileobj=plain, mode="r|", tarinfo=_Entry) as archive:
        for _ in range(MAX_ENTRIES):
            entry = archive.next()
            if entry is None:
                raise _no_member(member, names, where)
            archive.members.clear()  # type: ignore[attr-defined]  # it would keep them all
            name = entry.name.removeprefix("./")
            source = archive.extractfile(entry) if name == member and entry.isreg() else None
            if source:
                with unpacked(source, where) as content, copy.open("xb") as target:
                    shutil.copyfileobj(content, target, MB)
                return
            if entry.isreg() and len(names) < SHOWN_NAMES:
                names.append(name)
    raise unreadable(where, f"the archive has more than {MAX_ENTRIES:,} entries", "pack the file by itself")


class _Entry(tarfile.TarInfo):
    """Long names are read into memory, however long they say they are."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        entry = super().frombuf(buf, encoding, errors)
        limit = HEADER_BYTES.get(entry.type)
        if limit is not None and entry.size > limit:
            raise tarfile.ReadError(f"a header is longer than {limit >> 10} kB")
        return entry


def _no_member(member: str, names: list[str], where: str) -> UsageError:
    return UsageError(
        "PEN101",
        f"the archive holds no file '{member}'",
        where=where,
        remedy=did_you_mean_file(member, names) if names else "name another archive",
    )
