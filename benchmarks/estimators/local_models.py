"""Nearest neighbours against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import numbers, two_classes
from penstock.components.local_models.alike import AlikeClassifier, AlikeRegressor
from penstock.components.local_models.neighbours import NeighboursClassifier, NeighboursRegressor


def _brute() -> Any:
    return KNeighborsClassifier(algorithm="brute")


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
    Pair("kernel-neighbours, rbf", AlikeClassifier, None, two_classes, rows=500),
    Pair("kernel-neighbours, values", AlikeRegressor, None, numbers, rows=500),
)
