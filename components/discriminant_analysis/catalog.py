"""Discriminant analysis of the catalogue."""

from __future__ import annotations

from dataclasses import replace

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import OneOf

_CARD = Card(
    form="parametric",
    view="generative",
    output="probabilistic",
    shape="linear",
    memory="O(d^2 + K d)",
    time="O(n d^2)",
    capacity=("shrinkage",),
)

ENTRIES = (
    Entry(
        name="linear-discriminant-analysis",
        kind="classifier",
        problems=("classification",),
        library="sklearn.discriminant_analysis:LinearDiscriminantAnalysis",
        # The library's own solver knows no shrinkage.
        defaults={"solver": "lsqr"},
        space={"shrinkage": OneOf((None, "auto", 0.1, 0.3, 0.6, 0.9), default=None)},
        complexity=1,
        lists=("priors",),
        syllabus=("da-lda",),
        summary="A Gaussian for each class, all of one shape: straight borders, and no more to tune than a shrinkage. "
        "The covariance is over all rows m, not m less the classes; of two classes the weights point from the first "
        "to the second.",
        card=_CARD,
    ),
    Entry(
        name="quadratic-discriminant-analysis",
        kind="classifier",
        problems=("classification",),
        library="sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis",
        space={"reg_param": OneOf((0.0, 0.01, 0.1, 0.3, 0.6), default=0.0)},
        complexity=2,
        simpler={"reg_param": "more"},
        lists=("priors",),
        syllabus=("da-qda",),
        summary="A Gaussian of its own shape for each class: curved borders; where a class has few rows for its "
        "columns, give a reg_param above 0.",
        card=replace(_CARD, shape="non-linear", memory="O(K d^2)", time="O(n d^2 + K d^3)", capacity=("reg_param",)),
    ),
)
