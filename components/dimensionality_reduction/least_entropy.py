"""Independent components by turning whitened rows until their columns have the least entropy."""

from __future__ import annotations

from itertools import combinations
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from scipy.spatial import KDTree
from scipy.special import digamma, gammaln
from scipy.stats import differential_entropy
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]

MAX_ROWS = 5000
NEIGHBOURS = 3
MIN_ROWS = 5
"""Spacings between sorted values, from which an entropy is told, need so many."""


class EntropyICA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Independent components by least entropy: whitens, and rotates until the columns' entropies have the least sum.

    The rotation is found pair by pair on a grid of angles. Sources come back up to order, sign and scale; no more than
    one may be Gaussian, and there can be no more than columns. FastICA only approximates these entropies, and is far
    faster.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of sources; None takes as many as independent columns.
    angles : int, default=45
        Angles of the grid between 0 and 90 degrees, where sources only change places; then as many around the best.
    sweeps : int, default=5
        Maximum number of passes over all pairs; two sources need one.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features_in_)
        Unmixing matrix of centred rows; sources have unit variance (divisor n).
    mixing_ : ndarray of shape (n_features_in_, n_components)
        Its pseudo-inverse, which leads from sources to columns.
    mean_ : ndarray of shape (n_features_in_,)
        Means of the columns.
    entropies_ : ndarray of shape (n_components,)
        Entropy of each source, in bits.
    multi_information_ : float
        The sum of these less the entropy of all sources together, in bits: zero where they are independent, and a
        little more by chance.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.dimensionality_reduction.least_entropy import EntropyICA
    >>> sources = np.random.default_rng(0).uniform(-1, 1, size=(500, 2))
    >>> X = sources @ [[2.0, 1.0], [1.0, 1.0]]
    >>> found = EntropyICA().fit_transform(X)
    >>> np.abs(np.corrcoef(found.T, sources.T)[:2, 2:]).max(axis=1).round(1).tolist()
    [1.0, 1.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "angles": [Interval(Integral, 2, None, closed="left")],
        "sweeps": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_components: int | None = None, angles: int = 45, sweeps: int = 5) -> None:
        self.n_components = n_components
        self.angles = angles
        self.sweeps = sweeps

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=MIN_ROWS)
        self.mean_ = X.mean(axis=0)
        white, whitening = whiten(X - self.mean_, self.n_components)
        seen = white[np.linspace(0, len(white) - 1, min(len(white), MAX_ROWS)).astype(int)]
        turn = self._turn(seen)
        self.components_ = turn.T @ whitening
        self.mixing_ = np.linalg.pinv(self.components_)
        sources = seen @ turn
        self.entropies_ = entropies(sources)
        self.multi_information_ = float(self.entropies_.sum() - joint_entropy(sources))
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        sources: Array = (X - self.mean_) @ self.components_.T
        return sources

    def inverse_transform(self, X: Any) -> Array:
        check_is_fitted(self)
        back: Array = np.asarray(X) @ self.mixing_.T + self.mean_
        return back

    def _turn(self, white: Array) -> Array:
        """The rotation of the whitened rows, a pair of columns at a time."""
        turn = np.eye(white.shape[1])
        step = 90 / self.angles
        for _ in range(self.sweeps):
            moved = False
            for one, two in combinations(range(len(turn)), 2):
                pair = (white @ turn)[:, [one, two]]
                coarse = np.arange(self.angles) * step
                best = coarse[np.argmin(entropy_at(pair, coarse))]
                fine = best + np.linspace(-step, step, 2 * self.angles // 3 + 1)
                angle = fine[np.argmin(entropy_at(pair, fine))]
                # A column takes the place of another near 90 degrees, which is no other answer.
                moved |= min(abs(angle) % 90, 90 - abs(angle) % 90) > step
                turn[:, [one, two]] = turn[:, [one, two]] @ rotation(angle)
            if not moved or len(turn) == 2:
                break
        return turn

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags


def whiten(centred: Array, most: int | None = None) -> tuple[Array, Array]:
    """Rows with the identity as covariance (divisor n), and the matrix that makes them: U^T over the root of λ."""
    values, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
    order = np.argsort(-values, kind="stable")
    kept = order[values[order] > max(values.max(), 0.0) * 1e-10][:most]
    if not len(kept):
        kept = order[:1]
    roots = np.sqrt(values[kept])
    whitening = vectors[:, kept].T / np.where(roots > 0, roots, 1.0)[:, None]
    return centred @ whitening.T, whitening


def rotation(degrees: float) -> Array:
    angle = np.deg2rad(degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def entropy_at(pair: Array, degrees: Array) -> Array:
    """The sum of the entropies of both columns, for each angle that they are turned by."""
    angles = np.deg2rad(degrees)
    first = np.outer(pair[:, 0], np.cos(angles)) + np.outer(pair[:, 1], np.sin(angles))
    second = np.outer(pair[:, 1], np.cos(angles)) - np.outer(pair[:, 0], np.sin(angles))
    return entropies(first) + entropies(second)


def entropies(X: Array) -> Array:
    """Of each column, in bits (Vasicek's estimate)."""
    with np.errstate(divide="ignore"):
        return np.asarray(differential_entropy(X, axis=0, base=2, method="vasicek"))


def joint_entropy(X: Array) -> float:
    """Of whole rows, in bits, by the distance to the third nearest row (Kozachenko and Leonenko).

    Rows are whitened first, so that H[A x] = H[x] + log2 |det A| holds for the estimate as it does for the truth.
    """
    centred = X - X.mean(axis=0)
    white, whitening = whiten(centred)
    rows, size = white.shape
    reach = KDTree(white).query(white, min(NEIGHBOURS, rows - 1) + 1)[0][:, -1]
    ball = size / 2 * np.log(np.pi) - gammaln(size / 2 + 1)
    logs = size * np.log(np.maximum(reach, np.finfo(float).tiny)).mean()
    nats = digamma(rows) - digamma(min(NEIGHBOURS, rows - 1)) + ball + logs
    stretched = -np.linalg.slogdet(whitening @ whitening.T)[1] / 2
    return float((nats + stretched) / np.log(2))
