"""The steps of supervised learning, and the study of the prepared features."""

from __future__ import annotations

from penstock.document.facts import Facts


class Step(Facts):
    """A step of supervised learning, and the stages that did it."""

    step: int
    name: str
    stages: list[str]


class WithTarget(Facts):
    feature: str
    r: float


class FeaturePair(Facts):
    one: str
    other: str
    r: float


class Offered(Facts):
    """Names of features that were offered to the selector, and of those it kept."""

    offered: list[str]
    kept: list[str]


class PreparedStudy(Facts):
    """Correlations of the prepared features, in the training rows of the first fold."""

    rows: int
    features: int
    compared: int
    with_target: list[WithTarget]
    pairs: list[FeaturePair]
    redundant: int
    unseen: dict[str, int]
    selected: Offered | None = None


class StudiedPreparation(PreparedStudy):
    """The study, and the steps of supervised learning that the preparation took, in order."""

    steps: list[int]


class Course(Facts):
    """The steps of a run, and the study of its prepared features."""

    course: list[Step]
    prepared: PreparedStudy
