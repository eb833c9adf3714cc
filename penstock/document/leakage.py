"""The leakage certificate."""

from __future__ import annotations

from typing import Any

from penstock.document.facts import Facts


class LeakageCheck(Facts):
    code: str
    title: str
    outcome: str
    severity: str | None
    message: str
    remedy: str | None
    columns: list[str]
    count: int
    examples: list[Any]
    numbers: dict[str, float]


class Certificate(Facts):
    """`found`: the codes of the checks that found something."""

    summary: str
    passed: int
    found: list[str]
    checks: list[LeakageCheck]
