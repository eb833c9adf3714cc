"""Linear classifiers of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Float, OneOf

ENTRIES = (
    Entry(
        name="logistic-regression",
        kind="classifier",
        problems=("classification",),
        library="sklearn.linear_model:LogisticRegression",
        defaults={"max_iter": 2000},
        space={
            "C": Float(low=1e-3, high=1e2, log=True, default=1.0),
            "class_weight": OneOf((None, "balanced"), default=None),
        },
        syllabus=("linclf-softmax",),
        summary="Linear log-odds with a squared penalty; fast, well calibrated, and its weights can be read.",
    ),
)
