"""Naive Bayes in which every column has a distribution of its own kind."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.bayes.bernoulli import BernoulliNaiveBayes
from penstock.components.bayes.binning import few_values
from penstock.components.bayes.by_mean import BY_MEAN, class_means, log_likelihood_by_mean
from penstock.components.bayes.categorical import CategoricalNaiveBayes
from penstock.components.bayes.gaussian import GaussianNaiveBayes
from penstock.components.bayes.posterior import posterior

Array = np.ndarray[Any, Any]

IN_BLOCKS = ("gaussian", "bernoulli", "categorical")
FAMILIES = (*IN_BLOCKS, *BY_MEAN)


class MixedNaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes whose columns have families of their own: argmax of prior * product of phi_j(x_j | class).

    Every family is estimated by maximum likelihood in each class: Gaussian by mean and variance, Bernoulli and
    categorical by their shares, counts (Poisson) and waiting times (exponential) by the mean. The joint log probability
    is the sum of those of the blocks of like columns, less the log prior for each block but one.

    Parameters
    ----------
    families : "auto" or list of {"gaussian", "bernoulli", "categorical", "poisson", "exponential"}, default="auto"
        One for each column; "auto" takes a column of two values as Bernoulli, of few as categorical, and else as
        Gaussian.
    few : int, default=10
        Maximum number of values of a categorical column; up to 50, where they are whole numbers, which may be codes of
        levels.
    alpha : float, default=1.0
        Additive smoothing: rows of each value that every class is given beforehand.
    var_smoothing : float, default=1e-09
        Share of the largest variance of a Gaussian column that is added to all.
    fit_prior : bool, default=True
        Whether the class priors are the shares of the training rows, or uniform.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    families_ : list of str
        The family of each column.
    blocks_ : dict of str to estimator
        By family, the classifier of its columns: Gaussian, Bernoulli and categorical.
    means_ : dict of str to ndarray of shape (n_classes, n_columns)
        By family, the means of its columns in each class: Poisson and exponential.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithms of the class priors.

    Examples
    --------
    >>> from penstock.components.bayes.mixed import MixedNaiveBayes
    >>> X = [[0, 1.5], [0, 2.5], [1, 7.5], [1, 8.5], [1, 2.0]]
    >>> model = MixedNaiveBayes(families=["bernoulli", "gaussian"]).fit(X, [0, 0, 1, 1, 1])
    >>> model.predict([[0, 2.0], [1, 8.0]]).tolist()
    [0, 1]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "families": [StrOptions({"auto"}), list],
        "few": [Interval(Integral, 2, None, closed="left")],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
        "fit_prior": ["boolean"],
    }

    def __init__(
        self,
        families: str | list[str] = "auto",
        few: int = 10,
        alpha: float = 1.0,
        var_smoothing: float = 1e-9,
        fit_prior: bool = True,
    ) -> None:
        self.families = families
        self.few = few
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.fit_prior = fit_prior

    def _validate_params(self) -> None:
        super()._validate_params()
        unknown = [name for name in self.families if name not in FAMILIES] if self.families != "auto" else []
        if unknown:
            raise ValueError(f"'families' has to name one of {', '.join(FAMILIES)} for each column, not {unknown[0]!r}")

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weights = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        used = weights > 0
        if not used.all():
            X, y, weights = X[used], y[used], weights[used]
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.families_ = self._families(X)
        makers: dict[str, Any] = {
            "gaussian": lambda: GaussianNaiveBayes(var_smoothing=self.var_smoothing),
            "bernoulli": lambda: BernoulliNaiveBayes(alpha=self.alpha),
            "categorical": lambda: CategoricalNaiveBayes(alpha=self.alpha, bins=self.few),
        }
        self.blocks_ = {
            family: makers[family]().fit(self._part(X, family), codes, None if sample_weight is None else weights)
            for family in IN_BLOCKS
            if family in self.families_
        }
        self.means_ = {
            family: class_means(family, self._part(X, family), codes, weights)
            for family in BY_MEAN
            if family in self.families_
        }
        share = np.bincount(codes, weights) if self.fit_prior else np.ones(len(self.classes_))
        self.class_log_prior_ = np.log(share / share.sum())
        return self

    def _families(self, X: Array) -> list[str]:
        if self.families == "auto":
            return [self._family(few_values(column, self.few)) for column in X.T]
        given = list(self.families)
        if len(given) != X.shape[1]:
            raise ValueError(
                f"'families' has to name one of {', '.join(FAMILIES)} for each of {X.shape[1]} columns; it names "
                f"{len(given)}: {', '.join(map(str, given[:5]))}"
            )
        return given

    @staticmethod
    def _family(values: Array | None) -> str:
        if values is None or len(values) < 2:
            return "gaussian"
        return "bernoulli" if len(values) == 2 else "categorical"

    def _columns(self, family: str) -> list[int]:
        return [place for place, one in enumerate(self.families_) if one == family]

    def _part(self, X: Array, family: str) -> Array:
        places = self._columns(family)
        return X if len(places) == X.shape[1] else X[:, places]

    def predict_joint_log_proba(self, X: Any) -> Array:
        """log P(x, class) of every row and class."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        joint = np.tile(self.class_log_prior_, (len(X), 1))
        for family, block in self.blocks_.items():
            joint += block.predict_joint_log_proba(self._part(X, family)) - _log_prior(block)
        for family, means in self.means_.items():
            joint += log_likelihood_by_mean(family, self._part(X, family), means)
        return joint

    def predict_proba(self, X: Any) -> Array:
        joint = self.predict_joint_log_proba(X)
        return posterior(joint, np.exp(self.class_log_prior_))

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]  # type: ignore[no-any-return]


def _log_prior(block: Any) -> Array:
    if isinstance(block, GaussianNaiveBayes):
        return np.asarray(np.log(block.class_prior_))
    return np.asarray(block.pipeline_[-1].class_log_prior_)
