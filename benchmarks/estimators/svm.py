"""Support vector machines against scikit-learn's."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, minimize
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import numbers, two_classes
from penstock.components.svm.classifier import CalibratedSVC
from penstock.components.svm.machine import SupportVectorMachine
from penstock.components.svm.regressor import ScaledSVR


def _calibrated(machine: Any) -> Any:
    return CalibratedClassifierCV(machine, cv=5, ensemble=False)


class BarrierMachine:
    """The same quadratic programme by SciPy's interior points; it is only fitted."""

    def fit(self, X: Any, y: Any) -> Self:
        signs = np.where(y == 1, 1.0, -1.0)
        Q = signs[:, None] * rbf_kernel(X, gamma=1 / (X.shape[1] * X.var())) * signs
        self.found = minimize(
            lambda a: (a @ Q @ a / 2 - a.sum(), Q @ a - 1),
            np.full(len(y), 0.5),
            jac=True,
            hess=lambda a: Q,
            method="trust-constr",
            bounds=Bounds(0, 1),
            constraints=[LinearConstraint(signs[None], 0, 0)],
        )
        return self


PAIRS = (
    Pair("rbf-svm", CalibratedSVC, lambda: _calibrated(SVC()), two_classes, rows=500),
    Pair(
        "linear-svm",
        lambda: CalibratedSVC(kernel="linear"),
        lambda: _calibrated(LinearSVC(dual=False)),
        two_classes,
        rows=2000,
    ),
    Pair("machine with multipliers, libsvm", SupportVectorMachine, SVC, two_classes, rows=500),
    Pair(
        "machine, interior point",
        lambda: SupportVectorMachine(solver="interior-point"),
        lambda: SVC(tol=1e-9),  # steps of two rows, where ours solves a system of all of them
        two_classes,
        rows=200,
    ),
    Pair(
        "machine, interior point, of SciPy",
        lambda: SupportVectorMachine(solver="interior-point"),
        BarrierMachine,
        two_classes,
        rows=50,
    ),
    Pair("machine, SMO step by step", lambda: SupportVectorMachine(solver="smo"), SVC, two_classes, rows=200),
    Pair("svr", ScaledSVR, lambda: TransformedTargetRegressor(SVR(), transformer=StandardScaler()), numbers, rows=500),
)
