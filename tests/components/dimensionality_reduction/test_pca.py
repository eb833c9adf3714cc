from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from penstock.components.catalog import build

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]


def pca(**given: Any) -> Any:
    return build("pca", given, seed=0, problem="clustering")


def with_variances(*variances: float, rows: int = 50) -> Array:
    """Uncorrelated columns that have exactly these variances (divisor n - 1)."""
    noise = np.random.default_rng(0).normal(size=(rows, len(variances)))
    axes, _ = np.linalg.qr(noise - noise.mean(axis=0))
    return axes * np.sqrt(np.array(variances) * (rows - 1))


@pytest.fixture
def X() -> Array:
    rng = np.random.default_rng(1)
    return rng.normal(size=(80, 5)) @ rng.normal(size=(5, 5)) + 3


@pytest.mark.covers("reduce-pca")
def test_the_eigenvectors_of_the_covariance(X: Array) -> None:
    n = len(X)
    model = pca(components=2).fit(X)
    every = pca(components=None).fit(X)
    scores = model.transform(X)
    residual = X - model.inverse_transform(scores)
    assert (residual**2).sum(axis=1).mean() == pytest.approx(every.explained_variance_[2:].sum() * (n - 1) / n)
    assert np.cov(scores.T) == pytest.approx(np.diag(model.explained_variance_), abs=1e-10)

    standard = pca(components=None).fit(StandardScaler().fit_transform(X))
    eigenvalues = np.linalg.eigvalsh(np.corrcoef(X.T))[::-1]
    assert standard.explained_variance_ * (n - 1) / n == pytest.approx(eigenvalues)

    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(2, 2)))
    again = (scores @ turn) @ (turn.T @ model.components_) + model.mean_
    assert ((X - again) ** 2).sum() == pytest.approx((residual**2).sum())


@pytest.mark.parametrize(("share", "kept"), [(0.69, 2), (0.71, 3), (0.95, 4), (0.3, 1)])
def test_as_many_components_as_explain_the_share(share: float, kept: int) -> None:
    model = pca(components=share).fit(with_variances(4, 3, 2, 1))
    assert model.n_components_ == kept
    assert model.explained_variance_ratio_.sum() >= share


@pytest.mark.covers("reduce-pca-whitening")
def test_whitening_gives_unit_variances(X: Array) -> None:
    white = pca(components=None, whiten=True).fit_transform(X)
    assert np.cov(white.T) == pytest.approx(np.eye(5), abs=1e-10)
    # Dividing by the eigenvalue itself, as is sometimes printed, does not.
    given = with_variances(5, 0.9)
    model = pca(components=None).fit(given)
    wrong = model.transform(given) / model.explained_variance_
    assert np.var(wrong, axis=0, ddof=1) == pytest.approx([0.20, 1.11], abs=0.005)


def test_more_components_than_there_can_be_gives_all_of_them(X: Array) -> None:
    model = pca(components=9)
    assert np.array_equal(model.fit_transform(X), pca(components=5).fit_transform(X))
    assert model.fit(X[:3]).transform(X).shape == (len(X), 3)
    assert model.n_components == 9
