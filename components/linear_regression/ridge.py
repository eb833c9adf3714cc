"""Ridge with the constant outside the penalty, or under it."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.utils import Tags
from sklearn.utils.validation import check_non_negative, validate_data


class RidgeRegressor(Ridge):  # type: ignore[misc]
    """Ridge regression: minimises sum of squared errors + alpha * sum of squared weights, w = (X'X + alpha I)^-1 X'y.

    The inverse is there for every alpha above zero, also where rows are fewer than columns, whatever is printed of
    m >= n + 1. As the most probable weights alpha is the variance of the noise over that of the prior: variances, where
    standard deviations are printed in places.

    Parameters
    ----------
    alpha : float, default=1.0
        Weight of the penalty.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    penalise_intercept : bool, default=False
        Whether the penalty counts the intercept too, as in books that add a column of ones to X; some write both. By
        default it is free, so that adding 100 to the target adds 100 to every prediction.
    copy_X : bool, default=True
        Whether the rows are copied before they are centred.
    max_iter : int or None, default=None
        Maximum number of iterations of iterative solvers; None is the solver's default.
    tol : float, default=0.0001
        Tolerance of iterative solvers.
    solver : {"auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"}, default="auto"
        The solver.
    positive : bool, default=False
        Whether weights must not be negative; for "lbfgs" alone.
    random_state : int, RandomState instance or None, default=None
        Seed of "sag" and "saga".

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Weights of the columns.
    intercept_ : float
        The intercept.
    n_iter_ : int or ndarray
        Number of iterations of iterative solvers, else 1.

    Examples
    --------
    >>> from penstock.components.linear_regression.ridge import RidgeRegressor
    >>> model = RidgeRegressor(alpha=2.0).fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> model.coef_.round(2).tolist(), round(float(model.intercept_), 2)
    ([1.0], 2.0)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **Ridge._parameter_constraints,
        "penalise_intercept": ["boolean"],
    }
    n_iter_: Any

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        penalise_intercept: bool = False,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            alpha,
            fit_intercept=fit_intercept,
            copy_X=copy_X,
            max_iter=max_iter,
            tol=tol,
            solver=solver,
            positive=positive,
            random_state=random_state,
        )
        self.penalise_intercept = penalise_intercept

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        if sample_weight is not None:
            check_non_negative(np.atleast_1d(np.asarray(sample_weight)), "`sample_weight`")
        if self.fit_intercept and self.penalise_intercept:
            self._fit_column_of_ones(X, y, sample_weight)
        else:
            super().fit(X, y, sample_weight)
        if self.n_iter_ is None:  # the closed forms make no steps
            self.n_iter_ = 1
        return self

    def _fit_column_of_ones(self, X: Any, y: Any, sample_weight: Any) -> None:
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, multi_output=True)
        given = {**self.get_params(), "fit_intercept": False}
        del given["penalise_intercept"]
        found = Ridge(**given).fit(np.column_stack([X, np.ones(len(X))]), y, sample_weight)
        self.coef_, self.intercept_ = found.coef_[..., :-1], found.coef_[..., -1]
        self.n_iter_, self.solver_ = found.n_iter_, found.solver_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.sparse and not self.penalise_intercept
        return tags
