"""Principal components after a bend by a kernel."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import issparse
from sklearn import decomposition
from sklearn.utils import Tags
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class KernelPCA(decomposition.KernelPCA):  # type: ignore[misc]
    """scikit-learn's kernel PCA, with the scores of either convention.

    It gives all components where fewer rows exist than components were asked for.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of components; None takes all of positive eigenvalue.
    kernel : {"linear", "poly", "rbf", "sigmoid", "cosine", "precomputed"} or callable, default="linear"
        The kernel.
    gamma : float or None, default=None
        Coefficient of the kernels "rbf", "poly" and "sigmoid"; None takes one over the number of columns.
    degree : float, default=3
        Degree of the kernel "poly".
    coef0 : float, default=1
        Constant of the kernels "poly" and "sigmoid".
    kernel_params : dict or None, default=None
        Arguments of a callable kernel.
    alpha : float, default=1.0
        Penalty of the ridge regression that learns the inverse transform.
    fit_inverse_transform : bool, default=False
        Whether to learn the inverse transform.
    eigen_solver : {"auto", "dense", "arpack", "randomized"}, default="auto"
        The eigensolver.
    tol : float, default=0
        Tolerance of arpack; 0 is machine precision.
    max_iter : int or None, default=None
        Maximum number of iterations of arpack; None leaves it to arpack.
    iterated_power : int or "auto", default="auto"
        Power iterations of the randomized solver.
    remove_zero_eig : bool, default=False
        Whether components with an eigenvalue of zero are removed.
    random_state : int, RandomState instance or None, default=None
        Seed of arpack and the randomized solver.
    copy_X : bool, default=True
        Whether the training rows are copied into the model.
    n_jobs : int or None, default=None
        Number of parallel jobs.
    scores : {"normalised", "unit", "raw"}, default="normalised"
        How the centred kernel's eigenvectors weigh the kernel of a row. "normalised" divides them by the root of their
        eigenvalue, so that a linear kernel gives the scores of PCA. "unit" does not divide: scores are longer by that
        root. "raw" does not centre the kernel of the row either, as some books print it; new rows are then shifted.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        Eigenvalues of the centred kernel matrix.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        Its eigenvectors.

    Examples
    --------
    >>> from penstock.components.dimensionality_reduction.kernel_pca import KernelPCA
    >>> rows = [[0.0], [1.0], [3.0]]
    >>> KernelPCA(n_components=1).fit(rows).transform(rows).round(2).ravel().tolist()
    [-1.33, -0.33, 1.67]
    >>> KernelPCA(n_components=1, scores="unit").fit(rows).eigenvalues_.round(2).tolist()
    [4.67]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **decomposition.KernelPCA._parameter_constraints,
        "scores": [StrOptions({"normalised", "unit", "raw"})],
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: Any = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: str = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: Any = "auto",
        remove_zero_eig: bool = False,
        random_state: Any = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        scores: str = "normalised",
    ) -> None:
        super().__init__(
            n_components=n_components,
            kernel=kernel,
            gamma=gamma,
            degree=degree,
            coef0=coef0,
            kernel_params=kernel_params,
            alpha=alpha,
            fit_inverse_transform=fit_inverse_transform,
            eigen_solver=eigen_solver,
            tol=tol,
            max_iter=max_iter,
            iterated_power=iterated_power,
            remove_zero_eig=remove_zero_eig,
            random_state=random_state,
            copy_X=copy_X,
            n_jobs=n_jobs,
        )
        self.scores = scores

    def _get_kernel(self, X: Any, Y: Any = None) -> Array:
        learnt = X if Y is None else Y
        if self.kernel == "rbf" and not issparse(X) and not issparse(learnt):
            middle = learnt.mean(axis=0)  # of distances alone, which lose digits far from zero
            X, Y = X - middle, None if Y is None else Y - middle
        return np.asarray(super()._get_kernel(X, Y))

    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Array:
        if self.scores == "normalised":
            return np.asarray(super().fit_transform(X, y, **params))
        return np.asarray(self.fit(X, y).transform(X))

    def transform(self, X: Any) -> Array:
        if self.scores == "normalised":
            return np.asarray(super().transform(X))
        check_is_fitted(self)
        if self.scores == "unit":
            longer: Array = np.asarray(super().transform(X)) * np.sqrt(self.eigenvalues_)
            return longer
        X = validate_data(self, X, accept_sparse="csr", reset=False)
        return np.asarray(self._get_kernel(X, self.X_fit_) @ self.eigenvectors_)


class InvertibleKernelPCA(KernelPCA):
    """Kernel PCA that learns the inverse transform to the columns, by kernel ridge regression.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of components; None takes all of positive eigenvalue.
    kernel : {"linear", "poly", "rbf", "sigmoid", "cosine"} or callable, default="linear"
        The kernel.
    gamma : float or None, default=None
        Coefficient of the kernels "rbf", "poly" and "sigmoid"; None takes one over the number of columns.
    degree : float, default=3
        Degree of the kernel "poly".
    coef0 : float, default=1
        Constant of the kernels "poly" and "sigmoid".
    alpha : float, default=1.0
        Penalty of the ridge regression that learns the inverse transform.
    eigen_solver : {"auto", "dense", "arpack", "randomized"}, default="auto"
        The eigensolver.
    tol : float, default=0
        Tolerance of arpack; 0 is machine precision.
    max_iter : int or None, default=None
        Maximum number of iterations of arpack; None leaves it to arpack.
    random_state : int, RandomState instance or None, default=None
        Seed of arpack and the randomized solver.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        Eigenvalues of the centred kernel matrix.
    mean_ : ndarray of shape (n_features_in_,)
        Means of the columns, to which the inverse transform adds.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.dimensionality_reduction.kernel_pca import InvertibleKernelPCA
    >>> X = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
    >>> model = InvertibleKernelPCA(n_components=1, alpha=1e-6).fit(X)
    >>> model.inverse_transform(model.transform(X)).round(2).tolist()
    [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: Any = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        alpha: float = 1.0,
        eigen_solver: str = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_components=n_components,
            kernel=kernel,
            gamma=gamma,
            degree=degree,
            coef0=coef0,
            alpha=alpha,
            fit_inverse_transform=True,
            eigen_solver=eigen_solver,
            tol=tol,
            max_iter=max_iter,
            random_state=random_state,
        )

    def fit(self, X: Any, y: Any = None) -> Self:
        if issparse(X):
            raise TypeError("the way back is not known for sparse matrices; make it dense")
        super().fit(X, y)
        return self

    def inverse_transform(self, X: Any) -> Array:
        back: Array = np.asarray(super().inverse_transform(X)) + self.mean_
        return back

    def _fit_inverse_transform(self, X_transformed: Array, X: Array) -> None:
        # A kernel without a constant cannot bring back the mean.
        values = np.asarray(X, dtype=np.float64)
        self.mean_ = values.mean(axis=0)
        super()._fit_inverse_transform(X_transformed, values - self.mean_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags
