"""What was selected, extracted and expanded of the features."""

from __future__ import annotations

from pydantic import Field, JsonValue

from penstock.document.facts import Facts


class Weight(Facts):
    feature: str
    weight: float


class Loading(Facts):
    component: str
    made_of: list[Weight]


class ChosenStep(Facts):
    name: str
    parameters: dict[str, JsonValue]


class ChosenFeature(Facts):
    feature: str
    chosen: int
    offered: int
    share: float
    final: bool


class SelectedFeatures(Facts):
    by: ChosenStep
    folds: int
    offered: int
    kept: list[int]
    final: int
    stability: float | None
    features: list[ChosenFeature]


class Spectrum(Facts):
    variances: list[float]
    explained: list[float]
    components: int
    kept: int
    share: float | None
    gap: int


class Extracted(Facts):
    by: ChosenStep
    from_: int = Field(alias="from")
    to: int
    loadings: list[Loading]
    spectrum: Spectrum | None = None


class DegreeFit(Facts):
    degree: int
    learnt: float
    unseen: float
    curve: list[float]


class PolynomialFits(Facts):
    column: str
    chosen: int
    grid: list[float]
    x: list[float]
    y: list[float]
    fits: list[DegreeFit]


class Features(Facts):
    """`unseen`: by column, rows with a level that their fold's training rows lack."""

    unseen: dict[str, int] = Field(default_factory=dict)
    selection: SelectedFeatures | None = None
    extraction: Extracted | None = None
    polynomial: PolynomialFits | None = None
