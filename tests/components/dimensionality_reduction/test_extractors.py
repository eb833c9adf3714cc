from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build, entries
from penstock.components.dimensionality_reduction.described import loadings, spectrum
from penstock.components.dimensionality_reduction.independent import ICA
from penstock.components.dimensionality_reduction.non_negative import NMF
from penstock.components.dimensionality_reduction.pca import PCA, count_before_gap, count_within
from tests.methods import problems_of

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]


def extractor(name: str, problem: str = "classification", **given: Any) -> Any:
    return build(name, given, seed=0, problem=problem)


def with_variances(*variances: float, rows: int = 50) -> Array:
    noise = np.random.default_rng(0).normal(size=(rows, len(variances)))
    axes, _ = np.linalg.qr(noise - noise.mean(axis=0))
    return axes * np.sqrt(np.array(variances) * (rows - 1))


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [PCA(), ICA(), NMF(init="nndsvda", max_iter=2000, tol=1e-6)])
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("proc_pca_choose_k", "ex_pca_rank_choice")
def test_how_many_components() -> None:
    eigenvalues = (5.0, 3.0, 1.5, 0.4, 0.1)
    X = with_variances(*eigenvalues)
    told = spectrum(X, 3, 0.9)
    assert told["variances"] == pytest.approx(eigenvalues)
    assert told["explained"] == pytest.approx([0.5, 0.8, 0.95, 0.99, 1.0], abs=1e-9)
    assert extractor("pca", components=0.9).fit(X).n_components_ == 3
    assert extractor("pca", tolerance=1.0).fit(X).n_components_ == 3
    assert extractor("pca", components="gap").fit(X).n_components_ == 1
    assert told["gap"] == 1
    assert (count_within(np.array(eigenvalues), 1.0), count_before_gap(np.array([9.0, 8.5, 8, 1, 0.5]))) == (3, 3)
    assert extractor("pca", tolerance=100.0).fit(X).n_components_ == 1
    assert extractor("pca", tolerance=1e-30).fit(X).n_components_ == 5
    assert extractor("pca", components="gap").fit(X[:, :1]).n_components_ == 1


@pytest.mark.covers("proc_pca_order", "ex_pca_divisors")
def test_centre_decompose_sort_keep_project_and_back() -> None:
    X = np.array([[2, 0, 1], [0, 2, 1], [3, 1, 0], [1, 3, 2], [4, 4, 1]], dtype=float)
    every, two = extractor("pca", components=None).fit(X), extractor("pca", components=2).fit(X)
    assert every.explained_variance_ == pytest.approx([3.0, 2.2807764064, 0.219223593596], abs=1e-9)
    assert every.explained_variance_ * 4 / 5 == pytest.approx([2.4, 1.82462112512, 0.175378874876], abs=1e-9)
    ratio = [0.545454545455, 0.414686619346, 0.0398588351992]
    assert every.explained_variance_ratio_ == pytest.approx(ratio, abs=1e-9)
    again = two.transform(X) @ two.components_ + two.mean_
    assert ((X - again) ** 2).sum(axis=1).mean() == pytest.approx(0.175378874876, abs=1e-9)
    scores = every.transform(X)
    assert np.cov(scores.T) == pytest.approx(np.diag(every.explained_variance_), abs=1e-9)
    assert every.explained_variance_.sum() == pytest.approx(np.trace(np.cov(X.T)))


@pytest.mark.covers("proc_new_sample_projection")
def test_a_new_row_moves_no_other() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    for name in ("pca", "kernel-pca", "ica"):
        fitted = extractor(name).fit(X)
        before = fitted.transform(X)
        far = fitted.transform(np.vstack([X, np.full((1, 5), 50.0)]))
        assert far[:40] == pytest.approx(before, abs=1e-10)
        assert np.array_equal(fitted.transform(X), before)


@pytest.mark.covers("proc_reduction_caution", "cl_reduction_can_discard_label")
def test_reduction_can_throw_the_label_away() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = np.column_stack([0.1 * (2 * y - 1) + 0.01 * rng.normal(size=400), *(10 * rng.normal(size=(2, 400)))])
    model = extractor("logistic-regression", C=100.0)
    accuracy = [
        (cross_val_predict(steps, X, y, cv=5) == y).mean()
        for steps in (make_pipeline(model), make_pipeline(extractor("pca", components=2), model))
    ]
    assert accuracy[0] > 0.99
    assert accuracy[1] < 0.6


@pytest.mark.covers("proc_kernel_pca_order", "ex_kernel_pca_scaling")
def test_kernel_pca_centres_the_kernel_and_divides_by_the_root() -> None:
    X = np.array([[0.0, 0.0], [2.0, 1.0], [4.0, 2.5], [6.0, 3.0]])
    model = extractor("kernel-pca", components=1, kernel="linear").fit(X)
    scores = np.sort(np.abs(model.transform(X)[:, 0]))
    assert model.eigenvalues_[0] == pytest.approx(25.5505164676, abs=1e-7)
    assert scores == pytest.approx([1.1761652955, 1.2930006241, 3.2948252291, 3.4116605577], abs=1e-7)
    centre = np.eye(4) - 0.25
    raw = np.sort(np.abs(centre @ X @ X.T @ centre @ model.eigenvectors_[:, 0]))
    assert raw == pytest.approx([5.9452237267, 6.5357973225, 16.6545239883, 17.2450975841], abs=1e-7)
    by_pca = np.abs(extractor("pca", components=1).fit_transform(X)[:, 0])
    assert np.sort(by_pca) == pytest.approx(scores)


def cross_talk(found: Array, sources: Array) -> tuple[Array, float]:
    """Correlations of each source with the component that is most like it, and the largest with another."""
    related = np.abs(np.corrcoef(found.T, sources.T)[:2, 2:])
    order = related.argmax(axis=0)
    matched = related[order, [0, 1]]
    return matched, float(related[1 - order, [0, 1]].max())


def mixture(rows: int, wide: float, laplace: float) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    sources = np.column_stack([rng.uniform(-wide, wide, rows), rng.laplace(scale=laplace, size=rows)])
    return sources @ np.array([[1, 0.5], [0.3, 1]]).T, sources


@pytest.mark.covers("reduce-ica-fastica", "cl_ica_recovers_sources")
def test_independent_sources_are_found_again() -> None:
    mixed, sources = mixture(4000, 1.0, 1.0)
    matched, other = cross_talk(extractor("ica").fit_transform(mixed), sources)
    assert matched == pytest.approx([1, 1], abs=0.005)
    assert other < 0.03
    by_variance = extractor("pca", components=None)
    assert cross_talk(by_variance.fit_transform(mixed), sources)[1] == pytest.approx(0.27, abs=0.03)
    # Of sources that vary alike, variance tells nothing.
    mixed, sources = mixture(3000, np.sqrt(3), np.sqrt(0.5))
    assert cross_talk(extractor("ica").fit_transform(mixed), sources)[0].min() > 0.99
    assert cross_talk(by_variance.fit_transform(mixed), sources)[0].max() < 0.9


def test_directions_in_which_nothing_differs_are_left_out() -> None:
    rng = np.random.default_rng(0)
    level = rng.integers(0, 3, 100)
    X = np.column_stack([np.eye(3)[level], rng.normal(size=100)])  # indicators add up to one
    found = extractor("ica").fit_transform(X)
    assert found.shape == (100, 3)
    assert np.abs(found).max() < 50


def test_parts_only_add_up_and_new_rows_below_zero_count_as_zero() -> None:
    rng = np.random.default_rng(0)
    X = rng.gamma(2, size=(60, 3)) @ rng.gamma(1, size=(3, 8))
    for loss in ("squares", "counts"):
        model = extractor("nmf", components=3, loss=loss, max_iter=2000).fit(X)
        parts = model.transform(X)
        assert parts.min() >= 0
        assert model.components_.min() >= 0
        assert parts @ model.components_ == pytest.approx(X, rel=0.1, abs=0.5)
    low = np.where(rng.random(X.shape) < 0.5, -0.01, X)
    assert model.transform(low) == pytest.approx(model.transform(np.maximum(low, 0)))
    assert extractor("nmf", components=20).fit_transform(X).shape == (60, 8)


def test_classes_are_furthest_apart_along_discriminants() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 5))
    X[:, 2] += 4 * y
    found = extractor("discriminants").fit(X, y)
    assert found.transform(X).shape == (120, 2)
    assert abs(np.corrcoef(found.transform(X)[:, 0], y)[0, 1]) > 0.9


@pytest.mark.covers("proc_selection_vs_extraction")
def test_selection_keeps_names_and_extraction_says_what_is_in_its_own() -> None:
    rng = np.random.default_rng(0)
    names = np.array(["age", "income", "height", "weight"], dtype=object)
    X = rng.normal(size=(60, 4))
    X[:, 3] = 3 * X[:, 2] + 0.1 * rng.normal(size=60)
    kept = extractor("correlation", keep=2).fit(X, (X[:, 1] > 0).astype(int))
    assert set(kept.get_feature_names_out(names)) < set(names)
    for name in ("pca", "ica", "discriminants"):
        fitted = extractor(name).fit(X, (X[:, 1] > 0).astype(int))
        made = list(fitted.get_feature_names_out())
        told = loadings(fitted, list(names), made)
        assert [one["component"] for one in told] == made
        assert {part["feature"] for one in told for part in one["made_of"]} == set(names)
    first = loadings(extractor("pca").fit(X), list(names), ["pca0"])[0]["made_of"]
    assert [part["feature"] for part in first[:2]] == ["weight", "height"]
    assert loadings(extractor("kernel-pca").fit(X), list(names), ["kernelpca0"]) == []


EXTRACTORS = [
    name for name, entry in entries().items() if entry.kind == "extractor" and "reduction" in problems_of(entry)
]


@pytest.mark.parametrize("rows", [1, 2, 4])
@pytest.mark.parametrize("name", EXTRACTORS)
def test_a_few_rows_are_reduced_or_refused_in_clear_words(name: str, rows: int) -> None:
    X = np.random.default_rng(0).uniform(0.1, 1, size=(rows, 3))
    words, found = "", np.zeros(0)
    try:
        found = extractor(name, "reduction").fit_transform(X)
    except ValueError as error:
        words = str(error)
    assert not words or re.search(r"Found array with \d sample\(s\) .* while a minimum of \d is required", words)
    assert np.isfinite(found).all()


def test_one_row_has_no_directions() -> None:
    for name in ("pca", "truncated-svd", "lsa"):
        with pytest.raises(ValueError, match=r"Found array with 1 sample\(s\)"):
            extractor(name, "reduction").fit(np.ones((1, 3)))
    with pytest.raises(ValueError, match="a minimum of 5 is required by EntropyICA"):
        extractor("entropy-ica", "reduction").fit(np.eye(4))


def test_topics_know_columns_by_name() -> None:
    counts = pd.DataFrame(np.random.default_rng(0).poisson(2.0, size=(20, 4)), columns=list("abcd"))
    topics = extractor("lsa", "reduction")
    found = topics.fit_transform(counts)
    assert topics.transform(counts) == pytest.approx(found)
    with pytest.raises(ValueError, match="The feature names should match"):
        topics.transform(counts[["b", "a", "c", "d"]])


@pytest.mark.parametrize("value", [0.1, 7.0])
def test_nothing_but_constant_columns_has_no_independent_components(value: float) -> None:
    with pytest.raises(ValueError, match="no column that varies"):
        extractor("ica").fit(np.full((10, 3), value))


@pytest.mark.parametrize("far", [1e6, 1e9])
def test_an_rbf_kernel_does_not_ask_where_zero_is(far: float) -> None:
    X = np.random.default_rng(0).normal(size=(30, 3))
    for name, given in (("kernel-pca", {"kernel": "rbf", "components": 2}), ("kernel-map", {"components": 20})):
        near, there = (extractor(name, **given).fit(at) for at in (X, X + far))
        # A number of this size is stored to one part in 2^53.
        assert there.transform(X[:5] + 0.1 + far) == pytest.approx(near.transform(X[:5] + 0.1), abs=1e-5)
