"""Non-negative parts, as many as there can be."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn import decomposition
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

Array = np.ndarray[Any, Any]


class NMF(decomposition.NMF):  # type: ignore[misc]
    """scikit-learn's non-negative factorisation, with all components where fewer columns or rows exist.

    Training rows must not be negative. New rows may lie below what training rows held, which after a scaling to 0 and 1
    is below zero: they count as zero.

    Parameters
    ----------
    n_components : int, "auto" or None, default="auto"
        Number of components; None takes all.
    init : {"random", "nndsvd", "nndsvda", "nndsvdar", "custom"} or None, default=None
        Initialisation; None is "nndsvda", or "random" where more components than rows or columns are asked for.
    solver : {"cd", "mu"}, default="cd"
        Coordinate descent or multiplicative updates.
    beta_loss : float or {"frobenius", "kullback-leibler", "itakura-saito"}, default="frobenius"
        The divergence that is minimised; others than "frobenius" need solver "mu".
    tol : float, default=0.0001
        Tolerance of the stopping condition.
    max_iter : int, default=200
        Maximum number of iterations.
    random_state : int, RandomState instance or None, default=None
        Seed of the initialisation and of coordinate descent.
    alpha_W : float, default=0.0
        Penalty on the scores.
    alpha_H : float or "same", default="same"
        Penalty on the components; "same" takes `alpha_W`.
    l1_ratio : float, default=0.0
        Share of L1 in the penalty; the rest is L2.
    verbose : int, default=0
        Verbosity.
    shuffle : bool, default=False
        Whether coordinate descent visits coordinates in random order.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features_in_)
        The non-negative components.
    reconstruction_err_ : float
        Frobenius norm of the error, or the divergence, on the training rows.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.dimensionality_reduction.non_negative import NMF
    >>> X = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
    >>> model = NMF(n_components=1, random_state=0).fit(X)
    >>> model.inverse_transform(model.transform(X)).round(1).tolist()
    [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]
    """

    def fit_transform(self, X: Any, y: Any = None, W: Any = None, H: Any = None) -> Array:
        shape = (X if hasattr(X, "shape") else np.asarray(X)).shape
        with self._with_parts(min(shape)):
            return np.asarray(super().fit_transform(X, y, W=W, H=H))

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        with self._with_parts(len(self.components_)):
            return np.asarray(super().transform(X.maximum(0) if issparse(X) else np.maximum(X, 0)))

    @contextmanager
    def _with_parts(self, most: int) -> Iterator[None]:
        """No more parts than can be, for the time of a call; and content with its rounds."""
        asked = self.n_components  # type: ignore[has-type]
        self.n_components = min(asked, most) if isinstance(asked, Integral) else asked
        try:
            # Where the parts leave nothing, rounding may leave less than nothing, which has no root.
            with warnings.catch_warnings(), np.errstate(invalid="ignore"):
                warnings.simplefilter("ignore", ConvergenceWarning)
                yield
        finally:
            self.n_components = asked
