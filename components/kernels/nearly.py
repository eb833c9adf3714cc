"""libsvm as the first step of an exact answer: near the optimum soon, where the kernel's matrix is kind."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

Array = np.ndarray[Any, Any]

NEAR = 1e-3  # as libsvm stops by itself
LARGEST = 1e10  # as good as no bound
MIN_STEPS, STEPS_A_ROW = 10_000, 100  # it might go on for hours, and others begin from anywhere


class Nearly(NamedTuple):
    """a_i y_i of every row, the bias, and the steps that were taken."""

    weights: Array
    bias: float
    steps: int


def nearly(gram: Array, signs: Array, upper: Array) -> Nearly:
    """The machine with bias, its multipliers between zero and `upper`."""
    machine = SVC(kernel="precomputed", C=1.0, tol=NEAR, max_iter=max(MIN_STEPS, STEPS_A_ROW * len(signs)))
    with config_context(assume_finite=True), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(gram, signs, sample_weight=np.minimum(upper, LARGEST))
    weights = np.zeros(len(signs))
    weights[machine.support_] = machine.dual_coef_[0]
    return Nearly(weights, float(machine.intercept_[0]), int(machine.n_iter_.max()))
