"""Multinomial naive Bayes for any numbers."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.naive_bayes import MultinomialNB
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler
from sklearn.utils import Tags

from penstock.components.bayes.fronted import FrontedNaiveBayes
from penstock.components.bayes.posterior import log_likelihood

Array = np.ndarray[Any, Any]


class MultinomialNaiveBayes(FrontedNaiveBayes):
    """Multinomial naive Bayes: in each class every column has a share of all that is counted.

    Numbers are brought between zero (the column's minimum) and one (its maximum) first, unless `rescale` is off.

    Zeros and ones, such as of levels, are words that occur or do not. For numbers that are no counts this is a crude
    reading, and the Gaussian one is usually better. Counts of words (`preparation: {texts: bag-of-words}`) are best
    taken as they are, without rescaling: then P(word | class) = (n_k + alpha) / (n + alpha * words), n being all
    positions of the class, repeats included (the notes once say distinct positions, which is a slip); words never met
    are ignored.

    Parameters
    ----------
    alpha : float, default=1.0
        Additive smoothing: count of each column that every class is given beforehand.
    fit_prior : bool, default=True
        Whether the class priors are the shares of the training rows, or uniform.
    rescale : bool, default=True
        Whether columns are brought between zero and one; without it, they have to be counts.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    pipeline_ : Pipeline
        The rescaling, and scikit-learn's MultinomialNB.

    Examples
    --------
    >>> from penstock.components.bayes.multinomial import MultinomialNaiveBayes
    >>> counts = [[3, 0], [2, 1], [0, 2], [1, 3]]
    >>> model = MultinomialNaiveBayes(rescale=False).fit(counts, ["sport", "sport", "art", "art"])
    >>> model.predict_proba([[1, 0]]).round(2).tolist()
    [[0.25, 0.75]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FrontedNaiveBayes._parameter_constraints,
        "rescale": ["boolean"],
    }

    def __init__(self, alpha: float = 1.0, fit_prior: bool = True, rescale: bool = True) -> None:
        super().__init__(alpha=alpha, fit_prior=fit_prior)
        self.rescale = rescale

    def _steps(self) -> tuple[Any, Any]:
        front = MinMaxScaler(clip=True) if self.rescale else FunctionTransformer()
        return front, MultinomialNB(alpha=self.alpha, fit_prior=self.fit_prior)

    def _joint(self, rows: Array) -> Array:
        model = self.pipeline_[-1]
        shares = np.nan_to_num(model.feature_log_prob_, nan=-np.inf, neginf=-np.inf)  # a class without any words
        return np.asarray(log_likelihood(rows, shares) + model.class_log_prior_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # on numbers that are no counts
        tags.input_tags.positive_only = not self.rescale
        return tags
