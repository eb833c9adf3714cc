"""Principal components, as many as there can be or as their variances say."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn import decomposition
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.dimensionality_reduction.rows import require_two_rows

Array = np.ndarray[Any, Any]

ROUNDING = 1e-12
APART = 5.0


class PCA(decomposition.PCA):  # type: ignore[misc]
    """scikit-learn's principal components, with all of them where fewer columns or rows exist.

    How many columns a table becomes depends on the levels in each fold, so a pipeline file cannot know it. Beside the
    library's ways to choose the number, there are "gap", "isolated" and `tolerance`.

    Parameters
    ----------
    n_components : int, float, "gap", "isolated", "mle" or None, default=None
        So many; the fewest that explain this share of the variance; those before the largest fall from one variance to
        the next; those that stand apart from the bulk; as many as Minka's estimate gives; all.
    copy : bool, default=True
        Whether `fit` leaves the rows as they are.
    whiten : bool, default=False
        Whether scores are divided by their standard deviation.
    svd_solver : {"auto", "full", "covariance_eigh", "arpack", "randomized"}, default="auto"
        The solver.
    tol : float, default=0.0
        Tolerance of arpack.
    iterated_power : int or "auto", default="auto"
        Power iterations of the randomized solver.
    n_oversamples : int, default=10
        Additional random vectors of the randomized solver.
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        Normaliser of the randomized solver.
    tolerance : float or None, default=None
        As few components as leave out less than this variance in sum; in the place of `n_components`.
    random_state : int, RandomState instance or None, default=None
        Seed of arpack and the randomized solver.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features_in_)
        Principal axes, by falling variance.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Share of the variance along each axis.
    mean_ : ndarray of shape (n_features_in_,)
        Means of the columns.

    Examples
    --------
    >>> from penstock.components.dimensionality_reduction.pca import PCA
    >>> X = [[0.0, 0.0, 1.0], [2.0, 4.0, 0.9], [4.0, 8.0, 1.1], [6.0, 12.0, 1.0]]
    >>> PCA(n_components="gap").fit(X).n_components_
    1
    >>> PCA(n_components=9).fit_transform(X).shape
    (4, 3)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **decomposition.PCA._parameter_constraints,
        "n_components": [
            *decomposition.PCA._parameter_constraints["n_components"],
            StrOptions({"gap", "isolated", "mle"}),
        ],
        "tolerance": [Interval(Real, 0, None, closed="neither"), None],
    }

    def __init__(
        self,
        n_components: Any = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: str = "auto",
        tol: float = 0.0,
        iterated_power: Any = "auto",
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        tolerance: float | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_components=n_components,
            copy=copy,
            whiten=whiten,
            svd_solver=svd_solver,
            tol=tol,
            iterated_power=iterated_power,
            n_oversamples=n_oversamples,
            power_iteration_normalizer=power_iteration_normalizer,
            random_state=random_state,
        )
        self.tolerance = tolerance

    def _fit(self, X: Any) -> Any:
        require_two_rows(self, X)
        asked = self.n_components  # type: ignore[has-type]
        if self.tolerance is not None:
            self.n_components = count_within(_variances(X), self.tolerance)
        elif isinstance(asked, str) and asked == "gap":
            self.n_components = count_before_gap(_variances(X))
        elif isinstance(asked, str) and asked == "isolated":
            self.n_components = max(1, count_isolated(_variances(X)))
        elif isinstance(asked, float) and 0 < asked < 1:
            # At an exact tie the library keeps one more than are needed.
            self.n_components = asked * (1 - ROUNDING)  # type: ignore[assignment]
        elif isinstance(asked, Integral):
            self.n_components = min(asked, *(X if hasattr(X, "shape") else np.asarray(X)).shape)
        try:
            return super()._fit(X)
        finally:
            self.n_components = asked


def count_within(variances: Array, tolerance: float) -> int:
    """The fewest of these falling variances, at least one, that leave out less than the tolerance in sum."""
    left_out = variances.sum() - np.cumsum(variances)
    return int(np.argmax(left_out < tolerance)) + 1 if (left_out < tolerance).any() else len(variances)


def count_before_gap(variances: Array) -> int:
    """How many of these falling variances stand before the largest fall; one where there is no other."""
    return int(np.argmax(-np.diff(variances))) + 1 if len(variances) > 1 else 1


def count_isolated(values: Array) -> int:
    """How many of these falling eigenvalues stand apart from the bulk above it.

    The lower half is the bulk; it grows upwards as long as the next gap is not many times the widest inside it.
    """
    rising = np.sort(values)
    gaps = np.diff(rising)
    inside = max(1, len(rising) // 2 - 1)
    while inside < len(gaps) and gaps[inside] <= APART * gaps[:inside].max():
        inside += 1
    return len(gaps) - inside


def _variances(X: Any) -> Array:
    return np.asarray(decomposition.PCA(svd_solver="full").fit(X).explained_variance_)
