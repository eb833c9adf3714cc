"""Where the rows of a pipeline come from."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from penstock.sources.location import require_known_placeholders, require_no_secret


def _checked(source: str) -> str:
    require_no_secret(source)
    require_known_placeholders(source)
    return source


Source = Annotated[
    str,
    AfterValidator(_checked),
    Field(
        min_length=1,
        description="A file relative to the pipeline file (CSV, JSON lines, Excel, Parquet or a folder of Parquet "
        "files), a URL such as s3://bucket/sales.csv, `env:NAME` for a database whose URL stands in that environment "
        "variable, `secret:NAME` for one whose URL is a Secret block of Prefect, or `sklearn:iris`. "
        "`{date}` and `{yesterday}` stand for days such as 2024-12-31.",
    ),
]
