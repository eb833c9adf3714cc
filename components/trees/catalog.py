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
        complexity=2,
        simpler={"max_depth": "less", "min_samples_leaf": "more", "ccp_alpha": "more"},
        syllabus=("tree-cart-regressor",),
        summary="Questions with two answers, one after the other; a shallow one can be drawn and read.",
    ),
    Entry(
        name="id3",
        kind="predictor",
        problems=("classification",),
        library="penstock.components.trees.id3:ID3Classifier",
        space={
            "impurity": OneOf(("entropy", "gini", "misclassification"), default="entropy"),
            "pruning": OneOf(("none", "reduced-error", "rules"), default="none"),
            "max_depth": OneOf((2, 3, 5, 8, 12, 20, None), default=None),
            "min_samples_leaf": Int(low=1, high=100, log=True, default=1),
        },
        syllabus=(
            "tree-id3",
            "tree-id3-numeric",
            "tree-fractional-missing",
            "tree-reduced-error-pruning",
            "tree-rule-post-pruning",
            "tree-dnf",
            "proc_pruning_validation_split",
        ),
        summary="A branch for every level; pruned by held-out rows, or read as a list of rules.",
    ),
)
