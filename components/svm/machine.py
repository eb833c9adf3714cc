"""A support vector machine that shows its multipliers: soft or hard margin, with or without a bias, three solvers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC
from sklearn.utils._param_validation import Interval, Options, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.kernels.gram import centred
from penstock.components.kernels.kernel import LINEAR
from penstock.components.kernels.parameters import SMALLER_KERNEL, WithKernel
from penstock.components.svm.exact import exact, separated
from penstock.components.svm.optimum import Audit, audit, bias_of
from penstock.components.svm.smo import Step, smo

Array = np.ndarray[Any, Any]

MAX_STEPS_OF_SMO, MAX_STEPS_OF_LIBSVM = 1_000_000, 10_000_000
FAR, FAR_FOR_EXACT = 0.01, 1e-6  # of the cost: more than a solver leaves that has come to its end


class SupportVectorMachine(ClassifierMixin, WithKernel):  # type: ignore[misc]
    """min 1/2 |w|² + C sum xi with y_i f(x_i) >= 1 - xi_i and xi >= 0, solved in its dual; each class against the rest.

    The dual is max sum a - 1/2 sum a_i a_j y_i y_j K_ij with 0 <= a_i <= C and sum a y = 0. Then w = sum a_i y_i x_i
    and f(x) = sum a_i y_i K(x_i, x) + b, the bias and all (two of the notes drop it, or write K(x, w)); b comes from
    the rows with 0 < a < C alone. (One of the notes averages it over all rows, which is another number; one begins its
    constraints at the second row. Of two rows w = a (x+ - x-), by the labels in the sum; one prints a plus.) A row's
    weight multiplies its C, so that a weight of two is the row twice. In the space of the kernel
    w = sum g_i phi(x_i) with g_i = a_i y_i (`dual_coef_`), which minimises 1/2 g'Kg + C sum xi; without a bias this is
    the hinge loss with a penalty, sum loss + lambda g'Kg, of lambda = 1/(2C), or 1/(2Cn) for a mean loss.

    With a bias it is the same problem wherever zero is: columns of the linear kernel are taken from their medians, and
    kernels whose rows share most of their length from the mean, so that no digits are lost.

    Parameters
    ----------
    kernel, gamma, degree, coef0
        See `penstock.components.kernels.kernel`.
    C : float
        What an error costs against a wide margin. Notes without a C have C = 1.
    margin : {"soft", "hard"}
        Hard allows no row inside the margin (C without end), and refuses rows that no boundary separates.
        (One of the notes prints <= 1 for the second class where <= -1 is meant.)
    bias : bool
        Whether f has a constant that costs nothing.
    solver : {"libsvm", "exact", "smo"}
        The library; the library and then a linear system in the rows on the edge of the margin, which solves the
        quadratic programme to the last digits; or steps of two multipliers, remembered in `steps_`. libsvm has neither
        a hard margin nor a machine without bias, and SMO no machine without bias: they are exact.
    tol : float
        How far a row may be from its condition.
    max_iter : int
        The most steps of SMO and libsvm; -1 for 1,000,000 of SMO, and 10,000,000 of libsvm.

    Attributes
    ----------
    support_ : ndarray of int
        Places of the rows with a > 0 for any class.
    support_vectors_ : ndarray
        Those rows; empty with a given kernel.
    dual_coef_ : ndarray of shape (boundaries, support vectors)
        a_i y_i.
    intercept_ : ndarray of shape (boundaries,)
    normals_ : ndarray of shape (boundaries, columns)
        w, of the linear kernel; empty with others.
    audits_ : list of dict
        Of each boundary: how the conditions of the optimum hold.
    n_iter_ : int
        Steps of the solver, of the boundary that took most.
    steps_ : list
        SMO's steps of the last boundary: both rows, eta, the dual objective, the violation.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **WithKernel._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "margin": [StrOptions({"soft", "hard"})],
        "bias": ["boolean"],
        "solver": [StrOptions({"libsvm", "exact", "smo"})],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left"), Options(Integral, {-1})],
    }

    def __init__(
        self,
        kernel: str = "rbf",
        C: float = 1.0,
        margin: str = "soft",
        bias: bool = True,
        solver: str = "libsvm",
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        tol: float = 1e-3,
        max_iter: int = -1,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.margin = margin
        self.bias = bias
        self.solver = solver
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weights = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        self.classes_, codes = np.unique(y, return_inverse=True)
        used = weights > 0
        if len(np.unique(codes[used])) < 2:
            raise ValueError(f"SupportVectorMachine needs two classes, but the data holds one class: '{y[used][0]}'")
        straight = self.kernel == LINEAR
        # A bias makes up for any move of the columns, and near zero they have all their digits.
        middle = np.median(X[used], axis=0) if straight and self.bias else np.zeros(X.shape[1])
        rows = X - middle if straight else X
        gram = self._begin(rows, weights)
        counted = gram if used.all() else gram[np.ix_(used, used)]
        counted = centred(counted) if self.bias and not straight else counted
        columns = rows[used] if straight and X.shape[1] < used.sum() else None
        upper = np.where(used, self.C * weights if self.margin == "soft" else np.inf, 0.0)
        found = np.zeros((len(self._sides()), len(y)))
        self.intercept_, self.n_iter_ = np.zeros(len(found)), 1
        self.audits_: list[dict[str, Any]] = []
        self.steps_: list[tuple[int, int, float, float, float]] = []
        for place, side in enumerate(self._sides()):
            signs = np.where(codes == side, 1.0, -1.0)
            solved = self._solve(counted, signs[used], upper[used], columns)
            if solved is None:
                told = "" if straight else ", as far as double precision tells"
                several = len(self.classes_) > 2
                parted = f"class '{self.classes_[side]}' from the rest" if several else "the two classes"
                raise ValueError(
                    f"no boundary of kernel '{self.kernel}' separates {parted} without a mistake{told}, as a hard "
                    "margin demands: take margin='soft', or another kernel"
                )
            alpha = np.zeros(len(y))
            alpha[used] = solved
            scores = gram @ (alpha * signs)
            bias = bias_of(alpha[used], signs[used], scores[used], upper[used]) if self.bias else 0.0
            found[place], self.intercept_[place] = alpha * signs, bias
            reached = audit(alpha[used], signs[used], scores[used] + bias, bias, upper[used])
            if not self.steps_ and abs(reached.gap) > (FAR_FOR_EXACT if self._is_exact else FAR) * abs(reached.primal):
                warnings.warn(
                    f"the multipliers are not those of the optimum: cost {reached.primal:.4g} and its bound are "
                    f"{reached.gap:.2g} apart. {SMALLER_KERNEL}, or lower C",
                    ConvergenceWarning,
                    stacklevel=2,
                )
            self.audits_.append(reached.as_facts())
        self.support_ = np.flatnonzero(np.abs(found).max(axis=0) > 0)
        self.dual_coef_ = found[:, self.support_]
        self.support_vectors_ = self._rows(X, self.support_)
        self.normals_ = found @ rows if straight else np.empty((0, 0))
        if straight:
            self.intercept_ -= self.normals_ @ middle
        return self

    def _sides(self) -> list[int]:
        """The class on the positive side of each boundary; of two classes there is one boundary."""
        return [1] if len(self.classes_) == 2 else list(range(len(self.classes_)))

    @property
    def _is_exact(self) -> bool:
        """Also where the library, or SMO, has no such machine."""
        return self.solver == "exact" or not self.bias or (self.solver == "libsvm" and self.margin == "hard")

    def _solve(self, gram: Array, signs: Array, upper: Array, columns: Array | None) -> Array | None:
        """None where the margin is hard, and nothing separates the rows."""
        if self.bias and (signs == signs[0]).all():
            return np.zeros(len(signs))  # a class whose rows have no weight is nowhere, which the bias says
        if self._is_exact:
            solved = exact(gram, signs, upper, self.bias, columns)
            if solved is None:
                return None
            self.n_iter_ = max(self.n_iter_, solved.steps)
            return solved.alpha
        if self.solver == "smo":
            if self.margin == "hard" and not separated(gram, signs, columns):
                return None
            limit = self.max_iter if self.max_iter > 0 else MAX_STEPS_OF_SMO
            path = smo(gram, signs, upper, self.tol, limit)
            self.steps_ = path.steps
            self.n_iter_ = max(self.n_iter_, len(path.steps))
            if not path.converged:
                warnings.warn(
                    f"SMO stopped after {limit} steps before all rows met their conditions within {self.tol:g}: raise "
                    "max_iter",
                    ConvergenceWarning,
                    stacklevel=3,
                )
            return path.alpha
        limit = self.max_iter if self.max_iter > 0 else MAX_STEPS_OF_LIBSVM
        model = SVC(kernel="precomputed", C=1.0, tol=self.tol, max_iter=limit)
        model.fit(gram, signs, sample_weight=upper)
        self.n_iter_ = max(self.n_iter_, int(model.n_iter_.max()))
        alpha = np.zeros(len(signs))
        alpha[model.support_] = np.abs(model.dual_coef_[0])
        return alpha

    def decision_function(self, X: Any) -> Array:
        """f(x) of every boundary: its sign is the side, and it is 1 at the edge of the margin."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if self.kernel == LINEAR:
            weighed = X @ self.normals_.T
        else:
            weighed = self._against(X, self.support_vectors_, self.support_) @ self.dual_coef_.T
        scores: Array = weighed + self.intercept_
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Array:
        scores = self.decision_function(X)
        places = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[places]  # type: ignore[no-any-return]

    def audits(self) -> Iterator[Audit]:
        return (Audit(**facts) for facts in self.audits_)

    def path(self) -> list[Step]:
        """SMO's steps, by name."""
        return [Step(*step) for step in self.steps_]
