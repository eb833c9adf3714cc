from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.polynomial import legendre
from sklearn.pipeline import make_pipeline

from penstock.components.catalog import build


def polynomial(degree: int, model: str = "linear-regression", **given: Any) -> Any:
    basis = build("polynomial", {"degree": degree}, seed=0, problem="regression")
    return make_pipeline(basis, build(model, given, seed=0, problem="regression"))


@pytest.mark.covers("linreg-polynomial")
def test_as_many_powers_as_points_hit_every_point() -> None:
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.normal(size=6))[:, None], rng.normal(size=6)
    assert np.max((polynomial(5).fit(x, y).predict(x) - y) ** 2) < 1e-10
    beyond = polynomial(9, "ridge", alpha=1e-3).fit(x, y)  # more powers than points need a penalty
    assert np.isfinite(beyond.predict(x)).all()


@pytest.mark.covers("linreg-polynomial", "ex_polynomial_design")
def test_the_design_in_descending_powers() -> None:
    x = np.array([[1.0], [2.0], [3.0]])
    raw = build("polynomial", {"degree": 2, "standardise": False}, seed=0, problem="regression").fit(x)
    descending = np.column_stack([raw.transform(x)[:, ::-1], np.ones(3)])
    assert descending.tolist() == [[1, 1, 1], [4, 2, 1], [9, 3, 1]]


@pytest.mark.covers("linreg-polynomial", "cl_train_monotone_validation_u")
def test_the_training_error_never_rises_and_the_other_is_a_u() -> None:
    rng = np.random.default_rng(1)
    x, new = rng.uniform(0, 1, 25), rng.uniform(0, 1, 400)
    y, truth = (np.sin(2 * np.pi * points) + rng.normal(scale=0.2, size=len(points)) for points in (x, new))
    train, valid = [], []
    for degree in range(15):
        # Legendre's polynomials span the same curves, and keep their digits.
        seen, unseen = (legendre.legvander(2 * points - 1, degree) for points in (x, new))
        weights = np.linalg.lstsq(seen, y, rcond=None)[0]
        train.append(np.mean((seen @ weights - y) ** 2))
        valid.append(np.mean((unseen @ weights - truth) ** 2))
        if 1 <= degree <= 8:
            ours = polynomial(degree).fit(x[:, None], y).predict(new[:, None])
            assert ours == pytest.approx(unseen @ weights, abs=1e-6)
    assert (np.diff(train) <= 1e-9).all()
    assert 2 <= int(np.argmin(valid)) <= 7
    assert valid[14] > 2 * min(valid)
