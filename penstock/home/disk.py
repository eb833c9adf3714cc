"""Disks that are full or closed to us: as the error says, or as the disk itself says where the error hides it."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from penstock.errors import EnvironmentFault, PenstockError

FULL, CLOSED = "PEN901", "PEN902"
SQLITE_FULL = 13  # sqlite3 itself need not be loaded for it
NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
PROBE_BYTES = 2**22


def disk_fault(error: OSError, path: Path) -> OSError | EnvironmentFault:
    """The error for people where the disk is full or closed to us; otherwise the error itself."""
    if error.errno in NO_SPACE:
        return _full(path)
    if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
        return EnvironmentFault(
            CLOSED,
            "no permission to write",
            where=str(path),
            remedy="choose a place that you may write to: with PENSTOCK_HOME for all that Penstock keeps, with another "
            "path (--out of init) for a file that a command writes",
        )
    return error


def full_disk(error: BaseException, home: Path, artifact_root: Path | None = None) -> EnvironmentFault | None:
    """PEN901 where an error of the machine comes of a full disk.

    It seldom says so: a server answers 500, a database cannot be opened, a worker dies as it writes its log. Where the
    error does not say, the file systems that are written to are asked. What is wrong with data or a pipeline file stays
    what it is.
    """
    said = no_space_in(error, home)
    if said or (isinstance(error, PenstockError) and not isinstance(error, EnvironmentFault)):
        return said
    return full_place(home, artifact_root)


def no_space_in(error: BaseException, home: Path | None = None) -> EnvironmentFault | None:
    """PEN901 where the kernel or SQLite said so anywhere below the error."""
    for below in _family(error, set()):
        if isinstance(below, EnvironmentFault) and below.code == FULL:
            return below
        if isinstance(below, OSError) and below.errno in NO_SPACE:
            return _full(Path(os.fsdecode(below.filename)) if isinstance(below.filename, (str, bytes)) else home)
        if getattr(below, "sqlite_errorcode", None) == SQLITE_FULL:
            return _full(home)
    return None


def full_place(home: Path, artifact_root: Path | None = None) -> EnvironmentFault | None:
    """PEN901 where a disk that is written to takes no more: free blocks and inodes, quotas and limits alike."""
    temporary = Path(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108  tempfile itself would look for another one
    places = (place for place in (home, artifact_root, temporary) if place is not None)
    return next((_full(place) for place in places if _takes_no_more(place)), None)


def _full(place: Path | None) -> EnvironmentFault:
    return EnvironmentFault(
        FULL,
        "the disk is full",
        where=str(place or ""),
        remedy="free some space, or set PENSTOCK_HOME to a folder on another disk (TMPDIR for temporary files); then "
        "run the same command again: finished stages are kept",
    )


def _takes_no_more(place: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=nearest(place), buffering=0) as file:
            written = file.write(bytes(PROBE_BYTES))
            os.fsync(file.fileno())
    except OSError as error:
        return error.errno in NO_SPACE
    return written < PROBE_BYTES


def nearest(path: Path) -> Path:
    """The path, or the nearest folder above it that exists."""
    return next(place for place in (path, *path.absolute().parents) if place.exists())


def _family(error: BaseException | None, seen: set[int]) -> Iterator[BaseException]:
    """The error and all that led to it."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield error
    yield from _family(error.__cause__, seen)
    yield from _family(error.__context__, seen)
    for below in getattr(error, "exceptions", ()):
        yield from _family(below, seen)
