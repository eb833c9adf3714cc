"""Bernoulli naive Bayes for any numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.naive_bayes import BernoulliNB
from sklearn.preprocessing import StandardScaler

from penstock.components.bayes.fronted import FrontedNaiveBayes
from penstock.components.bayes.posterior import log_likelihood

Array = np.ndarray[Any, Any]


class BernoulliNaiveBayes(FrontedNaiveBayes):
    """Every column says yes or no: whether a number lies above the column's mean in the training rows.

    A column of zeros and ones stays as it is, however it was scaled before, as long as the training rows have both; one
    that is the same in all of them says the same of all.

    Parameters
    ----------
    alpha : float
        Rows of each answer that every class is given beforehand; with 0 the shares are those of the training rows.
    fit_prior : bool
        Whether classes are as common as in the training rows, or all alike.
    """

    def _steps(self) -> tuple[Any, Any]:
        return StandardScaler(with_std=False), BernoulliNB(alpha=self.alpha, fit_prior=self.fit_prior, binarize=0.0)

    def _joint(self, rows: Array) -> Array:
        model = self.pipeline_[-1]
        yes = np.minimum(model.feature_log_prob_, 0.0)  # by rounding, a share of weights may be more than one
        with np.errstate(divide="ignore"):
            no = np.log(-np.expm1(yes))
        says = rows > model.binarize
        likelihood = log_likelihood(np.hstack([says, ~says]).astype(float), np.hstack([yes, no]))
        return np.asarray(likelihood + model.class_log_prior_)
