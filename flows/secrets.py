"""Secrets that Prefect keeps: a block of type Secret that a source names."""

from __future__ import annotations

from typing import Any

from penstock.errors import UsageError
from penstock.sources.secrets import SECRET, hold


def fetch_secret(source: str, where: str) -> None:
    """Where the source is `secret:NAME`, its value for this process; it goes into no file, fact or message."""
    if not source.startswith(SECRET):
        return
    from prefect.blocks.system import Secret

    name = source.removeprefix(SECRET)
    try:
        block: Any = Secret.load(name)
    except ValueError:  # as Prefect says that there is none
        raise UsageError(
            "PEN134",
            f"Prefect keeps no secret '{name}'",
            where=where,
            remedy=f"make a block of type Secret with the name '{name}' on Prefect's page, or name an environment "
            "variable instead: env:SALES_URL",
        ) from None
    hold(name, str(block.get()))
