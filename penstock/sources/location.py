"""What a source's text names, and the dates in it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Literal
from urllib.parse import parse_qsl, urlsplit
from zoneinfo import ZoneInfo

from penstock.errors import UsageError, did_you_mean
from penstock.sources.secrets import SECRET

ENVIRONMENT = "env:"
BUNDLED = "sklearn:"
PLACEHOLDERS = ("date", "yesterday")
DATABASES = (
    "sqlite", "postgresql", "postgres", "mysql", "mariadb", "oracle", "mssql", "duckdb", "snowflake", "bigquery",
    "redshift", "trino", "databricks",
)  # fmt: skip
SECRETS = re.compile(r"pass|pwd|secret|token|key|sig|credential", re.IGNORECASE)

Place = Literal["file", "database", "remote", "bundled"]


def place_of(source: str) -> Place:
    if source.startswith(BUNDLED):
        return "bundled"
    if source.startswith((ENVIRONMENT, SECRET)):
        return "database"
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*(::|://)", source):
        return "database" if re.split(r"[+:]", source)[0].lower() in DATABASES else "remote"
    return "file"


def require_no_secret(source: str) -> None:
    """A pipeline file is shared and versioned: nothing that opens a door may stand in it. The text is never shown."""
    for url in source.split("::"):
        if "://" not in url:
            continue
        parts = urlsplit(url)
        user = parts.netloc.rpartition("@")[0]
        token = user and parts.scheme in ("http", "https")  # a page needs no user name: it is a key
        if token or ":" in user or any(SECRETS.search(name) for name, _ in parse_qsl(parts.query)):
            raise UsageError(
                "PEN133",
                "the source holds a password or a key",
                where="the source",
                remedy="for a database, put the whole URL into an environment variable and name that: "
                "`source: env:SALES_URL`; for buckets, leave the keys to the driver's own environment variables; fetch "
                "other addresses into a file first",
            )


def require_known_placeholders(source: str) -> None:
    for name in re.findall(r"\{([^{}]*)\}", source):
        if name not in PLACEHOLDERS:
            raise UsageError(
                "PEN137",
                f"'{{{name}}}' in the source's name stands for nothing",
                where="data.source",
                remedy=did_you_mean(name, PLACEHOLDERS) + " (written in braces)",
            )


def fill_in(source: str, when: datetime, timezone: str) -> str:
    """Put the day of `when`, and the day before, in the place of `{date}` and `{yesterday}`: 2024-12-31."""
    if "{" not in source:
        return source
    today = when.astimezone(ZoneInfo(timezone)).date()
    days = {"date": today, "yesterday": today - timedelta(days=1)}
    return re.sub(r"\{(\w+)\}", lambda match: days[match.group(1)].isoformat(), source)
