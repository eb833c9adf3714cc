"""The archive of a model file: its members fill it from end to end, uncompressed, so that none is larger than the file.

`dump_estimator` writes nothing else. What a member becomes in memory is counted as well: nodes of a schema may name the
same member again and again, and a sparse matrix of an older file is compressed inside its member.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from penstock.errors import ModelError

NAME = re.compile(r"\w[\w-]{0,99}(\.\w{1,9})?")
SCHEMA = "schema.json"
LOCAL_HEADER, CENTRAL_HEADER, END = 30, 46, 22
WIDE_FIELDS, WIDE_END = (0, 20), (0, 76)
"""Bytes that a file of more than 4 GB has beside these."""
UTF8_NAME = 0x800
ALLOWANCE, GROWTH = 1 << 28, 32


class Members:
    """What skops reads from, in the place of a ZipFile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = path.stat().st_size
        self.left = ALLOWANCE + GROWTH * self.size
        self._kept: dict[str, bytes] = {}
        try:
            self._archive = zipfile.ZipFile(path)
        except OSError:
            raise
        except Exception as error:  # NotImplementedError, struct.error, UnicodeDecodeError and others
            raise not_a_model(path) from error
        try:
            self._require_plain_layout()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Members:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._archive.close()

    def read(self, name: str) -> bytes:
        if name not in self._kept:
            self._kept[name] = self._archive.read(name)
        self.count(len(self._kept[name]))
        return self._kept[name]

    def count(self, size: int) -> None:
        """Bytes that are about to be held in memory."""
        self.left -= size
        if self.left < 0:
            raise ModelError(
                "PEN519",
                f"the model would take more than {GROWTH} times the size of its file in memory",
                where=str(self.path),
                remedy="do not load it if you did not make it; otherwise train it again",
            )

    def _require_plain_layout(self) -> None:
        infos = self._archive.infolist()
        names = [info.filename for info in infos]
        if SCHEMA not in names:
            raise not_a_model(self.path)
        if len(set(names)) < len(names):
            raise self._fault("two members have the same name")
        for info in infos:
            if not NAME.fullmatch(info.filename) or info.orig_filename != info.filename:
                raise self._fault(f"{info.filename!r} is no name of a member")
            if info.flag_bits & ~UTF8_NAME or info.compress_type != zipfile.ZIP_STORED:
                raise self._fault(f"member {info.filename!r} is compressed or encrypted")
            if info.compress_size != info.file_size:
                raise self._fault(f"the sizes of member {info.filename!r} differ")
        self._require_no_gaps(infos)

    def _require_no_gaps(self, infos: list[zipfile.ZipInfo]) -> None:
        directory = self._archive.start_dir
        starts = [info.header_offset for info in infos]
        for info, start, end in zip(infos, starts, [*starts[1:], directory], strict=True):
            if end - start - LOCAL_HEADER - len(info.filename.encode()) - info.file_size not in WIDE_FIELDS:
                raise self._fault(f"member {info.filename!r} is larger or smaller than its place")
        described = sum(
            CENTRAL_HEADER + len(info.filename.encode()) + len(info.extra) + len(info.comment) for info in infos
        )
        if starts[0] != 0 or self.size - directory - described - END not in WIDE_END:
            raise self._fault("there is something before, between or after its members")

    def _fault(self, what: str) -> ModelError:
        return ModelError(
            "PEN518",
            f"the model file is not laid out as Penstock writes it: {what}",
            where=str(self.path),
            remedy="fetch it again from where it came; do not repack it, and do not use it if you did not make it",
        )


def not_a_model(path: Path) -> ModelError:
    return ModelError(
        "PEN502",
        "this is not a skops model file",
        where=str(path),
        remedy="Penstock loads only models it has saved itself; pickles are refused, whatever their name",
    )


def damaged(path: Path, error: Exception) -> ModelError:
    return ModelError(
        "PEN504",
        f"the model file is damaged or was altered ({type(error).__name__}: {error})",
        where=str(path),
        remedy="fetch it again from where it came, or train it again",
    )
