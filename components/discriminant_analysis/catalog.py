"""Discriminant analysis of the catalogue."""

from __future__ import annotations

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import OneOf

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
        syllabus=("da-lda",),
        summary="A Gaussian for each class, all of one shape: straight borders, and no more to tune than a shrinkage.",
        card=Card(
            form="parametric",
            view="generative",
            answer="probabilistic",
            shape="linear",
            memory="O(d^2 + K d)",
            time="O(n d^2)",
            capacity=("shrinkage",),
        ),
    ),
)
