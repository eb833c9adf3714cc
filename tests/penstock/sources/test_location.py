from __future__ import annotations

from datetime import UTC, datetime

import pytest

from penstock.errors import UsageError
from penstock.sources.location import (
    fill_in,
    place_of,
    require_known_placeholders,
    require_no_secret,
)


def test_what_a_source_names() -> None:
    places = {
        "data/sales.csv": "file",
        "C:/data/sales.csv": "file",
        "s3://bucket/sales.csv": "remote",
        "simplecache::s3://bucket/sales.csv": "remote",
        "file:///data/sales.csv": "remote",
        "env:SALES_URL": "database",
        "postgresql+psycopg://host/sales": "database",
        "sqlite:///sales.db": "database",
        "sklearn:iris": "bundled",
    }
    assert {source: place_of(source) for source in places} == places


def test_days_are_filled_in_by_the_time_zone() -> None:
    late = datetime(2024, 12, 31, 23, 30, tzinfo=UTC)
    assert fill_in("s-{date}.csv", late, "UTC") == "s-2024-12-31.csv"
    assert fill_in("{yesterday}/s-{date}.csv", late, "Europe/Rome") == "2024-12-31/s-2025-01-01.csv"
    assert fill_in("plain.csv", late, "UTC") == "plain.csv"
    with pytest.raises(UsageError, match=r"PEN137(.|\n)*did you mean 'yesterday'"):
        require_known_placeholders("s-{yesteday}.csv")


@pytest.mark.parametrize(
    "source",
    [
        "postgresql://me:hunter2@host/db",
        "s3://key:hunter2@bucket/t.csv",
        "https://host/t.csv?sig=hunter2",
        "mssql+pyodbc://host/db?password=hunter2",
        "simplecache::https://me:hunter2@host/t.csv",
    ],
)
def test_secrets_are_refused_and_not_told(source: str) -> None:
    with pytest.raises(UsageError) as caught:
        require_no_secret(source)
    assert caught.value.code == "PEN133"
    assert "hunter2" not in str(caught.value)
    assert "env:" in caught.value.remedy


def test_addresses_without_secrets_pass() -> None:
    for source in ("postgresql://me@host/db", "s3://bucket/t.csv", "https://host/t.csv?page=2", "a@b:c.csv"):
        require_no_secret(source)
