from __future__ import annotations

import numpy as np
import pytest

from penstock.components.catalog import build

CLASSIFIERS = ("linear-svm", "svm", "kernel-machine", "kernel-perceptron", "perceptron", "gaussian-naive-bayes",
               "mixed-naive-bayes", "bridge", "penalised-risk")  # fmt: skip


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_numbers_that_cannot_be_squared_are_refused(name: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = (X[:, 0] > 0).astype(int)
    one_cell = X.copy()
    one_cell[3, 1] = 1e200
    for huge in (X * 1e200, one_cell):
        with pytest.raises(ValueError, match="too large for dtype"):
            build(name, {}, seed=0, problem="classification").fit(huge, y)


@pytest.mark.parametrize("name", ["linear-svm", "perceptron", "kernel-perceptron"])
def test_so_are_numbers_that_vanish_when_squared(name: str) -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    with pytest.raises(ValueError, match="no value large enough"):
        build(name, {}, seed=0, problem="classification").fit(X * 1e-200, (X[:, 0] > 0).astype(int))
