"""Single trees of the catalogue."""

from __future__ import annotations

from dataclasses import replace

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import Int, OneOf

_CARD = Card(
    form="non-parametric",
    view="discriminative",
    output="deterministic",
    shape="non-linear",
    memory="O(n)",
    time="O(d n log n)",
    capacity=("max_depth", "min_samples_leaf"),
)

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
        syllabus=("met_class_share_vector", "proc_cart_growth", "tree-cart-classifier", "tree-cart-regressor"),
        summary="Questions with two answers, one after the other: x <= s or not, where books have x < s; a shallow "
        "one can be drawn and read.",
        card=replace(_CARD, capacity=("max_depth", "min_samples_leaf", "ccp_alpha")),
    ),
    Entry(
        name="rule-list",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.trees.rule_list:RuleListClassifier",
        complexity=1,
        lists=("rules",),
        own_units=True,
        syllabus=("tree-rule-post-pruning",),
        summary="Rules that you write yourself, `if age < 30 and plan = basic then yes`; the first that holds answers.",
        card=replace(_CARD, memory="O(rules)", time="O(n) for each test: no rule is learnt", capacity=("rules",)),
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
            "proc_id3_recursion",
            "proc_missing_values",
            "proc_pruning",
            "proc_pruning_validation_split",
        ),
        summary="A branch for every level, where `encode: level-codes` hands it the levels; pruned by held-out rows, "
        "or read as a list of rules.",
        card=replace(
            _CARD, time="O(d n) for each level of the tree", capacity=("max_depth", "min_samples_leaf", "pruning")
        ),
    ),
)

TRUSTED = (
    "penstock.components.trees.id3.ID3Classifier",
    "penstock.components.trees.rule_list.RuleListClassifier",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.tree._tree.Tree",
)
