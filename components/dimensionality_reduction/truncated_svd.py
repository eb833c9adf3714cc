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
    """scikit-learn's truncated singular value decomposition, with all components where fewer columns or rows exist.

    The rows are not centred: of all matrices of this rank, its reconstruction is the nearest to the table itself
    (Eckart and Young); the squared distance is the sum of the squared singular values left out.

    Parameters
    ----------
    n_components : int, default=2
        Number of components.
    algorithm : {"arpack", "randomized"}, default="randomized"
        The solver.
    n_iter : int, default=5
        Power iterations of the randomized solver.
    n_oversamples : int, default=10
        Additional random vectors of the randomized solver.
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        Normaliser of the randomized solver.
    random_state : int, RandomState instance or None, default=None
        Seed of the solver.
    tol : float, default=0.0
        Tolerance of arpack; 0 is machine precision.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features_in_)
        Right singular vectors.
    singular_values_ : ndarray of shape (n_components,)
        Singular values.

    Examples
    --------
    >>> from penstock.components.dimensionality_reduction.truncated_svd import TruncatedSVD
    >>> X = [[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]]
    >>> model = TruncatedSVD(n_components=5, random_state=0).fit(X)
    >>> model.singular_values_.round(2).tolist()
    [4.0, 3.0]
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
    """Latent semantic analysis: truncated singular value decomposition of word counts, with rare words weighing more.

    Columns are words, rows are documents. Topics may have negative weights, and are then hard to read.

    Parameters
    ----------
    n_components : int, default=2
        Number of topics.
    weighting : {"tf-idf", "counts"}, default="tf-idf"
        Whether a count is multiplied by its word's inverse document frequency (smoothed, as in scikit-learn).
    algorithm : {"arpack", "randomized"}, default="randomized"
        The solver.
    n_iter : int, default=5
        Power iterations of the randomized solver.
    n_oversamples : int, default=10
        Additional random vectors of the randomized solver.
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        Normaliser of the randomized solver.
    random_state : int, RandomState instance or None, default=None
        Seed of the solver.
    tol : float, default=0.0
        Tolerance of arpack; 0 is machine precision.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features_in_)
        Weights of the words in each topic.
    weights_ : ndarray of shape (n_features_in_,)
        Inverse document frequency of each word; ones without weighting.

    Examples
    --------
    >>> from penstock.components.dimensionality_reduction.truncated_svd import LSA
    >>> counts = [[2, 1, 0], [1, 1, 0], [0, 0, 3]]
    >>> model = LSA(n_components=2, random_state=0).fit(counts)
    >>> model.weights_.round(2).tolist()
    [1.29, 1.29, 1.69]
    >>> model.transform(counts).shape
    (3, 2)
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
