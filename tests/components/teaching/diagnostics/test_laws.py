"""Diagnostics of known laws: the noise of least squares, the error that nobody can beat."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.stats import norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from penstock.components.diagnostics import find
from penstock.components.teaching.diagnostics.bayes_error import bayes_error, gaussian_bayes_error
from penstock.components.teaching.diagnostics.least_squares import gaussian_log_likelihood, residual_variance
from penstock.errors import DataError


@pytest.mark.covers("met_residual_variance", "met_ols_covariance")
def test_the_noise_and_the_weights_of_four_rows() -> None:
    found = find("least-squares")(pd.DataFrame({"x": [0, 1, 2, 3], "y": [1.0, 2, 2, 4]}), {"target": "y"})
    assert found.table["weight"].tolist() == pytest.approx([0.9, 0.9], abs=1e-9)
    assert found.facts["noise_variance"] == pytest.approx(0.35, abs=1e-9)
    np.testing.assert_allclose(found.facts["covariance"], [[0.245, -0.105], [-0.105, 0.07]], atol=1e-9)
    assert found.facts["normal_equations"] == pytest.approx([0, 0], abs=1e-9)
    assert "variance of 0.35" in found.findings[0]


@pytest.mark.covers("met_residual_variance", "met_ols_covariance", "cl_ols_unbiased_covariance")
def test_over_many_draws_weights_and_noise_are_right_on_average() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([np.ones(15), rng.normal(size=(15, 2))])
    beta = np.array([1.0, -2.0, 0.5])
    y = X @ beta + 0.7 * rng.normal(size=(20_000, 15))
    weights = y @ np.linalg.pinv(X).T
    assert np.abs(weights.mean(axis=0) - beta).max() < 0.01
    expected = 0.49 * np.linalg.inv(X.T @ X)
    assert np.linalg.norm(np.cov(weights.T) - expected) / np.linalg.norm(expected) < 0.05
    noises = [residual_variance(one, X @ w, 3) for one, w in zip(y, weights, strict=True)]
    assert np.mean(noises) == pytest.approx(0.49, abs=0.01)
    frame = pd.DataFrame(X[:, 1:], columns=["a", "b"]).assign(y=y[0])
    facts = find("least-squares")(frame, {"target": "y"}).facts
    np.testing.assert_allclose(np.array(facts["covariance"]) / facts["noise_variance"], expected / 0.49, rtol=1e-9)


@pytest.mark.covers("met_log_likelihood_gaussian")
def test_the_likelihood_is_greatest_at_least_squares_and_at_the_mean_square() -> None:
    rng = np.random.default_rng(1)
    X = np.column_stack([np.ones(40), rng.normal(size=(40, 2))])
    y = X @ [1.0, 2.0, -1.0] + rng.normal(size=40)
    best = np.linalg.lstsq(X, y, rcond=None)[0]
    found = minimize(lambda w: -gaussian_log_likelihood(y, X @ w, 1.7), np.zeros(3), tol=1e-10)
    assert found.x == pytest.approx(best, abs=1e-4)
    square = float(np.mean((y - X @ best) ** 2))
    spreads = square * np.linspace(0.5, 2, 301)
    likelihoods = [gaussian_log_likelihood(y, X @ best, spread) for spread in spreads]
    assert spreads[int(np.argmax(likelihoods))] == pytest.approx(square, rel=0.01)
    assert gaussian_log_likelihood(y, X @ best) >= max(likelihoods)
    written_out = -20 * np.log(2 * np.pi * 1.7) - 40 * square / (2 * 1.7)
    assert gaussian_log_likelihood(y, X @ best, 1.7) == pytest.approx(written_out)
    table = pd.DataFrame(X[:, 1:], columns=["a", "b"]).assign(y=y)
    facts = find("least-squares")(table, {"target": "y"}).facts
    assert facts["log_likelihood"] == pytest.approx(gaussian_log_likelihood(y, X @ best, square))


def test_columns_that_follow_from_others_settle_no_weights() -> None:
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [2.0, 4, 6, 8], "y": [1.0, 2, 2, 4]})
    with pytest.raises(DataError, match="do not settle weights") as caught:
        find("least-squares")(frame, {"target": "y"})
    assert caught.value.code == "PEN123"


@pytest.mark.covers("met_bayes_error")
def test_no_classifier_beats_the_bayes_error_of_two_gaussians() -> None:
    rng = np.random.default_rng(0)
    means, spread = [np.array([-1.0, 0.0]), np.array([1.0, 0.0])], np.eye(2)
    shares = np.array([0.5, 0.5])
    error, drawn = gaussian_bayes_error(shares, means, [spread, spread])
    assert error == pytest.approx(norm.cdf(-1), abs=4 * drawn)

    def sample(rows: int) -> tuple[np.ndarray, np.ndarray]:
        y = rng.integers(2, size=rows)
        return rng.normal(size=(rows, 2)) + np.where(y == 1, 1.0, -1.0)[:, None] * [1.0, 0.0], y

    X, y = sample(1000)
    new, truth = sample(20_000)
    chance = 3 * np.sqrt(error * (1 - error) / 20_000)
    models = [
        LogisticRegression(), LinearDiscriminantAnalysis(), GaussianNB(), KNeighborsClassifier(25),
        DecisionTreeClassifier(max_depth=5, random_state=0),
    ]  # fmt: skip
    wrong = [float(np.mean(model.fit(X, y).predict(new) != truth)) for model in models]
    assert min(wrong) > error - chance
    assert min(wrong) < error + 0.01  # and the right kind of model comes near it
    exactly = norm.pdf(new[:, :1], [-1.0, 1.0])
    assert bayes_error(exactly / exactly.sum(axis=1, keepdims=True)) == pytest.approx(norm.cdf(-1), abs=0.005)

    found = find("bayes-error")(pd.DataFrame(X, columns=["a", "b"]).assign(kind=np.where(y, "up", "down")),
                                {"target": "kind"})  # fmt: skip
    assert found.facts["bayes_error"] == pytest.approx(norm.cdf(-1), abs=0.03)
    assert "best classifier would be wrong" in found.findings[0]


def test_classes_of_too_few_rows_make_no_cloud() -> None:
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [2.0, 1, 5, 8], "y": ["u", "u", "v", "v"]})
    with pytest.raises(DataError, match="the smallest of 2 rows") as caught:
        find("bayes-error")(frame, {"target": "y"})
    assert caught.value.code == "PEN124"
