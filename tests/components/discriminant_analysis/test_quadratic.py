from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from penstock.components.catalog import build


def qda(**given: Any) -> Any:
    return build("quadratic-discriminant-analysis", given, seed=0, problem="classification")


@pytest.mark.covers("da-qda")
def test_a_wide_bell_around_a_narrow_one() -> None:
    """Mean 0 both, variance 1 and 4: two points each, so that both are exact."""
    x, y = np.array([[-1.0], [1.0], [-2.0], [2.0]]), np.array([0, 0, 1, 1])
    model = qda().fit(x, y)
    border = np.sqrt(8 * np.log(2) / 3)
    assert border == pytest.approx(1.359556, abs=1e-6)
    asked = np.array([[-border], [border], [0.0], [3.0]])
    assert model.predict_proba(asked)[:2] == pytest.approx(np.full((2, 2), 0.5), abs=1e-9)
    narrow, wide = norm.pdf(asked[:, 0]), norm.pdf(asked[:, 0], scale=2)
    assert model.predict_proba(asked)[:, 0] == pytest.approx(narrow / (narrow + wide), abs=1e-9)
    assert model.predict(asked[2:]).tolist() == [0, 1]


@pytest.mark.covers("da-qda")
def test_bells_of_one_shape_have_straight_borders() -> None:
    cross = np.array([[-1.0, 0.3], [1.0, -0.3], [0.2, 1.0], [-0.2, -1.0]])
    X, y = np.vstack([cross, cross + np.array([2.0, 0.5])]), np.repeat([0, 1], 4)
    linear = build("linear-discriminant-analysis", {}, seed=0, problem="classification").fit(X, y)
    fresh = np.random.default_rng(0).normal(size=(50, 2))
    assert qda().fit(X, y).predict_proba(fresh) == pytest.approx(linear.predict_proba(fresh), abs=1e-9)
