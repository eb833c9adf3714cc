"""What selectors share that keep the columns with which a linear model does best on rows it has not trained on."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from itertools import chain, combinations
from math import comb
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin, SequentialFeatureSelector
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.centring import in_own_units
from penstock.components.feature_selection.ranking import is_quantity, plain_target

Array = np.ndarray[Any, Any]
Splits = list[tuple[Array, Array]]

MAX_SUBSETS = 2000


class WrapperSelector(SelectorMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Subclasses say how rows are parted and which sets of columns are tried.

    The model is ridge for a quantity (a target of floating-point numbers), else logistic regression, on standardised
    columns. It is evaluated by the squared error, or by the likelihood of the true classes: a share of right
    predictions would hardly move where one class is rare.

    Attributes
    ----------
    support_ : ndarray of bool
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "keep": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    keep: int
    random_state: Any

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, plain_target(y), dtype=np.float64, ensure_min_samples=2)
        if is_quantity(y):
            y = in_own_units(y)
        else:
            check_classification_targets(y)
        splits = self._splits(X, y) if is_quantity(y) else self._of_two_classes(y, self._splits(X, y))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.support_ = self._search(in_own_units(X), y, splits)
        return self

    def _of_two_classes(self, y: Array, splits: Splits) -> Splits:
        """Without the parts whose teaching rows are all of one class, from which nothing can be learnt."""
        useful = [part for part in splits if len(np.unique(y[part[0]])) > 1]
        if not useful:
            raise ValueError(
                f"{type(self).__name__} needs samples of at least 2 classes in the rows that it learns from, but these "
                f"contain only one class ({len(y)} rows, classes: {len(np.unique(y))})"
            )
        return useful

    @abstractmethod
    def _splits(self, X: Array, y: Array) -> Splits:
        """Rows that teach and rows that evaluate."""

    @abstractmethod
    def _search(self, X: Array, y: Array, splits: Splits) -> Array:
        """Which columns to keep."""

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class FoldedSelector(WrapperSelector, ABC):
    """Evaluated on inner folds of the training rows."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **WrapperSelector._parameter_constraints,
        "folds": [Interval(Integral, 2, None, closed="left")],
    }

    def __init__(self, keep: int = 5, folds: int = 3, random_state: Any = None) -> None:
        self.keep = keep
        self.folds = folds
        self.random_state = random_state

    def _splits(self, X: Array, y: Array) -> Splits:
        enough = is_quantity(y) or np.unique(y, return_counts=True)[1].min() >= self.folds
        kind = KFold if is_quantity(y) or not enough else StratifiedKFold
        folds = kind(min(self.folds, len(y)), shuffle=True, random_state=self.random_state)
        return list(folds.split(X, y))


def count_subsets(columns: int, most: int) -> int:
    return sum(comb(columns, size) for size in range(1, min(columns, most) + 1))


def greedy(X: Array, y: Array, splits: Splits, keep: int, direction: Literal["forward", "backward"]) -> Array:
    if keep >= X.shape[1]:
        return np.ones(X.shape[1], dtype=bool)
    search = SequentialFeatureSelector(
        _model(y), n_features_to_select=keep, direction=direction, scoring=score, cv=splits
    )
    return np.asarray(search.fit(X, y).get_support())


def best_subset(X: Array, y: Array, splits: Splits, keep: int) -> Array:
    columns = range(X.shape[1])
    subsets = chain.from_iterable(combinations(columns, size) for size in range(1, min(keep, X.shape[1]) + 1))
    model = _model(y)
    best = max(subsets, key=lambda subset: cross_val_score(model, X[:, subset], y, cv=splits, scoring=score).mean())
    return np.isin(columns, best)


def _model(y: Array) -> Any:
    return make_pipeline(StandardScaler(), Ridge() if is_quantity(y) else LogisticRegression())


def score(model: Any, X: Array, y: Array) -> float:
    """Minus the mean squared error; or the mean logarithm of the chance given to the true class, also to a new one."""
    if is_quantity(y):
        return -float(np.mean((model.predict(X) - y) ** 2))
    places = np.searchsorted(model.classes_, y).clip(max=len(model.classes_) - 1)
    proba = np.where(model.classes_[places] == y, model.predict_proba(X)[np.arange(len(y)), places], 0.0)
    return float(np.log(proba.clip(1e-6)).mean())
