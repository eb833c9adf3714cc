"""What the gate decided, and all that it rests on."""

from __future__ import annotations

from penstock.document.facts import Facts, Interval


class Need(Facts):
    """Rows with which the interval would allow an outcome, if the difference stays what it is."""

    outcome: str
    rows: int
    likely: int


class GateCheck(Facts):
    """A safeguard: what was measured, against what, and what came of it."""

    kind: str
    name: str
    state: str
    limit: float
    value: float | None = None
    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    rows: int | None = None
    needed: int | None = None
    timed: bool = False
    reason: str


class MatchedPair(Facts):
    """A cluster and its counterpart in service; None where there is none."""

    cluster: int | None
    champion: int | None
    rows: int
    shared: int = 0
    jaccard: float = 0.0


class Match(Facts):
    rows: int
    agreement: float
    pairs: list[MatchedPair]
    words: str


class Verdict(Facts):
    """`difference`: the challenger's score less the champion's, on rows that neither was trained on."""

    verdict: str
    reason: str
    needs: list[Need]
    difference: Interval | None
    rows: int
    margin: float | None
    checks: list[GateCheck]
    timed: bool
    version: str
    champion: str | None
    withdrawn: bool
    matched: Match | None = None
