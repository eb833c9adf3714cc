from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from penstock.components.catalog import build

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.covers("ens-gradient-boosting")
def test_each_stage_mends_what_is_left() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=120)
    given = {"learning_rate": 1.0, "max_iter": 1, "max_depth": 1, "min_samples_leaf": 1}
    one = build("hist-gradient-boosting", given, seed=0, problem="regression").fit(X, y)
    stump = DecisionTreeRegressor(max_depth=1).fit(X, y - y.mean())
    assert one.predict(X) == pytest.approx(y.mean() + stump.predict(X), abs=1e-6)

    many = build("hist-gradient-boosting", {"max_iter": 60}, seed=0, problem="regression").fit(X, y)
    losses = [np.mean((y - stage) ** 2) for stage in many.staged_predict(X)]
    assert len(losses) == 60
    assert all(np.diff(losses) <= 1e-12)
