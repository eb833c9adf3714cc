"""Files of this machine: opened only below the folders in which a source may be."""

from __future__ import annotations

import os
from io import BufferedReader
from pathlib import Path

from penstock.errors import UsageError
from penstock.settings import ALLOW_PATHS

Folders = tuple[Path, ...] | None
"""Folders, resolved, in which files may be, the project first; None where the user has named the file."""

# Linux opens a folder that may be passed through but not listed.
_PASS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def file_named(text: str, base: Path) -> Path:
    """What a path in a pipeline file stands for; `base` is the folder of that file."""
    return base / os.path.expanduser(text)


def resolve(path: Path, folders: Folders, where: str = "data.source") -> Path:
    """The file without links, which is below one of the folders."""
    if folders is None:
        return path
    try:
        file = path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle
        raise UsageError(
            "PEN101", f"cannot read the data: {error}", where=str(path), remedy="check the path and its links"
        ) from None
    if not any(file.is_relative_to(folder) for folder in folders):
        key = where.rpartition(": ")[2]
        raise UsageError(
            "PEN056",
            f"'{path}' is outside the project, {folders[0]}",
            where=where,
            remedy=f"move it into the project, or allow its folder: export {ALLOW_PATHS}={file.parent}; for once, "
            f"--set {key}={file}",
        )
    return file


def open_file(path: Path, folders: Folders, where: str = "data.source") -> BufferedReader:
    """Opened step by step without following links: what has been resolved is what is read, whatever is swapped."""
    if folders is None:
        return path.open("rb")
    file = resolve(path, folders, where)
    folder = os.open(file.anchor, _PASS)
    try:
        for step in file.parts[1:-1]:
            below = os.open(step, _PASS, dir_fd=folder)
            os.close(folder)
            folder = below
        return os.fdopen(os.open(file.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder), "rb")
    finally:
        os.close(folder)
