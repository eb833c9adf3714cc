"""What stands in the document where no answers are known to the fit: known groups beside it, and pictures."""

from __future__ import annotations

from penstock.document.facts import Facts, Interval, Section
from penstock.document.registry import section


class Usual(Facts):
    group: str
    rows: float
    log_density: float
    rare: float


@section("known")
class KnownGroups(Section):
    """Beside groups that were not seen: whether nearest rows share them, or how usual the rows of each are."""

    column: str
    rows: int
    groups: int
    neighbours: Interval | None = None
    neighbours_before: Interval | None = None
    usual: list[Usual] | None = None


@section("pictures")
class Pictures(Section):
    """Methods that only draw; their pictures stand among the figures."""

    rows: int
    names: list[str]
