from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial.legendre import legvander

from penstock.components.evaluation.overfitting import fit_gap


@pytest.mark.covers("met_fit_gap", "cl_train_monotone_validation_u")
def test_polynomials_of_too_low_and_of_too_high_a_degree() -> None:
    rng = np.random.default_rng(1)
    x = rng.uniform(size=425)
    y = np.sin(2 * np.pi * x) + rng.normal(scale=0.2, size=425)
    basis = legvander(2 * x - 1, 14)
    train, valid = [], []
    for degree in range(15):
        weights = np.linalg.lstsq(basis[:25, : degree + 1], y[:25], rcond=None)[0]
        error = (basis[:, : degree + 1] @ weights - y) ** 2
        train.append(float(error[:25].mean()))
        valid.append(float(error[25:].mean()))
    assert (np.diff(train) <= 1e-12).all()
    best = int(np.argmin(valid))
    assert 2 <= best <= 7
    assert valid[14] > 2 * valid[best]
    floor = -float(((y[25:] - y[:25].mean()) ** 2).mean())
    found = [fit_gap(-one, -other, floor, 0.0) for one, other in zip(train, valid, strict=True)]
    assert found[0].verdict == "under-fit"
    assert found[best].verdict == "neither"
    assert found[14].verdict == "over-fit"
    assert found[14].gap == pytest.approx(valid[14] - train[14])


@pytest.mark.parametrize(
    ("train", "validation", "verdict"),
    [(1.0, 0.8, "over-fit"), (0.99, 0.97, "neither"), (0.7, 0.69, "under-fit"), (0.9, 0.88, "neither")],
)
def test_of_areas_under_the_curve(train: float, validation: float, verdict: str) -> None:
    """An error of nothing on the training rows is no merit."""
    assert fit_gap(train, validation, 0.5, 1.0).verdict == verdict
