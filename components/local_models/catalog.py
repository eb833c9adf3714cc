"""Local models of the catalogue."""

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
    memory="O(n d)",
    time="O(n d log n); to answer a row up to O(n d)",
    capacity=("n_neighbors", "p"),
)

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
        syllabus=(
            "knn-classifier",
            "knn-exp-weighted",
            "knn-regressor",
            "met_class_share_vector",
            "proc_k_in_knn",
            "proc_knn_recipe",
        ),
        summary="The vote or the mean of the rows most alike; slow to answer on many rows.",
        card=_CARD,
    ),
    Entry(
        name="kernel-neighbours",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "penstock.components.local_models.alike:AlikeClassifier",
            "regression": "penstock.components.local_models.alike:AlikeRegressor",
        },
        space={
            "n_neighbors": Int(low=1, high=50, log=True, default=5),
            "kernel": OneOf(("rbf", "poly", "cosine", "laplacian"), default="rbf"),
            "weights": OneOf(("uniform", "exponential"), default="uniform"),
        },
        complexity=3,
        simpler={"n_neighbors": "more"},
        syllabus=("knn-kernel", "knn-similarity"),
        summary="The vote or the mean of the rows nearest in a kernel's space, or most similar; for some thousand "
        "rows.",
        card=replace(_CARD, time="O(n d); to answer a row O(n d)", capacity=("n_neighbors", "kernel", "gamma")),
    ),
)

TRUSTED = (
    "penstock.components.local_models.alike.AlikeClassifier",
    "penstock.components.local_models.alike.AlikeRegressor",
    "penstock.components.local_models.neighbours.NeighboursClassifier",
    "penstock.components.local_models.neighbours.NeighboursRegressor",
    "sklearn.metrics._dist_metrics.BrayCurtisDistance64",
    "sklearn.metrics._dist_metrics.CanberraDistance64",
    "sklearn.metrics._dist_metrics.ChebyshevDistance64",
    "sklearn.metrics._dist_metrics.DiceDistance64",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.metrics._dist_metrics.HammingDistance64",
    "sklearn.metrics._dist_metrics.JaccardDistance64",
    "sklearn.metrics._dist_metrics.ManhattanDistance64",
    "sklearn.metrics._dist_metrics.MinkowskiDistance64",
    "sklearn.metrics._dist_metrics.RogersTanimotoDistance64",
    "sklearn.metrics._dist_metrics.RussellRaoDistance64",
    "sklearn.metrics._dist_metrics.SokalMichenerDistance64",
    "sklearn.metrics._dist_metrics.SokalSneathDistance64",
    "sklearn.neighbors._ball_tree.BallTree",
    "sklearn.neighbors._kd_tree.KDTree",
)
