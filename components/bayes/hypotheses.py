"""A finite set of hypotheses, weighed by the rows: the most probable, the vote of all, or one drawn for each row."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

Array = np.ndarray[Any, Any]

LEAST = 1e-300


class FiniteHypotheses(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Bayesian learning over a finite list of hypotheses h: computes each P(h | rows) and predicts by it.

    `map` predicts by the hypothesis of greatest P(rows | h) P(h), with a uniform prior by the one of greatest
    likelihood; `vote` by sum_h P(v | h) P(h | rows), the Bayes optimal prediction, which no other beats on average and
    which may well differ from the most probable hypothesis; `gibbs` by one hypothesis drawn for each row, whose
    expected error is at most twice that of the vote. (That drawing again and again beats the vote, as one of the notes
    closes, is wrong: a vote over draws tends to it. In their example of three hypotheses, the third is printed with the
    first one's name.)

    Parameters
    ----------
    predict_by : {"vote", "map", "gibbs"}, default="vote"
        How the posterior becomes a prediction.
    hypotheses : "stumps" or list, default="stumps"
        Stumps predict one class up to a cut of one column and the same or another beyond it. A list holds fitted
        classifiers, or probabilities of the second class (the bias of a coin), whatever the row.
    prior : array-like of shape (n_hypotheses,) or None, default=None
        P(h); None is uniform.
    noise : float, default=0.1
        Probability that a stump is wrong, above 0 and below 0.5.
    cuts : int, default=8
        Maximum number of cuts of a column.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws of `gibbs`: the same row always draws the same hypothesis.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    posterior_ : ndarray of shape (n_hypotheses,)
        P(h | rows).
    best_ : int
        Index of the most probable hypothesis.
    columns_, thresholds_ : ndarray
        Column and threshold of each cut of stumps; the hypotheses are the cuts by the class below by the class beyond.

    Examples
    --------
    >>> from penstock.components.bayes.hypotheses import FiniteHypotheses
    >>> coins = [0.25, 0.5, 0.75]
    >>> model = FiniteHypotheses(hypotheses=coins).fit([[0]] * 4, ["tails", "heads", "tails", "tails"])
    >>> model.posterior_.round(2).tolist()
    [0.07, 0.35, 0.59]
    >>> model.predict_proba([[0]]).round(2).tolist()
    [[0.37, 0.63]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "predict_by": [StrOptions({"vote", "map", "gibbs"})],
        "hypotheses": [StrOptions({"stumps"}), list],
        "prior": ["array-like", None],
        "noise": [Interval(Real, 0, 0.5, closed="neither")],
        "cuts": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        predict_by: str = "vote",
        hypotheses: str | list[Any] = "stumps",
        prior: Any = None,
        noise: float = 0.1,
        cuts: int = 8,
        random_state: Any = None,
    ) -> None:
        self.predict_by = predict_by
        self.hypotheses = hypotheses
        self.prior = prior
        self.noise = noise
        self.cuts = cuts
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weights = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        used = weights > 0
        X, y, weights = X[used], y[used], weights[used]
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.key_ = int(check_random_state(self.random_state).randint(2**31))
        if isinstance(self.hypotheses, str):
            likelihood = self._learn_stumps(X, codes, weights)
        else:
            shares = self._listed(X)[:, np.arange(len(codes)), codes]
            likelihood = np.log(np.maximum(shares, LEAST)) @ weights
        prior = np.ones(len(likelihood)) if self.prior is None else np.asarray(self.prior, dtype=float)
        if len(prior) != len(likelihood):
            raise ValueError(f"{len(prior)} priors are given for {len(likelihood)} hypotheses")
        if (prior < 0).any() or not prior.sum() > 0:
            raise ValueError("priors of hypotheses are not negative, and not all zero")
        with np.errstate(divide="ignore"):
            self.posterior_ = np.exp(log_softmax(likelihood + np.log(prior)))
        self.best_ = int(self.posterior_.argmax())
        return self

    def _learn_stumps(self, X: Array, codes: Array, weights: Array) -> Array:
        """log P(rows | stump) of every cut, class below and class beyond, from counts on both sides."""
        shares = np.arange(1, self.cuts + 1) / (self.cuts + 1)
        found = [np.unique(np.quantile(column, shares, method="inverted_cdf", weights=weights)) for column in X.T]
        self.columns_ = np.repeat(np.arange(X.shape[1]), [len(cuts) for cuts in found])
        self.thresholds_ = np.concatenate(found)
        classes = len(self.classes_)
        counts = np.eye(classes)[codes] * weights[:, None]
        beyond = self._beyond(X).T @ counts
        below = counts.sum(axis=0) - beyond
        right, wrong = np.log(1 - self.noise), np.log(self.noise / max(classes - 1, 1))
        sides = [right * side + wrong * (side.sum(axis=1, keepdims=True) - side) for side in (below, beyond)]
        return np.asarray(sides[0][:, :, None] + sides[1][:, None, :]).ravel()

    def _beyond(self, X: Array) -> Array:
        """Which rows lie beyond which cuts."""
        return np.asarray(X[:, self.columns_] > self.thresholds_, dtype=float)

    def _listed(self, X: Array) -> Array:
        """P(class | h, row) of listed hypotheses: hypotheses by rows by classes."""
        proba = np.zeros((len(self.hypotheses), len(X), len(self.classes_)))
        for place, one in enumerate(self.hypotheses):
            if isinstance(one, Real):
                if len(self.classes_) != 2:
                    raise ValueError(f"probabilities of a coin are of two classes, not of {len(self.classes_)}")
                proba[place] = 1 - float(one), float(one)
            else:
                strange = np.setdiff1d(one.classes_, self.classes_)
                if len(strange):
                    raise ValueError(f"hypothesis {place + 1} knows the class '{strange[0]}', which no row has")
                known = np.searchsorted(self.classes_, one.classes_)
                proba[place][:, known] = one.predict_proba(X)
        return proba

    def predict_proba(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        stumps = isinstance(self.hypotheses, str)
        if self.predict_by == "vote":
            return self._stump_vote(X) if stumps else np.asarray(np.tensordot(self.posterior_, self._listed(X), 1))
        chosen = np.full(len(X), self.best_) if self.predict_by == "map" else self._drawn(X)
        return self._stump(X, chosen) if stumps else self._listed(X)[chosen, np.arange(len(X))]

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]  # type: ignore[no-any-return]

    def _drawn(self, X: Array) -> Array:
        """A hypothesis for each row, by a number between 0 and 1 that hangs on the row and the seed alone."""
        table = pd.DataFrame(X + 0.0)  # one zero, not two
        mixed = pd.util.hash_pandas_object(table.assign(key=self.key_), index=False).to_numpy()
        drawn = mixed.astype(np.float64) / 2.0**64
        return np.minimum(np.searchsorted(np.cumsum(self.posterior_), drawn), len(self.posterior_) - 1)

    def _stump_vote(self, X: Array) -> Array:
        classes = len(self.classes_)
        mass = self.posterior_.reshape(-1, classes, classes)  # by cut, class below, class beyond
        below, beyond = mass.sum(axis=2), mass.sum(axis=1)
        votes = below.sum(axis=0) + self._beyond(X) @ (beyond - below)
        return self._noisy(votes)

    def _stump(self, X: Array, chosen: Array) -> Array:
        classes = len(self.classes_)
        cut, below, beyond = np.unravel_index(chosen, (len(self.columns_), classes, classes))
        side = X[np.arange(len(X)), self.columns_[cut]] > self.thresholds_[cut]
        return self._noisy(np.eye(classes)[np.where(side, beyond, below)])

    def _noisy(self, votes: Array) -> Array:
        """Votes for classes as probabilities: a stump is wrong now and then."""
        if len(self.classes_) == 1:
            return votes
        slip = self.noise / (len(self.classes_) - 1)
        return np.asarray(votes * (1 - self.noise - slip) + slip)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # one cut does not tell three classes apart
        return tags
