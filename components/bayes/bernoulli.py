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
    """Naive Bayes of binary columns: whether a number lies above the column's mean in the training rows.

    A column of zeros and ones stays as it is, however it was scaled before, as long as the training rows have both; one
    that is constant among them counts for nothing.

    Parameters
    ----------
    alpha : float, default=1.0
        Additive smoothing: rows of each value that every class is given beforehand; with 0 the probabilities are the
        shares of the training rows.
    fit_prior : bool, default=True
        Whether the class priors are the shares of the training rows, or uniform.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    pipeline_ : Pipeline
        The step that makes columns binary, and scikit-learn's BernoulliNB.

    Examples
    --------
    >>> from penstock.components.bayes.bernoulli import BernoulliNaiveBayes
    >>> X = [[0, 1], [0, 0], [1, 1], [1, 0]]
    >>> model = BernoulliNaiveBayes().fit(X, [0, 0, 1, 1])
    >>> model.predict_proba([[1, 0]]).round(2).tolist()
    [[0.25, 0.75]]
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
