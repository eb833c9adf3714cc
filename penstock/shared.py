"""A store that several machines share, at an fsspec URL: whole files, by name.

A bucket takes a file whole or not at all; on a disk it is renamed into place. Of other places a reader may get half a
file: whoever reads compares the digest or the form, so that half a file counts as none.
"""

from __future__ import annotations

import posixpath
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from penstock.errors import EnvironmentFault

NO_ANSWER = "PEN920"


class Shared:
    """The files below one URL, and which of them this process knows to be there."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._known: set[str] = set()
        with self._told():
            from fsspec.core import url_to_fs

            self._files, root = url_to_fs(url, use_listings_cache=False)
        self._root = str(root).rstrip("/")

    def read(self, name: str) -> bytes | None:
        with self._told():
            try:
                return bytes(self._files.cat_file(self._at(name)))
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

    def sizes(self, below: str) -> list[int]:
        with self._told():
            found = self._files.find(self._at(below), detail=True)
        return [int(about["size"] or 0) for about in found.values()]

    def _put(self, name: str, write: Callable[[str], object]) -> None:
        place = self._at(name)
        on_disk = "file" in (self._files.protocol, *self._files.protocol)
        first = posixpath.join(posixpath.dirname(place), f".writing-{secrets.token_hex(8)}") if on_disk else place
        try:
            write(first)
        except FileNotFoundError:
            self._files.makedirs(posixpath.dirname(place), exist_ok=True)
            write(first)
        if on_disk:
            Path(first).replace(place)

    def _at(self, name: str) -> str:
        return f"{self._root}/{name}"

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Whatever a driver raises means one thing to people: the shared store does not do as asked."""
        try:
            yield
        except Exception as error:
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
