"""Selectors against scikit-learn's of the same measure."""

from __future__ import annotations

from itertools import chain, combinations
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
from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import counts, levels, numbers, two_classes
from penstock.components.feature_selection.anova import AnovaSelector
from penstock.components.feature_selection.backward import BackwardSelector
from penstock.components.feature_selection.chi_squared import ChiSquaredSelector
from penstock.components.feature_selection.correlation import CorrelationSelector
from penstock.components.feature_selection.exhaustive import ExhaustiveSelector
from penstock.components.feature_selection.forward import ForwardSelector
from penstock.components.feature_selection.hold_out import HoldOutSelector
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


class TryAll:
    """scikit-learn's search over all sets of so many columns at most."""

    def __init__(self, keep: int, parts: Any) -> None:
        self.keep = keep
        self.parts = parts

    def fit(self, X: Any, y: Any) -> None:
        sizes = range(1, self.keep + 1)
        sets = chain.from_iterable(combinations(range(X.shape[1]), size) for size in sizes)
        model = make_pipeline(FunctionTransformer(_taken), StandardScaler(), LogisticRegression())
        chosen = {"functiontransformer__kw_args": [{"columns": columns} for columns in sets]}
        GridSearchCV(model, chosen, scoring="neg_log_loss", cv=self.parts, refit=False).fit(X, y)


def _taken(X: Any, columns: tuple[int, ...]) -> Any:
    return X[:, columns]


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
    Pair(
        "exhaustive-selection",
        lambda: ExhaustiveSelector(keep=2, random_state=0),
        lambda: TryAll(2, StratifiedKFold(3, shuffle=True, random_state=0)),
        levels,
        rows=300,
        columns=5,
    ),
    Pair(
        "hold-out-wrapper",
        lambda: HoldOutSelector(keep=2, random_state=0),
        lambda: TryAll(2, StratifiedShuffleSplit(1, test_size=0.25, random_state=0)),
        levels,
        rows=300,
        columns=5,
    ),
    Pair("stability-selection", lambda: StabilitySelector(pairs=10, random_state=0), None, two_classes, rows=300),
)
