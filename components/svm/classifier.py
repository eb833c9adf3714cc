"""A support vector classifier that answers with probabilities."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.svm import LinearSVC
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.kernels.calibrated import CalibratedMachine
from penstock.components.kernels.kernel import GIVEN, parse_kernel
from penstock.components.svm.centred import CentredSVC
from penstock.components.svm.machine import MAX_STEPS_OF_LIBSVM, SupportVectorMachine

Array = np.ndarray[Any, Any]

OF_THE_LIBRARY = ("rbf", "linear", "poly", "sigmoid")
# The bias costs b² / (2 * 30²); far beyond, LinearSVC is slow. What is near enough for it hangs on the scaling.
FREE_BIAS: dict[str, float] = {"intercept_scaling": 30.0, "tol": 1e-5}


class CalibratedSVC(CalibratedMachine):
    """Support vector machine whose scores become probabilities by Platt's sigmoid, fitted to held-out rows.

    By itself it takes the library's quickest way: the linear kernel is solved in the space of the columns (scikit-
    learn's LinearSVC), which is quick on many rows, the others by libsvm, whose time grows faster than the square of
    the rows. LinearSVC has the squared hinge, and a bias that costs like a weight; here columns are taken from their
    means, and the bias costs b² / 1800, which is next to nothing. Any other solver is the textbook's machine, with the
    plain hinge and a bias that costs nothing at all: SupportVectorMachine, which also takes sums and products of
    kernels, a hard margin, and no bias. There are no class weights: the sigmoid would undo them.

    Parameters
    ----------
    kernel : str, default="rbf"
        "rbf", "linear", "poly", "sigmoid", or any kernel of `penstock.components.kernels.kernel`.
    C : float, default=1.0
        Cost of a margin violation, against a wide margin.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the kernel, except of the linear one. Books that print no gamma before x.z have gamma 1.
    degree : int, default=3
        Degree of the kernel "poly".
    coef0 : float, default=0.0
        Constant of the kernels "poly" and "sigmoid".
    margin : {"soft", "hard"}, default="soft"
        Hard allows no violation at all, and refuses rows that no boundary separates.
    bias : bool, default=True
        Whether the decision function has a constant.
    solver : {"auto", "libsvm", "exact", "smo"}, default="auto"
        What finds the multipliers.
    tol : float, default=0.001
        Tolerance of the stopping condition; LinearSVC always has 1e-5.
    folds : int, default=5
        Number of inner folds: the sigmoid is fitted to scores of rows by machines that were fitted to the other folds;
        fewer where a class has fewer rows.
    random_state : int, RandomState instance or None, default=None
        Seed of the linear solver.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    calibrated_ : CalibratedClassifierCV
        The machine, fitted on all rows, and its sigmoids.
    machine_ : LinearSVC, SVC or SupportVectorMachine
        The machine itself.

    Examples
    --------
    >>> from penstock.components.svm.classifier import CalibratedSVC
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]]
    >>> model = CalibratedSVC(kernel="linear", solver="exact", folds=3).fit(X, [0, 0, 0, 1, 1, 1])
    >>> model.predict([[1.5], [9.5]]).tolist()
    [0, 1]
    >>> model.machine_.support_.tolist()
    [2, 3]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CalibratedMachine._parameter_constraints,
        "kernel": [str],
        "C": [Interval(Real, 0, None, closed="neither")],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "margin": [StrOptions({"soft", "hard"})],
        "bias": ["boolean"],
        "solver": [StrOptions({"auto", "libsvm", "exact", "smo"})],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        kernel: str = "rbf",
        C: float = 1.0,
        gamma: str | float = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        margin: str = "soft",
        bias: bool = True,
        solver: str = "auto",
        tol: float = 1e-3,
        folds: int = 5,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.margin = margin
        self.bias = bias
        self.solver = solver
        self.tol = tol
        self.folds = folds
        self.random_state = random_state

    def _validate_params(self) -> None:
        super()._validate_params()
        if self.kernel not in GIVEN:
            parse_kernel(self.kernel)

    def _machine(self) -> Any:
        shape: dict[str, Any] = {
            "kernel": self.kernel,
            "C": self.C,
            "gamma": self.gamma,
            "degree": self.degree,
            "coef0": self.coef0,
        }
        plain = self.solver == "auto" and self.margin == "soft" and self.bias and self.kernel in OF_THE_LIBRARY
        if not plain:
            solver = "libsvm" if self.solver == "auto" else self.solver
            return SupportVectorMachine(margin=self.margin, bias=self.bias, solver=solver, tol=self.tol, **shape)
        if self.kernel == "linear":
            # In the primal form rows are visited in order and the answer is the same on every machine.
            return LinearSVC(C=self.C, dual=False, **FREE_BIAS, random_state=self.random_state)
        return CentredSVC(tol=self.tol, **shape, max_iter=MAX_STEPS_OF_LIBSVM)

    def _fitted(
        self, calibrated: CalibratedClassifierCV, X: Array, y: Array, weights: Array | None
    ) -> CalibratedClassifierCV:
        """Around the means of the columns a bias is small: where the columns lie must not be what it costs."""
        if not isinstance(calibrated.estimator, LinearSVC):
            return super()._fitted(calibrated, X, y, weights)
        means = np.average(X, axis=0, weights=weights)
        machine = calibrated.fit(X - means, y, weights).calibrated_classifiers_[0].estimator
        machine.intercept_ = machine.intercept_ - machine.coef_ @ means
        return calibrated
