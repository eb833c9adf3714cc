"""Single neurons against scikit-learn's perceptron and its stochastic descent."""

from __future__ import annotations

from sklearn.linear_model import Perceptron, SGDClassifier, SGDRegressor

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import numbers, two_classes
from penstock.components.perceptron.delta import DeltaRuleClassifier, DeltaRuleRegressor
from penstock.components.perceptron.rosenblatt import PerceptronClassifier

PAIRS = (
    Pair("perceptron, passes", PerceptronClassifier, lambda: Perceptron(tol=None, max_iter=50), two_classes),
    Pair(
        "perceptron, draws",
        lambda: PerceptronClassifier("draws"),
        lambda: Perceptron(tol=None, max_iter=50),
        two_classes,
    ),
    Pair(
        "delta-rule, numbers",
        lambda: DeltaRuleRegressor(max_iter=200),
        lambda: SGDRegressor(tol=None, max_iter=200),
        numbers,
    ),
    Pair(
        "delta-rule, classes",
        lambda: DeltaRuleClassifier(max_iter=200),
        lambda: SGDClassifier(tol=None, max_iter=200),
        two_classes,
    ),
)
