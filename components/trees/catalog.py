"""Single trees of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Int, OneOf

ENTRIES = (
    Entry(
        name="decision-tree",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.tree:DecisionTreeClassifier",
            "regression": "sklearn.tree:DecisionTreeRegressor",
        },
        space={
            "max_depth": OneOf((2, 3, 5, 8, 12, 20, None), default=None),
            "min_samples_leaf": Int(low=1, high=100, log=True, default=1),
            "ccp_alpha": OneOf((0.0, 1e-4, 1e-3, 1e-2), default=0.0),
        },
        syllabus=("tree-cart-regressor",),
        summary="Questions with two answers, one after the other; a shallow one can be drawn and read.",
    ),
)
