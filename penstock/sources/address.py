"""The address of a source, link by link: `zip://a.csv::s3://bucket/a.zip` is a file in an archive in a bucket."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from penstock.errors import UsageError, did_you_mean

FILES = ("file", "local")
WEB = ("http", "https")
# Their drivers know the host, or take it from the environment of whoever runs the pipeline.
BUCKETS = ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "hf", "dropbox", "gdrive", "lakefs")
# Their drivers connect to the host of the URL, and resolve it themselves.
SERVERS = ("sftp", "ssh", "smb", "ftp", "hdfs", "webhdfs", "dbfs", "oss")
MEMORY = "memory"
ARCHIVES = ("zip", "tar")
# What is fetched is fetched once, with or without them.
CACHES = ("simplecache", "filecache", "blockcache")
KNOWN = (*FILES, *WEB, *BUCKETS, *SERVERS, MEMORY)
# A URL may name an account together with its host, to which the driver sends its key.
AZURE = (".core.windows.net", ".core.chinacloudapi.cn", ".core.usgovcloudapi.net", ".fabric.microsoft.com")


@dataclass(frozen=True)
class Address:
    """`members`: archives from the innermost out, each with the member that is read. `path`: of a local file."""

    protocol: str
    path: str = ""
    url: str = ""
    members: tuple[tuple[str, str], ...] = ()

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int | None:
        return urlsplit(self.url).port

    @property
    def names_host(self) -> bool:
        """Whether a driver connects to a host of the URL's own choice, and resolves it itself."""
        chosen = self.protocol in ("az", "abfs", "abfss", "adl") and urlsplit(self.url).username is not None
        return self.protocol in SERVERS or (chosen and not self.host.endswith(AZURE))


def address_of(source: str) -> Address:
    """Only kinds of addresses that are listed here are read, in every link of the chain."""
    *before, last = source.split("::")
    members = []
    for link in before:
        protocol, separator, member = link.partition("://")
        if protocol.lower() in ARCHIVES and member.strip("/"):
            members.append((protocol.lower(), member.strip("/")))
        elif protocol.lower() not in CACHES or separator:
            raise _unknown(link, source, [*ARCHIVES, *CACHES])
    members.reverse()
    protocol, separator, rest = last.partition("://")
    if not separator:
        if not last or not before:
            raise _unknown(last, source, KNOWN)
        return Address("file", path=last, members=tuple(members))
    protocol = protocol.lower()
    if protocol in FILES:
        if not rest.startswith("/"):
            raise _unreadable("a file of this machine is written with three slashes", source, "file:///data/sales.csv")
        return Address(protocol, path=rest, members=tuple(members))
    if protocol not in KNOWN:
        raise _unknown(last, source, KNOWN)
    found = Address(protocol, url=f"{protocol}://{rest}", members=tuple(members))
    try:
        found.port  # noqa: B018  it is read when it is asked for
    except ValueError as error:
        raise _unreadable(str(error), source, "https://host/sales.csv") from None
    return found


def _unknown(link: str, source: str, known: tuple[str, ...] | list[str]) -> UsageError:
    protocol = link.partition("://")[0]
    return UsageError(
        "PEN140",
        f"'{protocol}://' is no kind of address that sources are read from",
        where=source,
        remedy=did_you_mean(protocol, list(known)),
    )


def _unreadable(why: str, source: str, example: str) -> UsageError:
    return UsageError("PEN140", f"the address cannot be read: {why}", where=source, remedy=f"write it like {example}")
