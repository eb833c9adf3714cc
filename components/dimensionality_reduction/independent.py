"""Independent components, as many as there can be."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn import decomposition
from sklearn.exceptions import ConvergenceWarning

from penstock.components.centring import mean_of


class ICA(decomposition.FastICA):  # type: ignore[misc]
    """scikit-learn's FastICA with no more components than independent columns.

    The indicators of a nominal column add up to one; whitening would blow up the direction in which they never differ.
    It does not warn where `max_iter` ends it before it has converged.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of components; None takes as many as independent columns.
    algorithm : {"parallel", "deflation"}, default="parallel"
        Whether components are found all at once or one after the other.
    whiten : {"arbitrary-variance", "unit-variance"} or bool, default="unit-variance"
        How rows are whitened; "unit-variance" gives sources of variance 1, False takes the rows as white already.
    fun : {"logcosh", "exp", "cube"} or callable, default="logcosh"
        The function that approximates negentropy.
    fun_args : dict or None, default=None
        Arguments of `fun`.
    max_iter : int, default=200
        Maximum number of iterations.
    tol : float, default=0.0001
        Iterations end when the unmixing matrix moves by less than this.
    w_init : array-like of shape (n_components, n_components) or None, default=None
        Initial unmixing matrix; None draws it at random.
    whiten_solver : {"eigh", "svd"}, default="svd"
        Decomposition by which rows are whitened.
    random_state : int, RandomState instance or None, default=None
        Seed of the initial unmixing matrix.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features_in_)
        The unmixing matrix of centred rows.
    mixing_ : ndarray of shape (n_features_in_, n_components)
        Its pseudo-inverse, which leads from sources to columns.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.dimensionality_reduction.independent import ICA
    >>> sources = np.random.default_rng(0).uniform(-1, 1, size=(500, 2))
    >>> X = np.column_stack([sources, sources.sum(axis=1)])
    >>> ICA(random_state=0).fit_transform(X).shape
    (500, 2)
    """

    def _fit_transform(self, X: Any, compute_sources: bool = False) -> Any:
        asked = self.n_components  # type: ignore[has-type]
        values = np.asarray(X)
        if values.ndim == 2 and values.dtype.kind == "f" and values.size and np.isfinite(values).all():
            rank = int(np.linalg.matrix_rank(values - mean_of(values)))
            if len(values) > 1 and not rank:
                raise ValueError(f"Input X contains no column that varies, so that {type(self).__name__} finds nothing")
            rank = max(1, rank)
            self.n_components = rank if asked is None else min(asked, rank)
        try:
            with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):  # by what is left out
                warnings.simplefilter("ignore", ConvergenceWarning)
                return super()._fit_transform(X, compute_sources=compute_sources)
        finally:
            self.n_components = asked
