"""Two runs side by side, as `--json` prints them; in what is of both, the first run's stands first."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from penstock.document.candidates import Score
from penstock.document.facts import Facts, Interval
from penstock.document.verdict import Match


class Change(Facts):
    """A key that differs, and its values; None where one of the runs lacks it."""

    key: str
    before: Any = Field(alias="from")
    after: Any = Field(alias="to")


class RoleChange(Facts):
    column: str
    before: str = Field(alias="from")
    after: str = Field(alias="to")


class DataChange(Facts):
    """`added` and `removed`: columns."""

    same: bool
    digest: tuple[str, str]
    rows: tuple[int, int]
    test_rows: tuple[int, int]
    added: list[str]
    removed: list[str]
    roles: list[RoleChange]


class Difference(Interval):
    """The second run's score less the first's, on the same rows; the verdict in words."""

    verdict: str


class MetricChange(Facts):
    name: str
    label: str
    sign: int
    values: tuple[Score, Score]
    difference: Difference | None


class RunComparison(Facts):
    """`matched`: of two clusterings, which cluster is which."""

    runs: tuple[str, str]
    spec: list[Change]
    data: DataChange
    winner: list[Change]
    metric: str
    metrics: list[MetricChange]
    paired_rows: int
    not_paired_because: str | None
    matched: Match | None

    def as_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_unset=True)
