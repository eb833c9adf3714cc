"""Kernel machines with any loss: kernel logistic regression, kernel ridge, support vectors without a bias."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import expit, softmax
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.centring import spread_of
from penstock.components.kernels.losses import gap, row_weights
from penstock.components.kernels.parameters import SMALLER_KERNEL, WithKernel
from penstock.components.linear_classification.margins import likeliest_scale

Array = np.ndarray[Any, Any]

FAR = 1e-4  # of the objective


class _Machine(WithKernel):
    """Subclasses say which losses there are, and what is asked of each."""

    def __init__(
        self,
        kernel: str = "rbf",
        loss: str = "square",
        penalty: float = 1.0,
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 1.0,
    ) -> None:
        self.kernel = kernel
        self.loss = loss
        self.penalty = penalty
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0

    def _learn(self, X: Array, wanted: Array, sample_weight: Any) -> tuple[Array, Array]:
        """A weight for each row and each column of `wanted`; told are scores and weights of the rows that have one."""
        weights = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        used = weights > 0
        gram = self._begin(X, weights)
        gram = gram if used.all() else gram[np.ix_(used, used)]
        columns = [self._column(gram, y[used], weights[used]) for y in wanted.T]
        self.rows_ = np.flatnonzero(used)
        self.row_weights_ = np.column_stack(columns)
        self.X_fit_ = self._rows(X, self.rows_)
        return gram @ self.row_weights_, weights[used]

    def _column(self, gram: Array, y: Array, weights: Array) -> Array:
        found = row_weights(gram, y, self.loss, self.penalty, weights)
        if self.loss in ("hinge", "absolute") and (off := gap(gram, y, found, self.loss, self.penalty, weights)) > FAR:
            warnings.warn(
                f"the weights are not those of the optimum: the objective and its bound are {off:.2g} of it apart. "
                f"{SMALLER_KERNEL}, or raise the penalty",
                ConvergenceWarning,
                stacklevel=4,
            )
        return found

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(self._against(X, self.X_fit_, self.rows_) @ self.row_weights_)


class KernelMachineClassifier(ClassifierMixin, _Machine):  # type: ignore[misc]
    """Kernel logistic regression, or the kernel machine of another loss, with an L2 penalty.

    It minimises, over the weights a of the rows, the sum of losses of y (Ka) + penalty * a'Ka, y being +1 or -1; more
    classes are each separated from the rest.

    `logistic` is kernel logistic regression, which no class of scikit-learn is; `square` is kernel ridge on the labels;
    `hinge` a support vector machine without a bias, of C = 1 / (2 penalty), or 1 / (2 rows penalty) where a book's loss
    is a mean; libsvm (scikit-learn's SVC) solves it, the bias held at zero. In the linear kernel `logistic` is
    LogisticRegression(C=1 / (2 penalty), fit_intercept=False). Solved to the optimum, by Newton's steps or from
    libsvm's solution, and not by descent, which would need many steps to come as near.

    Parameters
    ----------
    kernel : str, default="rbf"
        A kernel of `penstock.components.kernels.kernel`.
    loss : {"logistic", "square", "hinge"}, default="logistic"
        The loss of a margin. Hinge has no probabilities of its own: they are the logistic function (of more classes the
        softmax) of scores times the number under which the training rows are likeliest. The method `svm` fits them to
        held-out rows.
    penalty : float, default=1.0
        Weight of the squared norm of the function, against the sum of losses.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the kernel.
    degree : float, default=3
        Degree of the kernel "poly".
    coef0 : float, default=1.0
        Constant of the kernels "poly" and "sigmoid".

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    row_weights_ : ndarray of shape (n_rows, n_boundaries)
        Weights a of the training rows.
    rows_ : ndarray of int
        Indices of the training rows with a positive sample weight.
    scale_ : float
        What scores of the hinge are multiplied by to be log-odds; other losses have none.

    Examples
    --------
    >>> from penstock.components.kernels.machine import KernelMachineClassifier
    >>> X = [[-2.0], [-1.0], [0.0], [1.0], [2.0]]
    >>> model = KernelMachineClassifier(penalty=0.01).fit(X, ["out", "in", "in", "in", "out"])
    >>> model.predict([[-1.9], [0.1], [1.9]]).tolist()
    ['out', 'in', 'out']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **WithKernel._parameter_constraints,
        "loss": [StrOptions({"logistic", "square", "hinge"})],
        "penalty": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        kernel: str = "rbf",
        loss: str = "logistic",
        penalty: float = 1.0,
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 1.0,
    ) -> None:
        super().__init__(kernel, loss, penalty, gamma, degree, coef0)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"KernelMachineClassifier needs two classes, but the data holds one class: '{y[0]}'")
        sides = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        scores, weights = self._learn(X, np.where(codes[:, None] == np.array(sides), 1.0, -1.0), sample_weight)
        if self.loss == "hinge":
            self.scale_ = likeliest_scale(scores, codes[self.rows_], weights)
        return self

    def decision_function(self, X: Any) -> Array:
        scores = self._scores(X)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict_proba(self, X: Any) -> Array:
        """Of several boundaries, each one's chance as a share of their sum; of squares, (1 + f) / 2 within 0 and 1."""
        scores = self._scores(X)
        if self.loss == "hinge":
            scores = self.scale_ * scores
            if len(self.classes_) > 2:
                return np.asarray(softmax(scores, axis=1))
        shares = np.clip((1 + scores) / 2, 0.0, 1.0) if self.loss == "square" else expit(scores)
        if len(self.classes_) == 2:
            return np.column_stack([1 - shares, shares])
        total = shares.sum(axis=1, keepdims=True)
        return np.where(total > 0, shares / np.where(total > 0, total, 1.0), 1 / len(self.classes_))

    def predict(self, X: Any) -> Array:
        scores = self.decision_function(X)
        places = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[places]  # type: ignore[no-any-return]


class KernelMachineRegressor(RegressorMixin, _Machine):  # type: ignore[misc]
    """Kernel regression of a chosen loss with an L2 penalty.

    It minimises, over the weights a of the rows, the sum of losses of y - f + penalty * a'Ka, f being Ka + the centre
    of the target. `square` is kernel ridge; `huber` and `absolute` are robust to outliers. The target is standardised,
    since the function itself has no constant.

    Parameters
    ----------
    kernel : str, default="rbf"
        A kernel of `penstock.components.kernels.kernel`.
    loss : {"square", "huber", "absolute"}, default="square"
        The loss of an error. Huber's counts errors beyond 1.345 standard deviations of the target by their size.
    penalty : float, default=1.0
        Weight of the squared norm of the function, against the sum of losses.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the kernel.
    degree : float, default=3
        Degree of the kernel "poly".
    coef0 : float, default=1.0
        Constant of the kernels "poly" and "sigmoid".
    fit_intercept : bool, default=True
        Whether the target is centred and scaled; without, the objective is the one above to the letter, with f = Ka.

    Attributes
    ----------
    row_weights_ : ndarray of shape (n_rows, 1)
        Weights a of the training rows.
    rows_ : ndarray of int
        Indices of the training rows with a positive sample weight.

    Examples
    --------
    >>> from penstock.components.kernels.machine import KernelMachineRegressor
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> model = KernelMachineRegressor(kernel="linear", loss="absolute", penalty=0.001, fit_intercept=False)
    >>> model.fit(X, [0.0, 2.0, 4.0, 6.0, 80.0]).predict([[2.5]]).round(1).tolist()
    [5.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **WithKernel._parameter_constraints,
        "loss": [StrOptions({"square", "huber", "absolute"})],
        "penalty": [Interval(Real, 0, None, closed="neither")],
        "fit_intercept": ["boolean"],
    }

    def __init__(
        self,
        kernel: str = "rbf",
        loss: str = "square",
        penalty: float = 1.0,
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 1.0,
        fit_intercept: bool = True,
    ) -> None:
        super().__init__(kernel, loss, penalty, gamma, degree, coef0)
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self.middle_, self.spread_ = 0.0, 1.0
        if self.fit_intercept:
            weights = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            self.middle_ = float(np.average(y, weights=weights))
            self.spread_ = spread_of(y - self.middle_, weights)
        self._learn(X, ((y - self.middle_) / self.spread_)[:, None], sample_weight)
        return self

    def predict(self, X: Any) -> Array:
        return np.asarray(self._scores(X)[:, 0] * self.spread_ + self.middle_)
