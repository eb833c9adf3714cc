"""How probabilities become predictions, and how good the predictions are, class by class."""

from __future__ import annotations

from pydantic import Field

from penstock.document.facts import Facts, Interval, Section
from penstock.document.registry import section


class Promise(Facts):
    """How far promised probabilities are from what happened."""

    error: Interval
    brier: float
    log_loss: float


class Calibrated(Facts):
    method: str
    before: Promise
    after: Promise


class Threshold(Facts):
    """Above which probability the positive class is predicted; the curve over all thresholds that it was picked
    from.
    """

    value: float
    why: str
    metric: str
    label: str
    sign: int
    rows: int
    thresholds: list[float]
    scores: list[float]
    best: float
    best_score: float
    usual_score: float


class CoverageAsked(Facts):
    asked: float
    rows: int
    nonconformity: float | None = None
    half_width: float | None = None


@section("decision")
class Decision(Section):
    """What was learnt on training rows that the winner's fits had not seen."""

    calibration: Calibrated | None = None
    costs: list[list[int | float]] | None = None
    threshold: Threshold | None = None
    coverage: CoverageAsked | None = None


class ClassQuality(Facts):
    class_: str | int | float | bool = Field(alias="class")
    precision: float
    recall: float
    f1: float
    rows: int


class Average(Facts):
    precision: float
    recall: float
    f1: float


@section("quality")
class Quality(Section):
    """The confusion matrix of the predictions, and precision and recall of each class."""

    orientation: str
    matrix: list[list[int | float]]
    classes: list[ClassQuality]
    macro: Average
    micro: Average


class Bins(Facts):
    rows: list[int]
    promised: list[float]
    happened: list[float]


class Brier(Facts):
    score: float
    reliability: float
    resolution: float
    uncertainty: float


class Uncalibrated(Facts):
    error: Interval
    brier: Brier


@section("calibration")
class Calibration(Section):
    """On the test rows; `before`: without the correction, where there is one."""

    error: Interval
    by_chance: float
    rule: str
    of: str
    bins: Bins
    brier: Brier
    before: Uncalibrated | None = None


@section("coverage")
class Coverage(Section):
    """The share of test rows whose set or interval holds the truth, and the mean size."""

    share: Interval
    size: float
    rows: int
