"""Losses and penalties of linear classifiers against scikit-learn's classes."""

from __future__ import annotations

from typing import Any

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.svm import SVC

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import two_classes
from penstock.components.linear_classification.bridge import BridgeClassifier
from penstock.components.linear_classification.risk import PenalisedRiskClassifier


def _three(rows: int, columns: int) -> tuple[Any, Any]:
    X, y = make_classification(rows, columns, n_informative=5, n_classes=3, flip_y=0.1, random_state=0)
    return X, y


PAIRS = (
    Pair("bridge, q 2", lambda: BridgeClassifier(2.0, 0.5), lambda: LogisticRegression(tol=1e-8), two_classes),
    Pair("bridge, q 1.5", lambda: BridgeClassifier(1.5, 0.5), lambda: LogisticRegression(tol=1e-8), two_classes),
    Pair(
        "bridge, q 1.5, three classes", lambda: BridgeClassifier(1.5, 0.5), lambda: LogisticRegression(tol=1e-8), _three
    ),
    Pair("penalised-risk, logistic", PenalisedRiskClassifier, LogisticRegression, two_classes),
    Pair(
        "penalised-risk, squared", lambda: PenalisedRiskClassifier("squared"), RidgeClassifier, two_classes, rows=8000
    ),
    Pair(
        "penalised-risk, hinge",
        lambda: PenalisedRiskClassifier("hinge"),
        lambda: SVC(kernel="linear", tol=1e-4),
        two_classes,
        rows=500,
    ),
    Pair("penalised-risk, hinge l1", lambda: PenalisedRiskClassifier("hinge", "l1"), None, two_classes, rows=500),
)
