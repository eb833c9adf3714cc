"""Secrets that were fetched for this process, by name; kept in memory and nowhere else."""

from __future__ import annotations

from penstock.errors import UsageError

SECRET = "secret:"  # noqa: S105  how a source names one

_held: dict[str, str] = {}


def hold(name: str, value: str) -> None:
    _held[name] = value


def held(name: str) -> str:
    if name not in _held:
        raise UsageError(
            "PEN134",
            f"the secret '{name}' is known to runs only",
            where=f"{SECRET}{name}",
            remedy="put the database's URL into an environment variable, and name that: env:SALES_URL",
        )
    return _held[name]
