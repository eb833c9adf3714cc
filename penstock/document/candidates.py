"""What was tried, how the winner was picked, and what it is."""

from __future__ import annotations

from typing import Annotated

from pydantic import JsonValue

from penstock.document.facts import Facts, Interval, Volatile

Parameters = dict[str, JsonValue]
Preparation = dict[str, dict[str, Parameters]]


class ModelCard(Facts):
    """What kind of model a method is."""

    supervision: str
    form: str
    view: str
    output: str
    shape: str
    memory: str
    time: str
    capacity: list[str]


class Member(Facts):
    """A candidate in an ensemble, and how much it counts there."""

    name: str
    parameters: Parameters
    weight: float
    component: dict[str, JsonValue]


class Winner(Facts):
    label: str
    name: str
    parameters: Parameters
    preparation: Preparation
    members: list[Member]
    card: ModelCard | None
    model_digest: str


class Decisions(Facts):
    """McNemar's test: rows that only the winner decides rightly, rows that only the other one does."""

    only_winner: int
    only_other: int
    p: float
    adjusted: float


class Against(Facts):
    """How far a candidate is behind the winner, by which test, and whether chance alone may do that."""

    difference: float
    low: float
    high: float
    test: str
    p: float
    adjusted: float
    alike: bool
    decisions: Decisions | None = None


class Tried(Facts):
    """A candidate: a rank where it was compared, a reason where it was ended early or failed."""

    label: str
    name: str
    parameters: Parameters
    preparation: Preparation
    status: str
    reason: str | None
    score: float | None
    low: float | None
    high: float | None
    folds: list[float | None]
    over_folds: Interval | None
    against: Against | None
    members: list[Member]
    stability: Interval | None
    neg_bic: float | None
    seconds: Annotated[float | None, Volatile]
    rank: int | None


class NestedWinner(Facts):
    name: str
    parameters: Parameters


class Nested(Interval):
    """What the whole search is worth on rows that it has not seen; the score and the winner of each outer fold."""

    metric: str
    folds: list[float | None]
    winners: list[NestedWinner]


class Compact(Facts):
    clusters: int
    covariance: str
    cost: float
    validity: float


class Dense(Facts):
    clusters: int
    min_cluster_size: int
    min_samples: int
    steadiness: float
    validity: float


class Weighed(Facts):
    """Compact groups against dense regions, where the rows decided between them."""

    mixture: Compact | None = None
    dense: Dense | None = None
    agreement: float | None = None
    pieces: float | None = None


class Selection(Facts):
    """`naive`: the winner's score on the rows that chose it. `corrected`: the same for having been picked."""

    metric: str
    naive: float | None
    corrected: Interval | None
    nested: Nested | None
    reason: str | None
    rule: str | None
    best: str | None
    standard_error: float | None
    alike: list[str] | None
    weighed: Weighed | None
    candidates: int
    fits: int
    halved: int
    winners_evaluated: int


class Score(Interval):
    """A metric of the winner; `sign` is -1 where less is better; `text` names it with its parameters."""

    label: str
    sign: int
    text: str | None = None
