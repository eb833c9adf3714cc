"""Weights of classes against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.utils.class_weight import compute_sample_weight

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import five_classes
from penstock.components.balancing.class_weights import ClassWeights


class Weighing(ClassWeights):
    """It weighs where others learn."""

    def fit(self, X: Any, y: Any) -> None:
        self.weigh(y)


class Balanced:
    def fit(self, X: Any, y: Any) -> None:
        compute_sample_weight("balanced", y)


PAIRS = (Pair("class-weights", Weighing, Balanced, five_classes, rows=20_000),)
