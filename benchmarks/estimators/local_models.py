"""Nearest neighbours against scikit-learn's."""

from __future__ import annotations

from functools import partial

from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import numbers, two_classes
from penstock.components.local_models.alike import AlikeClassifier, AlikeRegressor
from penstock.components.local_models.neighbours import NeighboursClassifier, NeighboursRegressor

PAIRS = (
    Pair("k-nearest-neighbours", NeighboursClassifier, KNeighborsClassifier, two_classes),
    Pair(
        "k-nearest-neighbours, exponential",
        lambda: NeighboursClassifier(weights="exponential"),
        lambda: KNeighborsClassifier(weights="distance"),
        two_classes,
    ),
    Pair(
        "k-nearest-neighbours, values",
        lambda: NeighboursRegressor(weights="exponential"),
        lambda: KNeighborsRegressor(weights="distance"),
        numbers,
    ),
    # In the space of an RBF kernel the nearest rows are the nearest without it; ours compares all rows as it learns.
    Pair(
        "kernel-neighbours, rbf",
        AlikeClassifier,
        partial(KNeighborsClassifier, algorithm="brute"),
        two_classes,
        rows=500,
        lazy=True,
    ),
    Pair(
        "kernel-neighbours, values",
        AlikeRegressor,
        partial(KNeighborsRegressor, algorithm="brute"),
        numbers,
        rows=500,
        lazy=True,
    ),
)
