"""Support vector machines against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import numbers, two_classes
from penstock.components.svm.classifier import CalibratedSVC
from penstock.components.svm.machine import SupportVectorMachine
from penstock.components.svm.regressor import ScaledSVR


def _calibrated(machine: Any) -> Any:
    return CalibratedClassifierCV(machine, cv=5, ensemble=False)


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
    Pair("machine, exact", lambda: SupportVectorMachine(solver="exact"), lambda: SVC(tol=1e-9), two_classes, rows=200),
    Pair(
        "machine without bias, exact",
        lambda: SupportVectorMachine(bias=False),
        lambda: SVC(tol=1e-9),
        two_classes,
        rows=200,
    ),
    Pair(
        "machine, hard margin",
        lambda: SupportVectorMachine(margin="hard", gamma=1.0),
        lambda: SVC(C=1e10, gamma=1.0, tol=1e-9),
        two_classes,
        rows=200,
    ),
    Pair("machine, SMO step by step", lambda: SupportVectorMachine(solver="smo"), SVC, two_classes, rows=200),
    Pair("svr", ScaledSVR, lambda: TransformedTargetRegressor(SVR(), transformer=StandardScaler()), numbers, rows=500),
)
