"""Files behind a URL (s3://, gs://, https://, memory://...): fetched once onto this disk, then read like any file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from penstock.components.sources.parquet import SUFFIXES as PARQUET
from penstock.errors import EnvironmentFault, PenstockError, UsageError, did_you_mean, shorten

PACKAGES = {
    "s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs", "abfss": "adlfs",
    "adl": "adlfs", "http": "aiohttp", "https": "aiohttp", "sftp": "paramiko", "ssh": "paramiko", "smb": "smbprotocol",
    "webhdfs": "requests", "github": "requests", "hf": "huggingface_hub", "dropbox": "dropboxdrivefs", "oss": "ossfs",
    "dbfs": "requests", "gdrive": "gdrive_fsspec", "webdav": "webdav4", "lakefs": "lakefs-spec",
}  # fmt: skip


@contextmanager
def fetched(url: str, scratch: Path | None = None) -> Iterator[Path]:
    """The file, or the folder of part files, on this disk, for as long as the body runs."""
    fs, path = _file_system(url)
    if fs.protocol == "file" or "file" in fs.protocol:
        yield Path(path)
        return
    with TemporaryDirectory(dir=scratch, prefix="source-") as folder:
        try:
            name = path.rstrip("/").rsplit("/", 1)[-1]
            if fs.isdir(path):
                copy = Path(folder, name)
                root = path.rstrip("/")
                for part in sorted(fs.find(path)):
                    if part.lower().endswith(PARQUET) and ".." not in part.split("/"):
                        _fetch(fs, part, copy / part[len(root) :].lstrip("/"))
            else:
                copy = Path(folder, name)
                _fetch(fs, path, copy)
        except FileNotFoundError:
            raise UsageError(
                "PEN101",
                "there is nothing at this address",
                where=url,
                remedy="check the address",
            ) from None
        except PenstockError:
            raise
        except Exception as error:  # drivers raise what they like
            raise EnvironmentFault(
                "PEN140",
                f"the data cannot be fetched: {type(error).__name__}: {shorten(str(error), 200)}",
                where=url,
                remedy="check the address, the network and the credentials that the driver takes from the environment",
            ) from None
        yield copy


def _fetch(fs: Any, path: str, copy: Path) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    fs.get_file(path, str(copy))


def _file_system(url: str) -> tuple[Any, str]:
    import fsspec

    protocol = url.partition("::")[0].partition("://")[0]
    try:
        fs, path = fsspec.core.url_to_fs(url)
        return fs, path
    except ImportError as error:
        package = PACKAGES.get(protocol)
        raise EnvironmentFault(
            "PEN136",
            f"the driver for {protocol}:// is not installed",
            where=url,
            remedy=f"pip install {package}" if package else shorten(str(error), 200),
        ) from None
    except ValueError as error:
        if "Protocol not known" not in str(error):
            raise UsageError(
                "PEN140", f"the address cannot be read: {shorten(str(error), 200)}", where=url, remedy="correct it"
            ) from None
        raise UsageError(
            "PEN140",
            f"'{protocol}://' is no known kind of address",
            where=url,
            remedy=did_you_mean(protocol, ["s3", "gs", "abfs", "https", "sftp", "file", "memory", "hdfs"]),
        ) from None
    except Exception as error:  # a driver that wants credentials already now
        raise EnvironmentFault(
            "PEN140",
            f"the address cannot be opened: {type(error).__name__}: {shorten(str(error), 200)}",
            where=url,
            remedy="check the credentials that the driver takes from the environment",
        ) from None
