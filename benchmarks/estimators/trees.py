"""ID3 against scikit-learn's tree."""

from __future__ import annotations

from sklearn.tree import DecisionTreeClassifier

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import levels, two_classes
from penstock.components.trees.id3 import ID3Classifier


def _peer() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(criterion="entropy", random_state=0)


PAIRS = (
    Pair("id3, columns of numbers", ID3Classifier, _peer, two_classes),
    Pair("id3, columns of levels", ID3Classifier, _peer, levels),
)
