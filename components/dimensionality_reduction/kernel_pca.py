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

    Parameters
    ----------
    n_components, kernel, gamma, degree, coef0, alpha, fit_inverse_transform, eigen_solver, tol, max_iter
        As in scikit-learn; all components where fewer rows exist than were asked for.
    scores : {"normalised", "unit", "raw"}
        How the centred kernel's eigenvectors weigh the kernel of a row. "normalised" divides them by the root of their
        eigenvalue, so that a linear kernel gives the scores of PCA. "unit" does not divide: scores are longer by that
        root. "raw" does not centre the kernel of the row either, as some books print it; new rows are then shifted.
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
    """Kernel PCA that learns the way back to the columns, by kernel ridge regression."""

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
