"""Local models of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Int, OneOf

ENTRIES = (
    Entry(
        name="k-nearest-neighbours",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.neighbors:KNeighborsClassifier",
            "regression": "sklearn.neighbors:KNeighborsRegressor",
        },
        defaults={"n_jobs": 1},
        space={
            "n_neighbors": Int(low=1, high=50, log=True, default=5),
            "weights": OneOf(("uniform", "distance"), default="uniform"),
            "p": OneOf((1, 2), default=2),
        },
        complexity=3,
        simpler={"n_neighbors": "more"},
        syllabus=("knn-classifier", "knn-regressor"),
        summary="The vote or the mean of the rows most alike; slow to answer on many rows.",
    ),
)
