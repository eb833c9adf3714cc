"""Estimators that are made of other methods of the catalogue, which a pipeline file names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components import catalog
from penstock.errors import PenstockError, did_you_mean

Array = np.ndarray[Any, Any]
CLASSIFIERS = "logistic-regression + decision-tree + gaussian-naive-bayes"
REGRESSORS = "ridge + decision-tree + k-nearest-neighbours"


class Member(NamedTuple):
    """A method of the catalogue; what is not given of its parameters is at its start."""

    name: str
    parameters: Mapping[str, Any]


class MadeOfMethods(BaseEstimator, ABC):  # type: ignore[misc]
    """Subclasses say which parameters name methods, and which estimator of the library combines them.

    Attributes
    ----------
    ensemble_ : estimator
        The library's own, fitted.
    """

    _estimator: catalog.Estimator
    _named: tuple[str, ...]
    random_state: Any

    @abstractmethod
    def _ensemble(self) -> Any:
        """The library's estimator, not fitted."""

    def _validate_params(self) -> None:
        """Also refuses what is no method, and parameters that it does not have: a pipeline file is checked by this."""
        super()._validate_params()
        for parameter in self._named:
            methods = methods_in(getattr(self, parameter))
            if not methods:
                raise ValueError(f"'{parameter}' names no method")
            for one in methods:
                _check(_member(one), self._estimator, parameter)

    def _built(self, given: Any, place: int = 0) -> Any:
        name, parameters = _member(given)
        seed = self.random_state if isinstance(self.random_state, int | np.integer) else 0
        problem = catalog.find(name).problem_as(self._estimator)
        return clone(catalog.build(name, parameters, seed=int(seed) + place, problem=problem))

    def _members(self, given: str | list[Any]) -> list[tuple[str, Any]]:
        """Each with a seed of its own: a network that is named twice begins at two places."""
        return [
            (f"{_member(one).name} {place + 1}", self._built(one, place)) for place, one in enumerate(methods_in(given))
        ]

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return np.asarray(self.ensemble_.predict(validate_data(self, X, dtype=np.float64, reset=False)))


class ClassifierOfMethods(ClassifierMixin, MadeOfMethods, ABC):  # type: ignore[misc]
    _estimator = "classifier"

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
    _estimator = "regressor"

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self.ensemble_ = self._ensemble().fit(X, y)
        return self


def methods_in(given: str | list[Any] | dict[str, Any]) -> list[Any]:
    """`ridge + decision-tree` names two methods; in a list, one may have parameters: `{ridge: {alpha: 2.0}}`."""
    if isinstance(given, str):
        return given.split("+")
    return given if isinstance(given, list) else [given]


def _member(given: Any) -> Member:
    if isinstance(given, str):
        return Member(given.strip(), {})
    if isinstance(given, Mapping) and len(given) == 1:
        ((name, parameters),) = given.items()
        if isinstance(parameters, Mapping):
            return Member(str(name), parameters)
    raise ValueError(f"a method is named, or has its parameters below its name, {{ridge: {{alpha: 2}}}}, not {given!r}")


def _check(member: Member, estimator: catalog.Estimator, parameter: str) -> None:
    known = catalog.members_as(estimator)
    if member.name not in known:
        raise ValueError(
            f"'{parameter}' names {estimator}s; '{member.name}' is none: {did_you_mean(member.name, known)}"
        )
    entry = catalog.find(member.name)
    if entry.own_units:
        raise ValueError(
            f"'{parameter}' names '{member.name}', which is told about the columns of the table, and no part of "
            "another method knows these: let it run by itself"
        )
    many = [name for name, value in member.parameters.items() if isinstance(value, list) and name not in entry.lists]
    if many:
        raise ValueError(f"'{parameter}' gives '{member.name}' several values of '{many[0]}', and it can have but one")
    try:
        catalog.check_parameters(entry, member.parameters, problem=entry.problem_as(estimator))
    except PenstockError as error:
        raise ValueError(f"'{parameter}': {error.what}; {error.remedy}") from None
