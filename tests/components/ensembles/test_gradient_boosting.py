"""Boosting with every threshold tried."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from penstock.components.catalog import build


@pytest.mark.covers("ens-gradient-boosting")
def test_one_stage_is_the_mean_and_a_stump() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    given = {"n_estimators": 1, "learning_rate": 1.0, "max_depth": 1}
    found = build("gradient-boosting", given, seed=0, problem="regression").fit(X, y)
    stump = DecisionTreeRegressor(max_depth=1).fit(X, y - y.mean())
    assert found.predict(X) == pytest.approx(y.mean() + stump.predict(X), abs=1e-15)
    longer = build("gradient-boosting", {"n_estimators": 60}, seed=0, problem="regression").fit(X, y)
    assert (np.diff(longer.train_score_) <= 0).all()
