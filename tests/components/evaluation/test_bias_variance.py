"""Bias, variance and noise add up to the error."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial.legendre import legvander

from penstock.components import catalog
from penstock.components.evaluation.bias_variance import bull_eye, squared_loss, zero_one_loss


@pytest.mark.covers("met_bias_variance", "proc_bias_variance_estimation", "cl_bias_variance_noise_sum")
def test_bias_variance_and_noise_sum_to_the_error() -> None:
    """30 points of sin(2 pi x) with noise 0.3, Legendre polynomials, 2000 training sets."""
    rng = np.random.default_rng(0)
    x = np.linspace(0, 1, 30)
    truth = np.sin(2 * np.pi * x)
    taught = truth + rng.normal(scale=0.3, size=(2000, 30))
    fresh = truth + rng.normal(scale=0.3, size=(2000, 30))
    found = {}
    for degree in (0, 3, 7):
        design = legvander(2 * x - 1, degree)
        model = catalog.build("linear-regression", {"fit_intercept": False}, seed=0, problem="regression")
        predictions = model.fit(design, taught.T).predict(design).T  # one outcome for each training set
        found[degree] = squared_loss(predictions, truth, noise=0.09)
        error = np.mean((fresh - predictions) ** 2)
        assert found[degree]["loss"] == pytest.approx(error, rel=0.03)
        parts = found[degree]
        assert parts["bias"] + parts["variance"] + parts["noise"] == pytest.approx(parts["loss"])
    assert found[0]["bias"] > found[3]["bias"] > found[7]["bias"]
    assert found[0]["variance"] < found[3]["variance"] < found[7]["variance"]


def test_squared_loss_by_hand() -> None:
    found = squared_loss(np.array([[1.0, 4.0], [3.0, 4.0]]), np.array([1.0, 5.0]))
    assert found == {"loss": 1.5, "bias": 1.0, "variance": 0.5, "noise": 0.0}


def test_probabilities_give_the_brier_score() -> None:
    rng = np.random.default_rng(0)
    predictions, y = rng.dirichlet([1, 1, 1], size=(7, 20)), rng.integers(3, size=20)
    truth = np.eye(3)[y]
    brier = ((predictions - truth) ** 2).sum(axis=2).mean()
    assert squared_loss(predictions, truth)["loss"] == pytest.approx(brier)


def test_decisions_by_hand_and_their_sum() -> None:
    decisions = np.array([[0, 1, 2], [0, 1, 0], [1, 0, 0]])  # main: 0, 1, 0
    found = zero_one_loss(decisions, np.array([0, 0, 2]))
    assert found["bias"] == pytest.approx(2 / 3)
    assert found["variance"] == pytest.approx(3 / 9)
    assert (found["variance_hurts"], found["variance_helps"]) == pytest.approx((1 / 9, 2 / 9))
    assert found["loss"] == pytest.approx(found["bias"] + found["variance_hurts"] - found["variance_helps"])


def test_shots_lie_around_the_bias_at_the_distance_of_their_spread() -> None:
    rng = np.random.default_rng(0)
    truth = rng.normal(size=50)
    turns = rng.normal(size=40)
    predictions = truth + 2.0 + 0.5 * turns[:, None] * np.tile([1, -1], 25)
    eye = bull_eye(predictions, truth)
    points = np.array(eye["points"])
    assert points[:, 0] == pytest.approx(np.full(40, 2.0), abs=0.4)
    assert points[:, 0].mean() == pytest.approx(eye["bias"])
    assert np.abs(points[:, 1]) == pytest.approx(np.abs(0.5 * turns - 0.5 * turns.mean()), abs=0.3)
    assert eye["spread"] == pytest.approx(0.5 * turns.std())
