"""Several classes from classifiers of two, against scikit-learn's reductions."""

from __future__ import annotations

from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import five_classes
from penstock.components.multiclass.reduction import ReducedClassifier

PAIRS = (
    Pair("one-vs-rest", ReducedClassifier, lambda: OneVsRestClassifier(LogisticRegression()), five_classes),
    Pair(
        "one-vs-one",
        lambda: ReducedClassifier(against="each"),
        lambda: OneVsOneClassifier(LogisticRegression()),
        five_classes,
    ),
)
