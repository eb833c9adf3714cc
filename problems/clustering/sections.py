"""What a clustering found: whether there are groups, how many, and what they are."""

from __future__ import annotations

from pydantic import JsonValue, RootModel

from penstock.document.facts import Facts, Interval, Section
from penstock.document.formats import percent, scalar
from penstock.document.registry import section


class Member(Facts):
    id: str
    values: dict[str, JsonValue]


class Telling(Facts):
    """In what a cluster differs from all rows; `of`: a mean, the share of a level, the share of missing values."""

    column: str
    of: str
    mean: float | str | None = None
    level: str | None = None
    share: float | None = None
    overall: float | str | None
    lift: float | None = None
    difference: float

    @property
    def in_words(self) -> str:
        """`age 24.45 (all 42.01)`."""
        if self.of == "mean":
            return f"{self.column} {scalar(self.mean)} (all {scalar(self.overall)})"
        what = "missing" if self.of == "missing" else f"“{self.level}”"
        return f"{self.column} {what} in {percent(self.share)} (all {percent(self.overall)})"


class LevelShare(Facts):
    level: str
    share: float


class Cluster(Facts):
    cluster: int
    size: int
    share: float
    profile: dict[str, LevelShare | float | str | None]
    spread: dict[str, float | None]
    telling: list[Telling]
    name: str
    stability: Interval | None
    typical: list[Member]
    border: list[Member]


@section("clusters")
class Clusters(RootModel[list[Cluster]]):
    pass


class Rule(Facts):
    cluster: int
    conditions: list[str]
    rows: int
    share: float


@section("rules")
class Rules(Section):
    """Of a small tree: `fidelity` is the share of test rows that it puts into the cluster of the model."""

    fidelity: Interval
    guess: float
    rows: int
    leaves: int
    rules: list[Rule]


class Reference(Facts):
    """The rows against draws of rows without groups."""

    reference: str
    statistic: float
    draws: list[float]
    pvalue: float


@section("structure")
class Structure(Section):
    structured: bool
    pvalue: float
    statistic: float
    nearest: str
    comparisons: list[Reference]
    level: float
    rows: int
    sentence: str


class Criterion(Facts):
    """What a criterion says about the number of clusters; `bar`: what a value has to reach."""

    criterion: str
    values: dict[str, float]
    k: int | None
    reason: str
    errors: dict[str, float]
    bar: float | None


class Consensus(Facts):
    names: list[str]
    overall: float
    with_others: dict[str, float]
    words: str


@section("number")
class NumberOfClusters(Section):
    criteria: dict[str, Criterion]
    votes: dict[str, int]
    clusters: int
    consensus: Consensus | None


@section("scalings")
class Scalings(Section):
    """The winner under other scalings: the adjusted Rand index between the answers."""

    chosen: str
    clusters: dict[str, dict[str, int]]
    agreement: dict[str, float]
    with_chosen: dict[str, float]
    depends: bool
    words: str
    failed: dict[str, str]


class PairsOfRows(Facts):
    both: int
    cluster_only: int
    group_only: int
    neither: int


@section("truth")
class Truth(Section):
    """The clusters of the test rows beside a known grouping; the scores are there where a row has a group."""

    column: str
    rows: int
    without_group: int | None = None
    clusters: int | None = None
    groups: int | None = None
    noise_share: float | None = None
    purity: float | None = None
    purity_unweighted: float | None = None
    inverse_purity: float | None = None
    pairs: PairsOfRows | None = None
    rand: float | None = None
    pair_precision: float | None = None
    pair_recall: float | None = None
    adjusted_rand: float | None = None
    mutual_information: float | None = None
    expected_mutual_information: float | None = None
    entropy_of_clusters: float | None = None
    entropy_of_groups: float | None = None
    adjusted_mutual_information: float | None = None
    ami_normaliser: str | None = None
    homogeneity: float | None = None
    completeness: float | None = None
    v_measure: float | None = None
    agreement: Interval | None = None
