"""The perceptron in the space of a kernel: it counts its mistakes by row."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.kernels.calibrated import CalibratedMachine
from penstock.components.kernels.parameters import WithKernel

Array = np.ndarray[Any, Any]


class KernelPerceptron(ClassifierMixin, WithKernel):  # type: ignore[misc]
    """Rows in their order: where y_i sum_j a_j y_j K(x_j, x_i) <= 0, a_i grows by one; until a pass has no mistake.

    With the linear kernel this is Rosenblatt's perceptron from zero weights, without a bias: the same rows are mistaken
    in the same order. More classes: each against the rest. The order of rows matters, as it does to any perceptron.

    Parameters
    ----------
    kernel, gamma, degree, coef0
        See `penstock.components.kernels.kernel`.
    passes : int
        The most passes over the rows; classes that the kernel does not separate would be mistaken for ever.

    Attributes
    ----------
    counts_ : ndarray of shape (rows, boundaries)
        a, the mistakes at each row.
    mistakes_ : list of ndarray
        For each boundary the rows mistaken, in order.
    converged_ : ndarray of bool
        For each boundary, whether the last pass was clean.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **WithKernel._parameter_constraints,
        "passes": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        kernel: str = "rbf",
        passes: int = 50,
        gamma: str | float = "scale",
        degree: float = 2,
        coef0: float = 1.0,
    ) -> None:
        self.kernel = kernel
        self.passes = passes
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"KernelPerceptron needs two classes, but the data holds one class: '{y[0]}'")
        gram = self._begin(X)
        sides = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        signs = np.where(codes[:, None] == np.array(sides), 1.0, -1.0)
        found = [_learn(gram, side, self.passes) for side in signs.T]
        self.counts_ = np.column_stack([np.bincount(rows, minlength=len(y)) for rows, _ in found])
        self.mistakes_ = [rows for rows, _ in found]
        self.converged_ = np.array([clean for _, clean in found])
        self.support_ = np.flatnonzero(self.counts_.any(axis=1))
        self.dual_coef_ = (self.counts_ * signs)[self.support_]
        self.support_vectors_ = self._rows(X, self.support_)
        return self

    def decision_function(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scores = self._against(X, self.support_vectors_, self.support_) @ self.dual_coef_
        return np.asarray(scores[:, 0] if len(self.classes_) == 2 else scores)

    def predict(self, X: Any) -> Array:
        scores = self.decision_function(X)
        places = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[places]  # type: ignore[no-any-return]


def _learn(gram: Array, signs: Array, passes: int) -> tuple[Array, bool]:
    """The rows mistaken, in order, and whether the last pass was clean. Time goes into mistakes, not into rows."""
    margins = np.zeros(len(signs))
    changed = np.empty(len(signs))
    mistakes: list[int] = []
    for _ in range(passes):
        before, place = len(mistakes), 0
        while place < len(signs):
            wrong = margins[place:] <= 0
            row = place + int(wrong.argmax())
            if not wrong[row - place]:
                break
            np.multiply(gram[row], signs, out=changed)
            (np.add if signs[row] > 0 else np.subtract)(margins, changed, out=margins)
            mistakes.append(row)
            place = row + 1
        if len(mistakes) == before:
            return np.array(mistakes, dtype=int), True
    return np.array(mistakes, dtype=int), False


class CalibratedKernelPerceptron(CalibratedMachine):
    """Kernel perceptron whose scores become probabilities by Platt's sigmoid, fitted to held-out rows.

    Parameters
    ----------
    kernel : str, default="rbf"
        A kernel of `penstock.components.kernels.kernel`.
    passes : int, default=50
        Maximum number of passes over the rows; classes that the kernel does not separate need a limit.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the kernel.
    degree : float, default=2
        Degree of the kernel "poly".
    coef0 : float, default=1.0
        Constant of the kernels "poly" and "sigmoid".
    folds : int, default=3
        Number of inner folds: the sigmoid is fitted to scores of rows by perceptrons that were fitted to the other
        folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    machine_ : KernelPerceptron
        The perceptron, fitted on all rows.

    Examples
    --------
    >>> from penstock.components.kernels.perceptron import CalibratedKernelPerceptron
    >>> X = [[-3.0], [-2.5], [-2.0], [-0.2], [0.0], [0.2], [2.0], [2.5], [3.0]]
    >>> y = ["out"] * 3 + ["in"] * 3 + ["out"] * 3
    >>> CalibratedKernelPerceptron().fit(X, y).machine_.predict([[-2.2], [0.1]]).tolist()
    ['out', 'in']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **KernelPerceptron._parameter_constraints,
        **CalibratedMachine._parameter_constraints,
    }

    def __init__(
        self,
        kernel: str = "rbf",
        passes: int = 50,
        gamma: str | float = "scale",
        degree: float = 2,
        coef0: float = 1.0,
        folds: int = 3,
    ) -> None:
        self.kernel = kernel
        self.passes = passes
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.folds = folds

    def _validate_params(self) -> None:
        super()._validate_params()
        self._machine()._validate_params()

    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]  # a perceptron knows no weights
        super().fit(X, y)
        return self

    def _machine(self) -> KernelPerceptron:
        return KernelPerceptron(self.kernel, self.passes, self.gamma, self.degree, self.coef0)
