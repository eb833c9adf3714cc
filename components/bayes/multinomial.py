"""Multinomial naive Bayes for any numbers."""

from __future__ import annotations

from typing import Any

from sklearn.naive_bayes import MultinomialNB
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils import Tags

from penstock.components.bayes.fronted import FrontedNaiveBayes


class MultinomialNaiveBayes(FrontedNaiveBayes):
    """Every row is a bag in which a column has a share: none at the column's minimum, one at its maximum.

    Counts of words keep their proportions. Zeros and ones, such as of levels, are words that occur or do not. For
    other numbers this is a crude reading, and the Gaussian one is usually better.

    Parameters
    ----------
    alpha : float
        Share of each column that every class is given beforehand.
    fit_prior : bool
        Whether classes are as common as in the training rows, or all alike.
    """

    def _steps(self) -> tuple[Any, Any]:
        return MinMaxScaler(clip=True), MultinomialNB(alpha=self.alpha, fit_prior=self.fit_prior)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # on numbers that are no counts
        return tags
