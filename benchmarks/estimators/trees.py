"""ID3 and rules given by hand against scikit-learn's tree."""

from __future__ import annotations

from sklearn.tree import DecisionTreeClassifier

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import levels, two_classes
from penstock.components.trees.id3 import ID3Classifier
from penstock.components.trees.rule_list import RuleListClassifier


def _peer() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(criterion="entropy", random_state=0)


def _rules() -> RuleListClassifier:
    """Seven tests, as many as a tree of depth three asks."""
    tests = ("x0 > 0 and x1 > 0", "x0 > 0 and x1 < -1", "x2 > 1", "x0 < -1 and x1 < 0")
    return RuleListClassifier([f"if {test} then {place % 2}" for place, test in enumerate(tests)])


def _shallow() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(max_depth=3, random_state=0)


PAIRS = (
    Pair("id3, columns of numbers", ID3Classifier, _peer, two_classes),
    Pair("id3, columns of levels", ID3Classifier, _peer, levels),
    Pair("rules given by hand", _rules, _shallow, two_classes),
)
