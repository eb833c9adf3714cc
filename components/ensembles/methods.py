"""Estimators that are made of other methods of the catalogue, which a pipeline file names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components import catalog
from penstock.errors import did_you_mean

Array = np.ndarray[Any, Any]
CLASSIFIERS = "logistic-regression + decision-tree + gaussian-naive-bayes"
REGRESSORS = "ridge + decision-tree + k-nearest-neighbours"


class MadeOfMethods(BaseEstimator, ABC):  # type: ignore[misc]
    """Subclasses say which parameters name methods, and which estimator of the library combines them.

    Attributes
    ----------
    ensemble_ : estimator
        The library's own, fitted.
    """

    _problem: str
    _named: tuple[str, ...]
    random_state: Any

    @abstractmethod
    def _ensemble(self) -> Any:
        """The library's estimator, not fitted."""

    def _validate_params(self) -> None:
        """Also refuses names that are no methods, as a pipeline file is checked by this."""
        super()._validate_params()
        for parameter in self._named:
            for name in names_in(getattr(self, parameter)):
                _checked(name, self._problem, parameter)

    def _built(self, name: str, place: int = 0) -> Any:
        seed = self.random_state if isinstance(self.random_state, int | np.integer) else 0
        return clone(catalog.build(name, {}, seed=int(seed) + place, problem=self._problem))

    def _members(self, text: str) -> list[tuple[str, Any]]:
        """Each with a seed of its own: a network that is named twice begins at two places."""
        return [(f"{name} {place + 1}", self._built(name, place)) for place, name in enumerate(names_in(text))]

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return np.asarray(self.ensemble_.predict(validate_data(self, X, dtype=np.float64, reset=False)))


class ClassifierOfMethods(ClassifierMixin, MadeOfMethods, ABC):  # type: ignore[misc]
    _problem = "classification"

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError(f"{type(self).__name__} needs two classes at least; the data has only one class")
        self.ensemble_ = self._ensemble().fit(X, y)
        return self

    def predict_proba(self, X: Any) -> Array:
        check_is_fitted(self)
        return np.asarray(self.ensemble_.predict_proba(validate_data(self, X, dtype=np.float64, reset=False)))


class RegressorOfMethods(RegressorMixin, MadeOfMethods, ABC):  # type: ignore[misc]
    _problem = "regression"

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self.ensemble_ = self._ensemble().fit(X, y)
        return self


def names_in(text: str) -> list[str]:
    """`ridge + decision-tree` names two methods."""
    return [name.strip() for name in text.split("+")]


def _checked(name: str, problem: str, parameter: str) -> None:
    known = catalog.members(problem)
    if name not in known:
        raise ValueError(
            f"'{parameter}' names methods for {problem}, joined by '+'; '{name}' is none: {did_you_mean(name, known)}"
        )
