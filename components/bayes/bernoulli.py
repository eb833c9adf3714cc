"""Bernoulli naive Bayes for any numbers."""

from __future__ import annotations

from typing import Any

from sklearn.naive_bayes import BernoulliNB
from sklearn.preprocessing import StandardScaler

from penstock.components.bayes.fronted import FrontedNaiveBayes


class BernoulliNaiveBayes(FrontedNaiveBayes):
    """Every column says yes or no: whether a number lies above the column's mean in the training rows.

    A column of zeros and ones stays as it is, however it was scaled before.

    Parameters
    ----------
    alpha : float
        Rows of each answer that every class is given beforehand.
    fit_prior : bool
        Whether classes are as common as in the training rows, or all alike.
    """

    def _steps(self) -> tuple[Any, Any]:
        return StandardScaler(with_std=False), BernoulliNB(alpha=self.alpha, fit_prior=self.fit_prior, binarize=0.0)
