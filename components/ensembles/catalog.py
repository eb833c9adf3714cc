"""Ensembles of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.components.catalog import Entry
from penstock.components.domains import Domain, Float, Int, OneOf

_SHARES_OF_COLUMNS = ("sqrt", 1 / 3, 1.0)
_FOREST: dict[str, Domain | Mapping[str, Domain]] = {
    "n_estimators": Int(low=50, high=400, log=True, default=100),
    "max_features": {
        "classification": OneOf(_SHARES_OF_COLUMNS, default="sqrt"),
        "regression": OneOf(_SHARES_OF_COLUMNS, default=1.0),
    },
    "min_samples_leaf": Int(low=1, high=20, log=True, default=1),
}

ENTRIES = (
    Entry(
        name="random-forest",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.ensemble:RandomForestClassifier",
            "regression": "sklearn.ensemble:RandomForestRegressor",
        },
        defaults={"n_jobs": 1},
        space=_FOREST,
        complexity=5,
        simpler={"min_samples_leaf": "more", "n_estimators": "less"},
        syllabus=("ens-oob-error", "ens-random-forest"),
        summary="Many deep trees on resampled rows, averaged; good without tuning, large to store.",
    ),
    Entry(
        name="hist-gradient-boosting",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.ensemble:HistGradientBoostingClassifier",
            "regression": "sklearn.ensemble:HistGradientBoostingRegressor",
        },
        space={
            "learning_rate": Float(low=0.01, high=0.5, log=True, default=0.1),
            "max_iter": Int(low=50, high=400, log=True, default=100),
            "max_leaf_nodes": Int(low=7, high=63, log=True, default=31),
            "min_samples_leaf": Int(low=5, high=80, log=True, default=20),
            "l2_regularization": OneOf((0.0, 0.1, 1.0, 10.0), default=0.0),
        },
        complexity=5,
        simpler={"max_leaf_nodes": "less", "max_iter": "less", "learning_rate": "less"},
        syllabus=("ens-gradient-boosting",),
        summary="Shallow trees that each mend what is left to explain; often the best on tables.",
    ),
    Entry(
        name="extra-trees",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.ensemble:ExtraTreesClassifier",
            "regression": "sklearn.ensemble:ExtraTreesRegressor",
        },
        defaults={"n_jobs": 1},
        space=_FOREST,
        complexity=5,
        simpler={"min_samples_leaf": "more", "n_estimators": "less"},
        summary="A forest whose thresholds are drawn by chance: smoother than a random forest, and quicker to grow.",
    ),
    Entry(
        name="gradient-boosting",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.ensemble:GradientBoostingClassifier",
            "regression": "sklearn.ensemble:GradientBoostingRegressor",
        },
        space={
            "learning_rate": Float(low=0.01, high=0.5, log=True, default=0.1),
            "n_estimators": Int(low=50, high=400, log=True, default=100),
            "max_depth": Int(low=1, high=8, default=3),
            "min_samples_leaf": Int(low=1, high=50, log=True, default=1),
            "subsample": OneOf((0.5, 0.75, 1.0), default=1.0),
        },
        complexity=5,
        simpler={"max_depth": "less", "n_estimators": "less", "learning_rate": "less"},
        summary="Boosted trees with every threshold tried: for some thousand rows; beyond, take "
        "hist-gradient-boosting.",
    ),
    Entry(
        name="ada-boost",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.ensemble:AdaBoostClassifier",
            "regression": "sklearn.ensemble:AdaBoostRegressor",
        },
        space={
            "n_estimators": Int(low=20, high=400, log=True, default=50),
            "learning_rate": Float(low=0.01, high=2.0, log=True, default=1.0),
        },
        complexity=4,
        simpler={"n_estimators": "less", "learning_rate": "less"},
        summary="Very small trees, each fitted to rows that the ones before got wrong; wrong labels disturb it.",
    ),
)
