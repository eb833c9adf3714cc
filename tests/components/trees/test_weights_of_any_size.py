"""A tree depends on what rows weigh beside each other, not on the unit of the weights."""

from __future__ import annotations

import numpy as np
import pytest

from penstock.components.catalog import build


@pytest.mark.parametrize("unit", [1e-100, 1e-13, 1e-6, 0.1, 1e12])
@pytest.mark.parametrize("lacking", [False, True])
def test_the_unit_of_weights_does_not_matter(unit: float, lacking: bool) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] * X[:, 1] > 0
    if lacking:
        X[::7, 2] = np.nan
    weight = rng.integers(1, 4, 200).astype(float)
    plain, found = (
        build("id3", {}, seed=0, problem="classification").fit(X, y, sample_weight=weight * size)
        for size in (1.0, unit)
    )
    assert found.score(X, y) == plain.score(X, y) == 1
    assert found.predict_proba(X) == pytest.approx(plain.predict_proba(X))
