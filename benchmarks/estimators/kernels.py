"""Kernel machines and maps against scikit-learn's classes."""

from __future__ import annotations

from typing import Any, Self

from scipy.linalg import cholesky, solve_triangular
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Perceptron
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import SVC

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import numbers, two_classes
from penstock.components.kernels.machine import KernelMachineClassifier, KernelMachineRegressor
from penstock.components.kernels.maps import ApproximateKernelMap, ExplicitKernelMap, RandomFeatures
from penstock.components.kernels.perceptron import CalibratedKernelPerceptron, KernelPerceptron
from penstock.components.kernels.ridge import CentredKernelRidge


def _ridge() -> Any:
    return KernelRidge(kernel="rbf")


def _logistic() -> Any:
    """Kernel logistic regression by Newton's steps is the mode that a Gaussian process of classes looks for."""
    return GaussianProcessClassifier(RBF(), optimizer=None)


class MappedPerceptron(ClassifierMixin, BaseEstimator):
    """scikit-learn's perceptron on columns whose products are the kernel: the same mistakes in the same order.

    The columns are Cholesky's factor of the Gram matrix, which costs less than Nystroem's map of all rows.
    """

    def fit(self, X: Any, y: Any) -> Self:
        self.rows, self.gamma = X, 1 / (X.shape[1] * X.var())
        self.factor = cholesky(rbf_kernel(X, gamma=self.gamma), lower=True)
        self.perceptron = Perceptron(fit_intercept=False, shuffle=False, tol=None, max_iter=50).fit(self.factor, y)
        self.classes_ = self.perceptron.classes_
        return self

    def decision_function(self, X: Any) -> Any:
        return self.perceptron.decision_function(self._columns(X))

    def predict(self, X: Any) -> Any:
        return self.perceptron.predict(self._columns(X))

    def _columns(self, X: Any) -> Any:
        return solve_triangular(self.factor, rbf_kernel(self.rows, X, gamma=self.gamma), lower=True).T


PAIRS = (
    Pair("kernel-ridge", lambda: CentredKernelRidge(kernel="rbf"), _ridge, numbers, rows=500),
    Pair("kernel-machine, square", KernelMachineRegressor, _ridge, numbers, rows=500),
    Pair("kernel-machine, logistic", KernelMachineClassifier, _logistic, two_classes, rows=300),
    Pair(
        "kernel-machine, hinge",
        lambda: KernelMachineClassifier(loss="hinge", penalty=0.5),
        lambda: SVC(C=1.0),  # 1 / (2 penalty); with a bias, which ours has not
        two_classes,
        rows=200,
    ),
    Pair("kernel-machine, huber", lambda: KernelMachineRegressor(loss="huber"), None, numbers, rows=300),
    Pair("kernel-perceptron", KernelPerceptron, MappedPerceptron, two_classes, rows=500),
    Pair(
        "kernel-perceptron, with probabilities",
        CalibratedKernelPerceptron,
        lambda: CalibratedClassifierCV(MappedPerceptron(), cv=3, ensemble=False),
        two_classes,
        rows=500,
    ),
    Pair("explicit-kernel-map, degree 2", lambda: ExplicitKernelMap(degree=2), lambda: PolynomialFeatures(2), numbers),
    Pair(
        "kernel-map, points",
        lambda: ApproximateKernelMap(components=100, random_state=0),
        lambda: Nystroem(n_components=100, random_state=0),
        numbers,
    ),
    Pair(
        "random-features",
        lambda: RandomFeatures(components=200, random_state=0),
        lambda: RBFSampler(n_components=200, random_state=0),
        numbers,
    ),
)
