"""What a density found."""

from __future__ import annotations

from pydantic import JsonValue

from penstock.document.facts import Facts, Section
from penstock.document.registry import section


class RareRow(Facts):
    id: str
    log_density: float
    outlier: bool
    values: dict[str, JsonValue]


@section("density")
class Density(Section):
    rows: int
    flagged: int
    threshold: float | None
    rarest: list[RareRow]
