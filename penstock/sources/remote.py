"""Files behind an address (s3://, https://, zip://a.csv::sales.zip...): fetched once onto this disk, then read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from penstock.errors import EnvironmentFault, PenstockError, UsageError, shorten
from penstock.sources.address import WEB, Address, address_of
from penstock.sources.files import Folders, file_named, open_file
from penstock.sources.hosts import Guard, require_allowed, require_reachable
from penstock.sources.parquet import SUFFIXES as PARQUET
from penstock.sources.unpacking import max_bytes, require_small, take_member

PACKAGES = {
    "s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs", "abfss": "adlfs",
    "adl": "adlfs", "http": "aiohttp", "https": "aiohttp", "sftp": "paramiko", "ssh": "paramiko", "smb": "smbprotocol",
    "webhdfs": "requests", "hf": "huggingface_hub", "dropbox": "dropboxdrivefs", "oss": "ossfs",
    "dbfs": "requests", "gdrive": "gdrive_fsspec", "lakefs": "lakefs-spec",
}  # fmt: skip


@contextmanager
def fetched(source: str, base: Path, folders: Folders, scratch: Path | None = None) -> Iterator[tuple[Path, Folders]]:
    """The file, or the folder of part files, on this disk, for as long as the body runs; and where it may be."""
    address = address_of(source)
    if address.path and not address.members:
        yield file_named(address.path, base), folders
        return
    with TemporaryDirectory(dir=scratch, prefix="source-") as name:
        folder = Path(name)
        where: Folders = None
        if address.path:
            path, where = file_named(address.path, base), folders
        else:
            path = _fetched(address, source, folder)
        for depth, (kind, member) in enumerate(address.members):
            inside = folder / f"member-{depth}"
            inside.mkdir()
            with _archive(path, where) as archive:
                path, where = take_member(archive, kind, member, inside, source), None
        yield path, where


@contextmanager
def _archive(path: Path, folders: Folders) -> Iterator[Any]:
    try:
        with open_file(path, folders) as file:
            yield file
    except OSError as error:
        raise UsageError(
            "PEN101", f"cannot read the archive: {error.strerror or error}", where=str(path), remedy="check the path"
        ) from None


def require_host(address: Address, where: str) -> None:
    """What the address alone shows of its host; what its name resolves to is judged when it is connected to."""
    if address.names_host:
        require_allowed(address.host, address.port, where)
    elif address.protocol in WEB:
        require_reachable(address.host, address.port or {"http": 80, "https": 443}[address.protocol], where)


def _fetched(address: Address, source: str, folder: Path) -> Path:
    require_host(address, source)
    guard = Guard(source)
    try:
        fs, path = _file_system(address, source, guard)
        name = path.rstrip("/").rsplit("/", 1)[-1]
        copy = folder / "fetched" / ("source" if name in ("", ".", "..") else name)
        if address.protocol not in WEB and fs.isdir(path):
            root = path.rstrip("/")
            for part in sorted(fs.find(path)):
                if part.lower().endswith(PARQUET) and ".." not in part.split("/"):
                    _fetch(fs, part, copy / part[len(root) :].lstrip("/"), source)
        else:
            _fetch(fs, path, copy, source)
    except FileNotFoundError:
        raise UsageError(
            "PEN101",
            "there is nothing at this address",
            where=source,
            remedy="check the address",
        ) from None
    except PenstockError:
        raise
    except Exception as error:  # drivers raise what they like
        raise guard.refused or EnvironmentFault(
            "PEN140",
            f"the data cannot be fetched: {type(error).__name__}: {shorten(str(error), 200)}",
            where=source,
            remedy="check the address, the network and the credentials that the driver takes from the environment",
        ) from None
    return copy


def _fetch(fs: Any, path: str, copy: Path, source: str) -> None:
    from fsspec.callbacks import Callback

    limit = max_bytes()

    class Counted(Callback):  # type: ignore[misc]
        """Of what comes longer than it was announced, as compressed answers do, no more than what may be unpacked."""

        def relative_update(self, inc: int = 1) -> None:
            super().relative_update(inc)
            require_small(self.value, max(limit, self.size or 0), source)

    copy.parent.mkdir(parents=True, exist_ok=True)
    fs.get_file(path, str(copy), callback=Counted())


def _file_system(address: Address, source: str, guard: Guard) -> tuple[Any, str]:
    import fsspec

    protocol = address.protocol
    options = {"get_client": guard.client, "skip_instance_cache": True} if protocol in WEB else {}
    try:
        fs, path = fsspec.core.url_to_fs(address.url, **options)
        return fs, path
    except ImportError as error:
        package = PACKAGES.get(protocol)
        raise EnvironmentFault(
            "PEN136",
            f"the driver for {protocol}:// is not installed",
            where=source,
            remedy=f"pip install {package}" if package else shorten(str(error), 200),
        ) from None
    except ValueError as error:
        raise UsageError(
            "PEN140", f"the address cannot be read: {shorten(str(error), 200)}", where=source, remedy="correct it"
        ) from None
