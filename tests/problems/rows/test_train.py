"""The winner is trained again on all training rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from threadpoolctl import threadpool_limits

from penstock.components.catalog import build

PENALTIES = (0.01, 0.1, 1.0, 10.0)


@pytest.mark.slow
@pytest.mark.covers("proc_refit_rule")
@threadpool_limits.wrap(limits=1)
def test_training_again_on_the_validation_rows_too_improves_the_chosen_model() -> None:
    X, y = make_classification(6000, 20, n_informative=6, class_sep=0.7, random_state=2)
    gains = []
    for draw in range(40):
        rows = np.random.default_rng(draw).permutation(6000)
        train, valid, test = rows[:60], rows[60:120], rows[-5000:]
        models = [build("logistic-regression", {"C": C}, seed=0, problem="classification") for C in PENALTIES]
        best = max(
            (model.fit(X[train], y[train]) for model in models), key=lambda model: model.score(X[valid], y[valid])
        )
        before = best.score(X[test], y[test])
        learning = np.concatenate([train, valid])
        gains.append(best.fit(X[learning], y[learning]).score(X[test], y[test]) - before)
    assert np.mean(gains) > 0.01
    assert np.sum(np.array(gains) > 0) >= 30
