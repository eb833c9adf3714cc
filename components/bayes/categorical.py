"""Categorical naive Bayes for any numbers."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.naive_bayes import CategoricalNB
from sklearn.utils._param_validation import Interval

from penstock.components.bayes.binning import Binner
from penstock.components.bayes.fronted import FrontedNaiveBayes


class CategoricalNaiveBayes(FrontedNaiveBayes):
    """Every column is one of a few categories: its values, where they are few, and otherwise bins of equal size.

    Parameters
    ----------
    alpha : float
        Rows of each category that every class is given beforehand.
    fit_prior : bool
        Whether classes are as common as in the training rows, or all alike.
    bins : int
        The most categories of a column.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FrontedNaiveBayes._parameter_constraints,
        "bins": [Interval(Integral, 2, None, closed="left")],
    }

    def __init__(self, alpha: float = 1.0, fit_prior: bool = True, bins: int = 5) -> None:
        super().__init__(alpha=alpha, fit_prior=fit_prior)
        self.bins = bins

    def _steps(self) -> tuple[Any, Any]:
        return Binner(self.bins), CategoricalNB(alpha=self.alpha, fit_prior=self.fit_prior)
