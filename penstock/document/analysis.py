"""What the training rows say before any model."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from penstock.document.facts import Facts


class Sample(Facts):
    rows: int
    of: int
    seed: int


class LeftOut(Facts):
    count: int
    columns: list[str]


class Finding(Facts):
    """`weight` orders findings: 100 may void the result, 0 is good to know."""

    kind: str
    weight: int | float
    columns: list[str]
    text: str
    advice: str


class Gap(Facts):
    column: str
    rows: int
    share: float | None


class GapPattern(Facts):
    columns: list[str]
    rows: int
    share: float | None


class GapPair(Facts):
    """How often `column` is missing where `other` is, and elsewhere."""

    column: str
    other: str
    correlation: float | None
    if_other: float | None
    else_: float | None


class Missing(Facts):
    cells: float | None
    complete_rows: int
    rows: int
    columns: list[Gap]
    patterns: list[GapPattern]
    together: list[GapPair]


class FarValue(Facts):
    value: float | None
    row: str
    robust_z: float | None


class Outliers(Facts):
    column: str
    known: int
    robust_z: int
    iqr: int
    share: float | None
    low: float | None
    high: float | None
    furthest: float | None
    examples: list[FarValue]


class Contradictions(Facts):
    rows: int
    share: float | None
    groups: int
    pairs: int | None
    measure: str
    ceiling: float | None
    examples: list[str]


class Mistakes(Facts):
    name: Literal["mistakes"]
    title: str
    missing: Missing
    outliers: list[Outliers]
    contradictions: Contradictions | None


class AnalysisTask(Facts):
    problem: str
    inputs: list[str]
    target: str | None
    goal: str
    suggested: str


class Kind(Facts):
    column: str
    role: str
    kind: str
    encoder: str
    family: str | None


class ClassShare(Facts):
    class_: str = Field(alias="class")
    rows: int
    share: float | None
    rare: bool


class Skewness(Facts):
    column: str
    skewness: float | None


class Assumptions(Facts):
    name: Literal["assumptions"]
    title: str
    task: AnalysisTask
    kinds: list[Kind]
    classes: list[ClassShare]
    shapes: list[Skewness]


class ColumnScore(Facts):
    column: str
    score: float | None
    sd: float | None


class Baselines(Facts):
    """How well each column alone predicts, on rows not seen."""

    measure: str
    dummy: float | None
    rows: int
    folds: int
    columns: list[ColumnScore]
    left_out: dict[str, str]
    reason: str | None


class Signal(Facts):
    name: Literal["signal"]
    title: str
    baselines: Baselines | None


class RelatedGroup(Facts):
    group: str
    rows: int
    target: float | None
    class_: str | None = Field(default=None, alias="class")


class OutcomeOfGaps(Facts):
    rows: int
    missing: float | None
    known: float | None


class Relation(Facts):
    """Of one column with the target; what holds of numbers alone is None for others."""

    column: str
    role: str
    rows: int
    nats: float | None
    information: float | None
    groups: list[RelatedGroup]
    pearson: float | None = None
    spearman: float | None = None
    direction: str | None = None
    effect: float | None = None
    cramers_v: float | None = None
    correlation_ratio: float | None = None
    gaps: OutcomeOfGaps | None = None


class Relations(Facts):
    name: Literal["relations"]
    title: str
    columns: list[Relation]


class Inflation(Facts):
    column: str
    factor: float | None


class Collinearity(Facts):
    rows: int
    columns: int
    rank: int
    condition: float | None
    warning: bool
    branch: str
    advice: str
    redundant: list[str]
    inflation: list[Inflation]


class StepAccuracy(Facts):
    step: str
    value: float | None


class Separability(Facts):
    rows: int
    columns: list[str]
    majority: float | None
    separable: bool | None
    accuracy: list[StepAccuracy]
    step: str
    advice: str


class Methods(Facts):
    name: Literal["methods"]
    title: str
    collinearity: Collinearity | None
    separability: Separability | None


class Pair(Facts):
    column: str
    other: str
    cramers_v: float | None
    mutual_information: float | None
    rows: float | None
    pearson: float | None
    spearman: float | None
    covariance: float | None = None
    strength: float | None


class Predictors(Facts):
    name: Literal["predictors"]
    title: str
    pairs: list[Pair]
    more_pairs: int


Look = Annotated[Mistakes | Assumptions | Signal | Relations | Methods | Predictors, Field(discriminator="name")]


class Analysis(Facts):
    rows: int
    columns: int
    problem: str
    target: str | None
    sample: Sample
    left_out: LeftOut
    headline: list[str]
    findings: list[Finding]
    sections: list[Look]
