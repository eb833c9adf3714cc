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
            "classification": "penstock.components.local_models.neighbours:NeighboursClassifier",
            "regression": "penstock.components.local_models.neighbours:NeighboursRegressor",
        },
        defaults={"n_jobs": 1},
        space={
            "n_neighbors": Int(low=1, high=50, log=True, default=5),
            "weights": OneOf(("uniform", "distance", "exponential"), default="uniform"),
            "p": OneOf((1, 2), default=2),
        },
        complexity=3,
        simpler={"n_neighbors": "more"},
        syllabus=("knn-classifier", "knn-exp-weighted", "knn-regressor", "proc_k_in_knn"),
        summary="The vote or the mean of the rows most alike; slow to answer on many rows.",
    ),
)
