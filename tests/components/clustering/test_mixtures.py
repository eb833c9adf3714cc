"""Mixtures of columns of several kinds, sampled mixtures, and what is made to try them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from penstock.components.teaching.clustering.generator import mixture_rows
from penstock.components.trust import trusted_types
from penstock.errors import ClusteringError
from penstock.store import dump_estimator, read_estimator
from tests.components.clustering.conftest import clusterer

pytestmark = pytest.mark.usefixtures("one_thread")

YES = np.array([[0.9, 0.8, 0.1], [0.2, 0.1, 0.7]])


def binary_rows(rows: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=rows)
    return (rng.random((rows, 3)) < YES[truth]).astype(float), truth


@pytest.mark.covers("cluster-mixture-general")
def test_two_classes_of_yes_and_no() -> None:
    X, truth = binary_rows()
    model = clusterer("latent-class", clusters=2).fit(X)
    accuracy = max((model.labels_ == truth).mean(), (model.labels_ != truth).mean())
    assert accuracy == pytest.approx(0.93, abs=0.01)
    patterns = np.array(list(itertools.product([0, 1], repeat=3)))
    chance = [(YES[one] ** patterns * (1 - YES[one]) ** (1 - patterns)).prod(axis=1) for one in (0, 1)]
    assert np.maximum(*chance).sum() / 2 == pytest.approx(0.928, abs=5e-4)
    climbed = clusterer("latent-class", clusters=2, fit_by="gradient").fit(X)
    assert climbed.log_likelihood_ / len(X) == pytest.approx(model.log_likelihood_ / len(X), abs=1e-4)
    order = np.argsort(-model.binary_probabilities_[:, 0]), np.argsort(-climbed.binary_probabilities_[:, 0])
    both = model.binary_probabilities_[order[0]], climbed.binary_probabilities_[order[1]]
    assert both[0] == pytest.approx(both[1], abs=2e-2)


@pytest.mark.covers("cluster-mixture-general", "proc_em_loop")
def test_mixed_columns_and_a_likelihood_that_never_falls() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(2, size=400)
    levels = np.where(rng.random(400) < 0.85, truth, 2 - truth)
    coded = np.eye(3)[levels]
    member = (rng.random(400) < np.where(truth, 0.8, 0.3)).astype(float)
    X = np.column_stack([rng.normal(2.0 * truth, 1.0), member, coded, rng.normal(-1.5 * truth, 0.5 + truth)])
    model = clusterer("latent-class", clusters=2).fit(X)
    assert (len(model.level_columns_), len(model.binary_columns_), len(model.number_columns_)) == (3, 1, 2)
    assert adjusted_rand_score(truth, model.labels_) > 0.8
    assert model.level_probabilities_.sum(axis=1) == pytest.approx([1.0, 1.0], abs=1e-6)
    likelihoods = [
        clusterer("latent-class", clusters=2, n_init=1, max_iter=steps).fit(X).log_likelihood_
        for steps in (1, 2, 3, 5, 8, 20, 60)
    ]
    assert min(np.diff(likelihoods)) >= -1e-6
    climbed = clusterer("latent-class", clusters=2, fit_by="gradient").fit(X)
    assert climbed.log_likelihood_ / 400 == pytest.approx(model.log_likelihood_ / 400, abs=1e-4)
    new = X[:5].copy()
    new[0, 2:5] = 0.0  # a level that nobody has seen
    assert model.predict_proba(new).sum(axis=1) == pytest.approx(np.ones(5))
    free = 2 * (2 + 1 + 2 + 2) + 1
    assert model.bic(X) == pytest.approx(-2 * model.log_likelihood_ + free * np.log(400))
    assert model.aic(X) == pytest.approx(-2 * model.log_likelihood_ + free * 2)
    full = clusterer("latent-class", clusters=2, numbers="full").fit(X)
    assert full.log_likelihood_ >= model.log_likelihood_ - 1e-6
    with pytest.raises(ClusteringError, match="PEN337"):
        clusterer("latent-class", numbers="full", fit_by="gradient").fit(X)


@pytest.mark.covers("proc_em_loop", "cl_em_monotone")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # stopped after a set number of steps
def test_expectation_and_maximisation_never_lower_the_likelihood() -> None:
    """cl_em_monotone."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (150, 2)), rng.normal((4, 2), (0.6, 1.5), (150, 2))])
    start = {"weights_init": [0.5, 0.5], "means_init": X[:2], "precisions_init": np.stack([np.eye(2)] * 2)}
    totals = []
    for steps in (1, 2, 3, 5, 10, 20, 40, 70, 100):
        given = {**start, "max_iter": steps, "reg_covar": 0.0, "tol": 0.0, "n_init": 1, "clusters": 2}
        totals.append(clusterer("gaussian-mixture", **given).fit(X).score(X) * 300)
    assert min(np.diff(totals)) >= -1e-9
    assert totals[-1] - totals[0] > 10


def test_one_variance_for_all() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (300, 2)), rng.normal(6, 1, (100, 2))])
    model = clusterer("gaussian-mixture", clusters=2, covariance_type="spherical", shared=True).fit(X)
    assert model.covariances_[0] == model.covariances_[1] == pytest.approx(1.0, abs=0.1)
    apart = clusterer("gaussian-mixture", clusters=2, covariance_type="spherical").fit(X)
    assert apart._n_parameters() - model._n_parameters() == 1
    assert adjusted_rand_score(np.repeat([0, 1], [300, 100]), model.labels_) > 0.98


@pytest.mark.slow
@pytest.mark.covers("cluster-gmm-posterior")
def test_sampled_labels_agree_with_all_labelings() -> None:
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(-1, 1, 4), rng.normal(1, 1, 4)]).reshape(-1, 1)
    centres = np.array([[-1.0], [1.0]])
    known = clusterer("gibbs-mixture", clusters=2, variance=1.0, centres=centres, sweeps=500).fit(X)
    labelings = np.array(list(itertools.product([0, 1], repeat=8)))
    log = np.array([-((X - centres[labels]) ** 2).sum() / 2 for labels in labelings])
    chance = np.exp(log - logsumexp(log))
    assert known.shares_[:, 1] == pytest.approx(chance @ labelings, abs=0.01)
    assert np.diag(known.together_) == pytest.approx(np.ones(8))

    drawn = clusterer("gibbs-mixture", clusters=2, variance=1.0, prior_variance=2.0, sweeps=4000).fit(X)
    marginal = []
    for labels in labelings:
        same = labels[:, None] == labels[None]
        law = multivariate_normal(np.full(8, X.mean()), np.eye(8) + 2.0 * same)
        marginal.append(law.logpdf(X.ravel()))
    chance = np.exp(marginal - logsumexp(marginal))
    together = np.einsum("l,lij->ij", chance, labelings[:, :, None] == labelings[:, None])
    assert np.abs(drawn.together_ - together).max() < 0.05


@pytest.mark.covers("cluster-gmm-posterior")
def test_without_noise_the_likeliest_labels_are_those_of_k_means() -> None:
    X, _, _ = mixture_rows(150, 4, 3, 0.005, seed=1)
    model = clusterer("gibbs-mixture", clusters=3, variance=1e-6, sweeps=20).fit(X)
    means = KMeans(3, n_init=10, random_state=0).fit(X)
    assert adjusted_rand_score(model.labels_, means.labels_) == 1.0
    assert adjusted_rand_score(model.predict(X), model.labels_) == 1.0


@pytest.mark.covers("cluster-gmm-generator")
def test_generated_rows_and_when_nobody_can_tell_them_apart() -> None:
    X, labels, centres = mixture_rows(10_000, 20, 3, 0.5, seed=0)
    noise = (X - centres[labels]).ravel()
    assert noise.var() == pytest.approx(0.5, abs=3 * 0.5 * np.sqrt(2 / len(noise)))
    assert np.linalg.norm(centres, axis=1) == pytest.approx(np.ones(3), abs=0.5)

    def found(variance: float) -> float:
        rows, truth, _ = mixture_rows(600, 50, 3, variance, seed=4)
        return float(adjusted_rand_score(truth, clusterer("k-means", clusters=3).fit(rows).labels_))

    assert found(0.001) == 1.0
    assert abs(found(100.0)) < 0.05


def test_a_mixture_is_saved_without_the_library_that_fitted_it(tmp_path: object) -> None:
    X, _ = binary_rows(200)
    model = clusterer("latent-class", clusters=2).fit(X)
    path = tmp_path / "model.skops"  # type: ignore[operator]
    path.write_bytes(dump_estimator(model))
    assert read_estimator(path, trusted_types()).predict(X).tolist() == model.predict(X).tolist()
