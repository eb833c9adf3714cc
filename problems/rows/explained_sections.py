"""What the winner goes by, for whom it does worse, and how it hangs on rows and capacity."""

from __future__ import annotations

from pydantic import Field, JsonValue

from penstock.document.facts import Facts, Interval, Section
from penstock.document.registry import section


class Table(Facts):
    title: str
    heads: list[str]
    rows: list[list[JsonValue]]


class History(Facts):
    """Of a model that learns epoch by epoch: the epoch that was kept, and series with a value for each."""

    best_epoch: int
    validated: bool
    loss: str
    error: str
    series: dict[str, list[float | None]]
    gradient_norms: list[list[float]]


@section("deciding")
class Deciding(Section):
    """How the model decides, in the words of its kind; empty where its kind cannot tell."""

    sentences: list[str] = Field(default_factory=list)
    tables: list[Table] = Field(default_factory=list)
    texts: dict[str, list[str]] = Field(default_factory=dict)
    history: History | None = None


class Importance(Interval):
    column: str


class Curve(Facts):
    mean: list[float]
    low: list[float]
    high: list[float]
    of: str | None


class Dependence(Facts):
    column: str
    role: str
    distinct: int
    grid: list[JsonValue]
    curves: list[Curve]


class Slice(Interval):
    """`behind`: how much worse than all rows; `worse`: by more than chance, corrected for the number of slices."""

    column: str
    slice: str
    rows: int
    behind: float | None
    p: float | None
    adjusted: float | None
    worse: bool


class FairnessMeasure(Interval):
    """`random_level`: what chance alone reaches."""

    random_level: float
    beyond: bool


class FairnessGroup(Facts):
    group: str
    rows: int
    selected: float | None
    found: float | None
    false_alarms: float | None


class Fairness(Facts):
    groups: list[FairnessGroup]
    demographic_parity: FairnessMeasure
    equalised_odds: FairnessMeasure


class Shap(Facts):
    columns: list[Importance]
    rows: int
    points: JsonValue
    ranks: JsonValue


@section("explanation")
class Explanation(Section):
    metric: str
    label: str
    sign: int
    target: str
    rows: int
    importance: list[Importance]
    dependence: list[Dependence]
    slices: list[Slice]
    fairness: dict[str, Fairness]
    shap: Shap | None


class CurvePoint(Facts):
    train: float
    valid: float | None
    low: float | None
    high: float | None
    fit: str | None


class RowsPoint(CurvePoint):
    rows: int


class ValuePoint(CurvePoint):
    value: int | float


class LearningCurve(Facts):
    points: list[RowsPoint]
    metric: str
    sign: int


class ValidationCurve(Facts):
    """`best` is the value at the curve's best score; `chosen` is the winner's."""

    parameter: str
    chosen: JsonValue
    best: int | float | None
    from_candidates: bool
    points: list[ValuePoint]
    metric: str
    sign: int


class RoundsPoint(Facts):
    rounds: int
    train: float
    valid: float


class Rounds(Facts):
    points: list[RoundsPoint]
    best: int | None
    no_errors_from: int | None
    metric: str | None = None
    sign: int | None = None


@section("curves")
class Curves(Section):
    learning_curve: LearningCurve
    validation_curve: ValidationCurve | None
    rounds: Rounds | None = None


class Squared(Facts):
    loss: float
    bias: float
    variance: float
    noise: float


class ZeroOne(Facts):
    loss: float
    bias: float
    variance: float
    variance_hurts: float
    variance_helps: float


class Eye(Facts):
    points: list[list[float]]
    bias: float
    spread: float


class TradeOff(Squared):
    value: int | float


@section("bias_variance")
class BiasVariance(Section):
    rounds: int
    rows: int
    squared: Squared
    decisions: ZeroOne | None
    eye: Eye
    parameter: str | None
    chosen: JsonValue = None
    trade_off: list[TradeOff]
