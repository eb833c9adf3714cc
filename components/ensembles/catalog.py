"""Ensembles of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Float, Int, OneOf

_SHARES_OF_COLUMNS = ("sqrt", 1 / 3, 1.0)

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
        space={
            "n_estimators": Int(low=50, high=400, log=True, default=100),
            "max_features": {
                "classification": OneOf(_SHARES_OF_COLUMNS, default="sqrt"),
                "regression": OneOf(_SHARES_OF_COLUMNS, default=1.0),
            },
            "min_samples_leaf": Int(low=1, high=20, log=True, default=1),
        },
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
        syllabus=("ens-gradient-boosting",),
        summary="Shallow trees that each mend what is left to explain; often the best on tables.",
    ),
)
