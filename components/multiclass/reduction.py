"""Several classes from classifiers of two: each against the rest, or each against each."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.ensembles.methods import ClassifierOfMethods

Array = np.ndarray[Any, Any]


class ReducedClassifier(ClassifierOfMethods):
    """Multiclass by binary classifiers of the catalogue: one for each class against the rest, or one for each pair.

    Against the rest, the class with the highest score is predicted; against each other, the one with most votes, and
    of equal votes the one with the more confident ones.

    Parameters
    ----------
    base : str, default="logistic-regression"
        The method, by its name in the catalogue.
    against : {"rest", "each"}, default="rest"
        K classifiers on all rows, or K (K - 1) / 2 on the rows of their two classes.
    random_state : int, RandomState instance or None, default=None
        Seed of the method.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    ensemble_ : OneVsRestClassifier or OneVsOneClassifier
        Its `estimators_` are the binary classifiers.

    Examples
    --------
    >>> from penstock.components.multiclass.reduction import ReducedClassifier
    >>> X = [[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]]
    >>> model = ReducedClassifier("gaussian-naive-bayes", against="each", random_state=0)
    >>> model.fit(X, ["low", "low", "mid", "mid", "high", "high"]).predict([[10.5]]).tolist()
    ['mid']
    >>> len(model.ensemble_.estimators_)
    3
    """

    _named = ("base",)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "base": [str],
        "against": [StrOptions({"rest", "each"})],
        "random_state": ["random_state"],
    }

    def __init__(self, base: str = "logistic-regression", against: str = "rest", random_state: Any = None) -> None:
        self.base = base
        self.against = against
        self.random_state = random_state

    def _ensemble(self) -> Any:
        return (OneVsRestClassifier if self.against == "rest" else OneVsOneClassifier)(self._built(self.base))

    def predict_proba(self, X: Any) -> Array:
        """Against the rest, the responses brought to a sum of one, and equal shares where none says yes; against each
        other, shares of the votes.

        A vote counts by a third more or less, by how sure it was, so that the likeliest class is the one answered.
        """
        check_is_fitted(self)
        if self.against == "rest":
            shares = super().predict_proba(X)
            return np.where(shares.sum(axis=1, keepdims=True) > 0, shares, 1 / len(self.classes_))
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if len(self.classes_) == 2:
            return np.asarray(self.ensemble_.estimators_[0].predict_proba(X))
        votes = np.asarray(self.ensemble_.decision_function(X)) + 1 / 3
        return np.asarray(votes / votes.sum(axis=1, keepdims=True))
