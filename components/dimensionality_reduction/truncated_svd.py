"""The best approximation of low rank, and the same of weighted words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import diags_array, issparse
from sklearn import decomposition
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.utils import Tags
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import _check_feature_names, check_array, check_is_fitted, validate_data

from penstock.components.dimensionality_reduction.rows import require_two_rows

Array = np.ndarray[Any, Any]


class TruncatedSVD(decomposition.TruncatedSVD):  # type: ignore[misc]
    """scikit-learn's truncated decomposition, but all there is where fewer columns or rows exist than were asked for.

    The rows are not centred: of all matrices of this rank, what it gives back is the nearest to the table itself
    (Eckart and Young), the squares of the values left out apart.
    """

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        require_two_rows(self, X)
        with self._with_components((X if hasattr(X, "shape") else np.asarray(X)).shape):
            return np.asarray(super().fit_transform(X, y))

    @contextmanager
    def _with_components(self, shape: tuple[int, ...]) -> Iterator[None]:
        """No more components than can be, for the time of a call.

        ARPACK finds fewer than all; the randomised search is exact where all are asked for.
        """
        asked, algorithm = self.n_components, self.algorithm  # type: ignore[has-type]
        if len(shape) == 2 and min(shape) > 0:
            self.n_components = min(asked, *shape)
            self.algorithm = algorithm if self.n_components < min(shape) else "randomized"
        try:
            yield
        finally:
            self.n_components, self.algorithm = asked, algorithm


class LSA(TruncatedSVD):
    """Latent semantic analysis: truncated decomposition of counts of words, rare words weighing more.

    Columns are words, rows are documents. Topics may have negative weights, and are then hard to read.

    Parameters
    ----------
    n_components : int
        Topics.
    weighting : {"tf-idf", "counts"}
        Whether a count is multiplied by its word's inverse document frequency (smoothed, as in scikit-learn).
    algorithm, n_iter, n_oversamples, power_iteration_normalizer, random_state, tol
        As in scikit-learn's TruncatedSVD.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features_in_,)
        What each column is multiplied by.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **decomposition.TruncatedSVD._parameter_constraints,
        "weighting": [StrOptions({"tf-idf", "counts"})],
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        weighting: str = "tf-idf",
        algorithm: str = "randomized",
        n_iter: int = 5,
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
        tol: float = 0.0,
    ) -> None:
        super().__init__(
            n_components=n_components,
            algorithm=algorithm,
            n_iter=n_iter,
            n_oversamples=n_oversamples,
            power_iteration_normalizer=power_iteration_normalizer,
            random_state=random_state,
            tol=tol,
        )
        self.weighting = weighting

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        counts = check_array(X, accept_sparse=("csr", "csc"), ensure_min_features=2, dtype=np.float64)
        self.weights_ = np.ones(counts.shape[1])
        if self.weighting == "tf-idf":
            self.weights_ = TfidfTransformer(norm=None).fit(counts).idf_
        found = super().fit_transform(self._weighed(counts), y)
        _check_feature_names(self, X, reset=True)
        return found

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        counts = validate_data(self, X, accept_sparse=("csr", "csc"), dtype=np.float64, reset=False)
        found: Array = safe_sparse_dot(self._weighed(counts), self.components_.T)
        return found

    def inverse_transform(self, X: Any) -> Array:
        return np.asarray(super().inverse_transform(X)) / self.weights_

    def _weighed(self, counts: Any) -> Any:
        return counts @ diags_array(self.weights_) if issparse(counts) else counts * self.weights_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
