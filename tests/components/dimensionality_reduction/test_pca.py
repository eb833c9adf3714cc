from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import decomposition
from sklearn.preprocessing import StandardScaler

from penstock.components.catalog import build
from penstock.components.dimensionality_reduction.pca import count_before_gap, count_isolated, count_within

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


@pytest.mark.covers("reduce-pca", "met_explained_variance", "met_covariance")
def test_the_eigenvectors_of_the_covariance(X: Array) -> None:
    n = len(X)
    model = pca(components=2).fit(X)
    every = pca(components=None).fit(X)
    scores = model.transform(X)
    residual = X - model.inverse_transform(scores)
    assert (residual**2).sum(axis=1).mean() == pytest.approx(every.explained_variance_[2:].sum() * (n - 1) / n)
    assert np.cov(scores.T) == pytest.approx(np.diag(model.explained_variance_), abs=1e-10)

    assert every.explained_variance_.sum() == pytest.approx(np.trace(np.cov(X.T)))
    assert model.explained_variance_ratio_ == pytest.approx(every.explained_variance_[:2] / np.trace(np.cov(X.T)))
    uncentred = np.linalg.eigvalsh(X.T @ X)[::-1] / (n - 1)
    assert abs(uncentred[0] - every.explained_variance_[0]) > 1  # rows are centred first

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


@pytest.mark.covers("reduce-pca-whitening", "met_whitening_check")
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


@pytest.mark.covers("choosek-pca-variance-ratio")
def test_the_fewest_components_for_a_share_also_where_it_is_met_exactly() -> None:
    X = with_variances(4, 3, 2, 1)
    assert [pca(components=share).fit(X).n_components_ for share in (0.69, 0.70, 0.71)] == [2, 2, 3]
    assert (
        decomposition.PCA(0.70 + 1e-12, svd_solver="full").fit(X).n_components_ == 3
    )  # what the library does at the tie


@pytest.mark.covers("choosek-pca-tolerance")
def test_the_fewest_components_for_a_residual() -> None:
    eigenvalues = np.array([4.0, 3, 2, 1])
    assert [count_within(eigenvalues, tolerance) for tolerance in (3.5, 3.0)] == [2, 3]
    rows = 50
    X = with_variances(*eigenvalues * rows / (rows - 1), rows=rows)  # eigenvalues with the divisor n
    for tolerance, kept in ((3.5, 2), (3.0, 3)):
        model = pca(tolerance=tolerance * rows / (rows - 1) + (1e-9 if kept == 2 else -1e-9)).fit(X)
        assert model.n_components_ == kept
        residual = X - model.inverse_transform(model.transform(X))
        assert (residual**2).sum(axis=1).mean() < tolerance


@pytest.mark.covers("choosek-eigengap", "met_eigenvalue_gap")
def test_as_many_as_stand_apart() -> None:
    eigenvalues = np.array([9, 8, 7, 1, 0.9, 0.8])
    assert (count_before_gap(eigenvalues), count_isolated(eigenvalues)) == (3, 3)
    X = with_variances(*eigenvalues)
    assert [pca(components=rule).fit(X).n_components_ for rule in ("gap", "isolated")] == [3, 3]
    size = 1500
    rng = np.random.default_rng(0)
    spike = rng.choice([-1.0, 1.0], size)
    noise = np.triu(rng.normal(scale=np.sqrt(0.25), size=(size, size)))
    found = np.linalg.eigvalsh((np.outer(spike, spike) / np.sqrt(size) + noise + np.triu(noise, 1).T) / np.sqrt(size))
    assert (count_before_gap(found[::-1]), count_isolated(found)) == (1, 1)
    singular = np.linalg.svd(X, compute_uv=False)
    assert np.linalg.eigvalsh(X @ X.T)[::-1][:6] == pytest.approx(singular**2)  # their squares, not themselves


@pytest.mark.covers("cl_pca_needs_scaling", "ex_whitening_divisor")
def test_units_decide_without_scaling() -> None:
    rng = np.random.default_rng(0)
    shared = rng.normal(size=500)
    columns = [shared + 0.1 * rng.normal(size=500), shared + 0.1 * rng.normal(size=500), 1000 * rng.normal(size=500)]
    X = np.column_stack(columns)
    assert abs(pca(components=1).fit(X).components_[0, 2]) > 0.999
    assert abs(pca(components=1).fit(StandardScaler().fit_transform(X)).components_[0, 2]) < 0.3
    given = with_variances(4.0, 0.25)
    scores = pca(components=None).fit(given)
    by_root = scores.transform(given) / np.sqrt(scores.explained_variance_)
    assert np.var(by_root, axis=0, ddof=1) == pytest.approx([1, 1])
    by_itself = scores.transform(given) / scores.explained_variance_
    assert np.var(by_itself, axis=0, ddof=1) == pytest.approx([0.25, 4])
