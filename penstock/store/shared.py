"""A store that several machines share, at an fsspec URL: whole files, by name.

A bucket takes a file whole or not at all; on a disk it is renamed into place. Of other places a reader may get half a
file: whoever reads compares the digest or the form, so that half a file counts as none.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from penstock.errors import EnvironmentFault, PenstockError
from penstock.home.disk import no_space_in

NO_ANSWER, NO_FILE = "PEN920", "PEN907"


class Shared:
    """The files below one URL, and which of them this process knows to be there."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._known: set[str] = set()
        with self._told():
            from fsspec.core import url_to_fs

            self._files, root = url_to_fs(url, use_listings_cache=False)
        self._root = str(root).rstrip("/")
        self._on_disk = "file" in (self._files.protocol, *self._files.protocol)

    def read(self, name: str, most: int | None = None) -> bytes | None:
        """The file; of one that has more than `most` bytes, one byte more than that."""
        with self._told():
            try:
                cut = most is not None and self._files.info(self._at(name))["size"] > most
                span = {"start": 0, "end": most + 1} if cut and most is not None else {}
                return bytes(self._files.cat_file(self._at(name), **span))
            except FileNotFoundError:
                return None

    def write(self, name: str, content: bytes) -> None:
        with self._told():
            self._put(name, lambda path: self._files.pipe_file(path, content))

    def fetch(self, name: str, path: Path) -> bool:
        """Copy the file to this machine; whether it was there."""
        with self._told():
            try:
                self._files.get_file(self._at(name), str(path))
            except FileNotFoundError:
                return False
        return True

    def send(self, name: str, path: Path) -> None:
        """Copy the file from this machine, unless one of its size is there."""
        with self._told():
            try:
                there = self._files.info(self._at(name))["size"]
            except FileNotFoundError:
                there = None
            if there != path.stat().st_size:
                self._put(name, lambda place: self._files.put_file(str(path), place))
        self._known.add(name)

    def ensure(self, name: str, path: Path) -> None:
        """The same, asked once in the life of this process."""
        if name not in self._known:
            self.send(name, path)

    def remove(self, name: str) -> None:
        self._known.discard(name)
        with self._told():
            if self._files.exists(self._at(name)):
                self._files.rm_file(self._at(name))

    def remove_all(self) -> None:
        self._known.clear()
        with self._told():
            if self._files.exists(self._root):
                self._files.rm(self._root, recursive=True)

    def names(self, below: str) -> list[str]:
        """Of the files in a folder; one that is being written has no name yet."""
        with self._told():
            found = [posixpath.basename(path) for path in self._files.find(self._at(below), maxdepth=1)]
        return sorted(name for name in found if not name.startswith("."))

    def sizes(self, below: str) -> dict[str, int]:
        """Of all files in a folder and in those below it, by their names there."""
        with self._told():
            place = self._at(below)
            found = self._files.find(place, detail=True)
        return {name.removeprefix(place).lstrip("/"): int(about["size"] or 0) for name, about in found.items()}

    def checksum(self, name: str) -> str:
        with self._told(), self._files.open(self._at(name), "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def _put(self, name: str, write: Callable[[str], object]) -> None:
        place = self._at(name)
        folder = posixpath.dirname(place)
        first = posixpath.join(folder, f".writing-{secrets.token_hex(8)}") if self._on_disk else place
        try:
            write(first)
        except FileNotFoundError:
            self._files.makedirs(folder, exist_ok=True)
            write(first)
        if self._on_disk:
            Path(first).replace(place)

    def _at(self, name: str) -> str:
        """The file's place; on a disk, where no link leads elsewhere and nothing but a file is read."""
        place = self._root
        for part in name.split("/") if self._on_disk else ():
            place = f"{place}/{part}"
            try:
                mode = os.lstat(place).st_mode
            except OSError:
                break
            if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
                raise EnvironmentFault(
                    NO_FILE,
                    f"'{part}' in the shared store is {'a link' if stat.S_ISLNK(mode) else 'no file'}",
                    where=place,
                    remedy="remove it and run again, and see who may write to the shared store: Penstock puts only "
                    "files and folders there, and follows nothing that leads out of it",
                )
        return f"{self._root}/{name}"

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Whatever a driver raises means one thing to people: the shared store does not do as asked."""
        try:
            yield
        except PenstockError:
            raise
        except Exception as error:
            if full := no_space_in(error):
                raise full from error
            raise EnvironmentFault(
                NO_ANSWER,
                f"the shared store cannot be used: {type(error).__name__}: {error}",
                where=f"PENSTOCK_STORE={self.url}",
                remedy="check the address, this machine's rights and keys there, and that the driver is installed "
                "(s3fs for s3://, gcsfs for gs://, adlfs for abfs://); then run again: finished stages are kept",
            ) from error


@cache
def shared_at(url: str) -> Shared:
    return Shared(url)
