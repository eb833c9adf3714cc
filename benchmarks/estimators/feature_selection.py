"""Selectors against scikit-learn's of the same measure."""

from __future__ import annotations

from typing import Any

from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import (
    SelectFromModel,
    SelectKBest,
    SequentialFeatureSelector,
    chi2,
    f_classif,
    mutual_info_classif,
    r_regression,
)
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import counts, numbers, two_classes
from penstock.components.feature_selection.anova import AnovaSelector
from penstock.components.feature_selection.backward import BackwardSelector
from penstock.components.feature_selection.chi_squared import ChiSquaredSelector
from penstock.components.feature_selection.correlation import CorrelationSelector
from penstock.components.feature_selection.forward import ForwardSelector
from penstock.components.feature_selection.information_gain import InformationGainSelector
from penstock.components.feature_selection.l1 import L1Selector
from penstock.components.feature_selection.mutual_information import MutualInformationSelector
from penstock.components.feature_selection.stability import StabilitySelector
from penstock.components.feature_selection.tree_importance import TreeImportanceSelector

KEEP = 3


def _l1(rows: int = 2000) -> Any:
    model = LogisticRegression(C=1 / (0.01 * rows), l1_ratio=1, solver="saga", max_iter=1000, random_state=0)
    return SelectFromModel(model)


def _by_steps(direction: str) -> Any:
    model = make_pipeline(StandardScaler(), LogisticRegression())
    return SequentialFeatureSelector(
        model, n_features_to_select=KEEP, direction=direction, cv=3, scoring="neg_log_loss"
    )


PAIRS = (
    Pair("anova", lambda: AnovaSelector(KEEP), lambda: SelectKBest(f_classif, k=KEEP), two_classes, rows=20_000),
    Pair("chi-squared", lambda: ChiSquaredSelector(KEEP), lambda: SelectKBest(chi2, k=KEEP), counts, rows=20_000),
    Pair(
        "correlation",
        lambda: CorrelationSelector(KEEP),
        lambda: SelectKBest(r_regression, k=KEEP),
        numbers,
        rows=20_000,
    ),
    Pair(
        "information-gain",
        lambda: InformationGainSelector(KEEP),
        lambda: SelectKBest(mutual_info_classif, k=KEEP),
        two_classes,
    ),
    Pair(
        "mutual-information",
        lambda: MutualInformationSelector(KEEP, random_state=0),
        lambda: SelectKBest(mutual_info_classif, k=KEEP),
        two_classes,
    ),
    Pair("l1", lambda: L1Selector(0.01, random_state=0), _l1, two_classes),
    Pair(
        "tree-importance",
        lambda: TreeImportanceSelector(KEEP, random_state=0),
        lambda: SelectFromModel(ExtraTreesClassifier(100, random_state=0), max_features=KEEP),
        two_classes,
        rows=500,
    ),
    Pair("forward-selection", lambda: ForwardSelector(KEEP), lambda: _by_steps("forward"), two_classes, rows=300),
    Pair(
        "backward-elimination",
        lambda: BackwardSelector(KEEP),
        lambda: _by_steps("backward"),
        two_classes,
        rows=100,
        columns=8,
    ),
    Pair("stability-selection", lambda: StabilitySelector(pairs=10, random_state=0), None, two_classes, rows=300),
)
