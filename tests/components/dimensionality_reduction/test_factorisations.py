from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import LinearRegression
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.dimensionality_reduction.als import AlternatingLeastSquares, loss, solve
from penstock.components.dimensionality_reduction.completion import IterativeSVD
from penstock.components.dimensionality_reduction.kernel_pca import InvertibleKernelPCA, KernelPCA
from penstock.components.dimensionality_reduction.least_entropy import (
    EntropyICA,
    entropies,
    entropy_at,
    joint_entropy,
    whiten,
)
from penstock.components.dimensionality_reduction.sparse import SparsePCA, sparse_direction
from penstock.components.dimensionality_reduction.total_least_squares import TotalLeastSquares
from penstock.components.dimensionality_reduction.truncated_svd import LSA, TruncatedSVD
from penstock.components.structure.external import external_scores

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
NAN = np.nan
RATINGS = np.array([[NAN, 1, 5, 4], [3, NAN, 2, NAN], [NAN, 1, NAN, 4], [NAN, NAN, 5, 3], [2, NAN, 3, NAN]])
OURS = [
    TruncatedSVD(),
    LSA(),
    KernelPCA(),
    KernelPCA(kernel="rbf", scores="unit"),
    InvertibleKernelPCA(),
    SparsePCA(),
    AlternatingLeastSquares(max_iter=20),
    IterativeSVD(),
    EntropyICA(angles=10),
    TotalLeastSquares(),
]


def reducer(name: str, problem: str = "reduction", **given: Any) -> Any:
    return build(name, given, seed=0, problem=problem)


@pytest.mark.slow
@pytest.mark.parametrize("estimator", OURS, ids=[f"{type(one).__name__}-{place}" for place, one in enumerate(OURS)])
def test_scikit_learn_agrees(estimator: Any) -> None:
    # The library spares its kernel PCA, by name, from counting rounds that a dense solver does not have.
    spared = {"check_transformer_n_iter": "no rounds"} if isinstance(estimator, InvertibleKernelPCA) else None
    assert len(check_estimator(estimator, on_skip=None, expected_failed_checks=spared)) > 30


def sums_of_squares(values: Array) -> Array:
    return np.array([(values[place:] ** 2).sum() for place in range(1, len(values))])


@pytest.mark.covers("reduce-truncated-svd", "ex_eckart_young", "met_reconstruction_error", "met_singular_values")
def test_the_nearest_table_of_low_rank() -> None:
    zeros = np.nan_to_num(RATINGS)
    found = reducer("truncated-svd", components=4).fit(zeros)
    assert found.singular_values_ == pytest.approx([9.52684032696, 4.62688706248, 2.56256017365, 0.514310073939])
    two = reducer("truncated-svd", components=2)
    scores = two.fit_transform(zeros)
    error = ((zeros - two.inverse_transform(scores)) ** 2).sum()
    assert error == pytest.approx(6.831229, abs=1e-6)
    rng = np.random.default_rng(0)
    for _ in range(50):
        left = rng.normal(size=(5, 2))
        nearest = left @ np.linalg.lstsq(left, zeros, rcond=None)[0]  # the best for this column space
        assert ((zeros - nearest) ** 2).sum() > error
    A = np.array([[3, 1, 0], [1, 2, 1], [0, 1, 1], [2, 0, 1]], dtype=float)
    whole, one = reducer("truncated-svd", components=9).fit(A), reducer("truncated-svd", components=1)
    assert whole.singular_values_ == pytest.approx([4.1854509559, 2.08251235622, 1.07011335006], abs=1e-9)
    left_out = A - one.inverse_transform(one.fit_transform(A))
    assert np.linalg.norm(left_out, 2) == pytest.approx(2.08251235622, abs=1e-9)
    assert (left_out**2).sum() == pytest.approx(5.48200029577, abs=1e-9)


@pytest.mark.covers("reduce-lsa")
def test_documents_of_two_vocabularies_have_two_topics() -> None:
    rng = np.random.default_rng(0)
    counts = np.zeros((20, 12))
    counts[:10, :6], counts[10:, 6:] = rng.poisson(3, (10, 6)), rng.poisson(3, (10, 6))
    for weighting in ("counts", "tf-idf"):
        model = reducer("lsa", topics=2, weighting=weighting)
        scores = model.fit_transform(counts)
        topics = np.abs(model.components_)
        assert topics[0] @ topics[1] == pytest.approx(0, abs=1e-9)
        halves = {tuple((topic > 1e-9).nonzero()[0] // 6) for topic in topics}
        assert halves == {(0,) * 6, (1,) * 6}
        assert (np.abs(scores) > 1e-9).sum(axis=1).tolist() == [1] * 20
        weighed = counts * model.weights_
        values = np.linalg.svd(weighed, compute_uv=False)
        residual = (((counts - model.inverse_transform(scores)) * model.weights_) ** 2).sum()
        assert residual == pytest.approx((values[2:] ** 2).sum())
        assert np.allclose(model.transform(csr_array(counts)), scores)
    once = counts.copy()
    once[:, 11] = 0
    once[0, 11] = 1
    weights = reducer("lsa", topics=2, weighting="tf-idf").fit(once).weights_
    assert weights[11] == pytest.approx(np.log(21 / 2) + 1)  # in one document of twenty, smoothed
    assert weights[11] == weights.max() > weights[:11].max()


@pytest.mark.covers("reduce-als", "proc_als_factorisation", "cl_als_monotone", "ex_mf_loss")
def test_least_squares_in_turn_reach_the_best_rank() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 12))
    model = reducer("als", components=3, max_iter=5000, tol=0.0).fit(X)
    best = (np.linalg.svd(X, compute_uv=False)[3:] ** 2).sum()
    assert model.objective_[-1] == pytest.approx(best, abs=1e-10)
    assert np.diff(model.objective_).max() <= 1e-9
    turn = rng.normal(size=(3, 3))
    scores, directions = model.transform(X), model.components_
    again = (scores @ turn) @ (np.linalg.inv(turn) @ directions)
    assert ((X - again) ** 2).sum() == pytest.approx(((X - scores @ directions) ** 2).sum())

    ratings = np.where(rng.random((30, 20)) < 0.5, rng.integers(1, 6, (30, 20)), NAN).astype(float)
    rated = reducer("als", components=3, penalty=0.1, max_iter=15, tol=0.0).fit(ratings)
    assert len(rated.objective_) == 30
    assert np.diff(rated.objective_).max() <= 1e-9
    P, Q = np.array([[1, 0], [0.5, 1]]), np.array([[2.0, 1], [0, 3]])
    assert loss(np.array([[3, 1], [NAN, 4]]), P, Q, 0.1) == pytest.approx(5.625)
    one = solve(ratings[:1], rated.components_.T, 0.1)[0]
    seen = ~np.isnan(ratings[0])
    B = rated.components_[:, seen]
    assert one == pytest.approx(np.linalg.solve(B @ B.T + 0.1 * seen.sum() * np.eye(3), B @ ratings[0, seen]))


@pytest.mark.covers(
    "reduce-matrix-completion", "proc_matrix_completion", "ex_ratings_completion", "met_completion_error"
)
def test_unknown_ratings_in_one_shot() -> None:
    known = ~np.isnan(RATINGS)
    errors = {"zero": 2.91879728807, "row": 2.62045871047, "column": 0.317721867726}
    for start, expected in errors.items():
        model = reducer("iterative-svd", components=2, start=start, rounds=1).fit(RATINGS)
        low = model.inverse_transform(model.transform(RATINGS))
        assert ((low - RATINGS)[known] ** 2).sum() == pytest.approx(expected, abs=1e-8)
        assert model.objective_[-1] == pytest.approx(expected, abs=1e-8)
        completed = model.complete(RATINGS)
        assert np.array_equal(completed[known], RATINGS[known])
        assert completed[~known] == pytest.approx(low[~known])
        if start == "zero":
            assert low[0] == pytest.approx([0.330037093778, 0.756227039471, 4.80904070886, 4.23467094352], abs=1e-8)
            assert low[2] == pytest.approx([-1.38898370947, 0.718794215444, 0.748117081226, 3.308882798], abs=1e-8)
    sizes = np.linalg.svd(np.nan_to_num(RATINGS), compute_uv=False)
    assert sums_of_squares(sizes) == pytest.approx([28.2393133847, 6.83122949571, 0.264514852155], abs=1e-8)


@pytest.mark.covers("reduce-iterative-svd", "ex_iterative_svd")
def test_missing_cells_of_a_table_of_low_rank_come_back() -> None:
    rng = np.random.default_rng(0)
    whole = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 6))
    holes = rng.random(whole.shape) < 0.2
    model = reducer("iterative-svd", components=2, rounds=5000, tol=1e-13)
    completed = model.fit(np.where(holes, NAN, whole)).complete(np.where(holes, NAN, whole))
    assert np.abs(completed - whole)[holes].max() < 1e-8
    assert np.array_equal(completed[~holes], whole[~holes])
    assert np.diff(model.objective_).max() <= 1e-12
    panel = np.array([[1, 2, 3], [2, NAN, 6], [3, 6, NAN], [4, 8, 12]])
    filled = reducer("iterative-svd", components=1, rounds=500, tol=1e-12).fit(panel).complete(panel)
    assert [filled[1, 1], filled[2, 2]] == pytest.approx([4, 9], abs=1e-5)
    new = model.complete(np.where(np.arange(6) == 3, NAN, whole[:1] * 7))
    assert new == pytest.approx(whole[:1] * 7, abs=1e-5)


@pytest.mark.covers("reduce-kernel-pca")
def test_scores_of_both_conventions() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)) @ rng.normal(size=(4, 4)) + 5
    for kernel in ("linear", "rbf"):
        usual, unit, raw = (
            reducer("kernel-pca", "clustering", components=2, kernel=kernel, scores=scores).fit(X)
            for scores in ("normalised", "unit", "raw")
        )
        eigenvalues = usual.eigenvalues_
        assert (usual.transform(X) ** 2).sum(axis=0) == pytest.approx(eigenvalues)
        assert (unit.transform(X) ** 2).sum(axis=0) == pytest.approx(eigenvalues**2)  # as 83.245 = 9.1239²
        # The kernel of the rows without centring differs by the same for all rows.
        shift = raw.transform(X) - unit.transform(X)
        assert np.ptp(shift, axis=0) == pytest.approx([0, 0], abs=1e-8 * eigenvalues[0])
    by_pca = reducer("pca", components=2).fit_transform(X)
    linear = reducer("kernel-pca", "clustering", components=2, kernel="linear").fit_transform(X)
    assert np.abs(linear) == pytest.approx(np.abs(by_pca))
    back = reducer("kernel-pca", components=4, kernel="linear", alpha=1e-6).fit(X)
    assert back.inverse_transform(back.transform(X)) == pytest.approx(X, abs=1e-3)


@pytest.mark.covers("reduce-sparse-pca", "proc_factorisation_extensions", "met_sparsity")
def test_few_columns_in_each_direction() -> None:
    rng = np.random.default_rng(0)
    axes, _ = np.linalg.qr(np.column_stack([[0.75, 0.5, 0.35, 0.25], rng.normal(size=(4, 3))]))
    covariance = axes @ np.diag([11.79, 3, 2, 1]) @ axes.T
    found = {most: sparse_direction(covariance, most) for most in (1, 1.2, 1.5, 2)}
    variances = [variance for _, variance, _ in found.values()]
    assert all(np.diff(variances) > 0)
    assert variances[0] == pytest.approx(np.diag(covariance).max())
    assert variances[-1] == pytest.approx(11.79)
    assert np.count_nonzero(found[1][0]) == 1
    assert np.count_nonzero(found[1.2][0]) < 4
    for most, (direction, _, _) in found.items():
        assert np.abs(direction).sum() <= most + 1e-9
        assert np.linalg.norm(direction) == pytest.approx(1)
    X = rng.normal(size=(200, 6)) * [5, 4, 1, 1, 1, 1]
    model = reducer("sparse-pca", components=2, most_weight=1.1).fit(X)
    assert [int(np.abs(one).argmax()) for one in model.components_] == [0, 1]
    assert (model.components_ == 0).sum() > 4
    plain, sparse = reducer("pca", components=3).fit(X), reducer("sparse-pca", components=3, most_weight=4.0).fit(X)
    assert sparse.variances_ == pytest.approx(plain.explained_variance_, rel=1e-6)
    assert np.abs(sparse.transform(X)) == pytest.approx(np.abs(plain.transform(X)), abs=1e-4)


@pytest.mark.covers("reduce-nmf", "proc_factorisation_extensions", "ex_nmf_pixels", "met_poisson_nmf")
def test_counts_as_sums_of_parts() -> None:
    rng = np.random.default_rng(0)
    X = rng.poisson(rng.gamma(2, size=(60, 3)) @ rng.gamma(2, size=(3, 9))).astype(float)
    model = reducer("nmf", components=3, loss="counts", max_iter=5000, tol=1e-12)
    W = model.fit_transform(X)
    WH = W @ model.components_
    cells = X > 0
    divergence = (X[cells] * np.log(X[cells] / WH[cells])).sum() - X.sum() + WH.sum()
    assert model.reconstruction_err_**2 / 2 == pytest.approx(divergence, rel=1e-6)
    assert WH.sum() == pytest.approx(X.sum(), rel=1e-6)
    assert min(W.min(), model.components_.min()) >= 0
    errors = [
        reducer("nmf", components=3, loss="counts", max_iter=n, tol=0).fit(X).reconstruction_err_ for n in (1, 5, 50)
    ]
    assert errors == sorted(errors, reverse=True)
    side = 19
    assert side**2 == 361
    faces = rng.gamma(1, size=(2429, side**2))
    assert reducer("nmf", components=49, loss="counts", max_iter=1).fit(faces).components_.shape == (49, 361)


def mixed(rows: int = 4000) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    sources = np.column_stack([rng.uniform(-1, 1, rows), rng.laplace(size=rows)])
    return sources @ np.array([[1, 0.6], [0.4, 1]]).T, sources


@pytest.mark.slow
@pytest.mark.covers("reduce-ica-entropy", "proc_ica_order")
def test_sources_of_least_entropy() -> None:
    X, sources = mixed()
    model = reducer("entropy-ica", angles=60).fit(X)  # then 0.15 degrees around the best
    found = model.transform(X)
    related = np.abs(np.corrcoef(found.T, sources.T)[:2, 2:])
    assert related.max(axis=0) == pytest.approx([1, 1], abs=0.005)
    assert np.cov(found.T, bias=True) == pytest.approx(np.eye(2), abs=1e-9)
    assert model.inverse_transform(found) == pytest.approx(X)
    assert model.multi_information_ == pytest.approx(0, abs=0.1)
    whitened = whiten(X - X.mean(axis=0))[0]
    shared = entropy_at(whitened, np.array([0.0]))[0] - joint_entropy(whitened)
    assert shared > model.multi_information_ + 0.1

    degrees = np.arange(0, 90, 0.5)
    entropy = entropy_at(whitened, degrees)
    gaussian = whiten(np.random.default_rng(1).normal(size=(4000, 2)))[0]
    assert np.ptp(entropy_at(gaussian, degrees)) < 0.1 * np.ptp(entropy)
    A = np.array([[2.0, 1], [0, 3]])
    assert joint_entropy(X @ A.T) == pytest.approx(joint_entropy(X) + np.log2(np.linalg.det(A)))
    three = np.random.default_rng(2).laplace(size=(1500, 3))
    turned = reducer("entropy-ica", angles=30).fit_transform(three @ np.linalg.qr(three[:3])[0])
    assert np.abs(np.corrcoef(turned.T, three.T)[:3, 3:]).max(axis=0).min() > 0.98


@pytest.mark.covers("reduce-total-least-squares", "linreg-total-least-squares", "met_perpendicular_error")
def test_distances_at_right_angles() -> None:
    x = np.array([[0.0], [1.0], [2.0]])
    for y, slope in (([0.0, 2.0, 1.0], 1.0), ([0.0, 1.0, 1.0], 0.535184)):
        model = reducer("total-least-squares", "regression").fit(x, y)
        assert model.coef_ == pytest.approx([slope], abs=5e-7)
        assert LinearRegression().fit(x, y).coef_ == pytest.approx([0.5])
    rng = np.random.default_rng(0)
    x = rng.normal(size=100)
    y = 2 * x + rng.normal(size=100)
    slopes = [reducer("total-least-squares", "regression").fit(a[:, None], b).coef_[0] for a, b in ((x, y), (y, x))]
    assert slopes[0] * slopes[1] == pytest.approx(1)
    plain = [LinearRegression().fit(a[:, None], b).coef_[0] for a, b in ((x, y), (y, x))]
    assert plain[0] * plain[1] < 0.9
    # The plane is nearest at right angles; along y, least squares are.
    total, least = (reducer("total-least-squares", "regression"), LinearRegression())
    errors = {}
    for name, model in (("total", total.fit(x[:, None], y)), ("least", least.fit(x[:, None], y))):
        along = np.sum((y - model.predict(x[:, None])) ** 2)
        errors[name] = (along / (1 + model.coef_[0] ** 2), along)
    assert errors["total"][0] < errors["least"][0]
    assert errors["least"][1] < errors["total"][1]
    twice = np.column_stack([x, x])  # no slope along the direction in which they never differ
    along = reducer("total-least-squares", "regression").fit(np.sqrt(2) * x[:, None], y).coef_[0]
    found = reducer("total-least-squares", "regression").fit(twice, y).coef_
    assert found == pytest.approx([along / np.sqrt(2)] * 2)


@pytest.mark.covers("reduce-total-least-squares")
@pytest.mark.parametrize("unit", [1e-8, 1e-3, 1e6, 1e9])
def test_total_least_squares_of_a_target_in_any_unit(unit: float) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    y = unit * (2 * x + 0.3 * rng.normal(size=40))
    xx, xy, yy = (np.sum((a - a.mean()) * (b - b.mean())) for a, b in ((x, x), (x, y / unit), (y / unit, y / unit)))
    if unit > 1:  # the root of the quadratic equation of the slope, in units of the target
        gap = yy - xx / unit**2
        slope = (gap + np.sqrt(gap**2 + 4 * xy**2 / unit**2)) / (2 * xy)
    else:
        gap = xx - yy * unit**2
        slope = 2 * xy / (gap + np.sqrt(gap**2 + 4 * xy**2 * unit**2))
    found = reducer("total-least-squares", "regression").fit(x[:, None], y)
    assert found.coef_[0] / unit == pytest.approx(slope, rel=1e-7)
    assert found.normal_ @ [1.0, found.coef_[0]] == pytest.approx(0.0, abs=1e-9 * np.abs(found.normal_).max())
    several = np.column_stack([x, rng.normal(size=40) / 10, np.ones(40)])
    both = reducer("total-least-squares", "regression").fit(several, y)
    assert np.isfinite(both.coef_).all()
    assert both.coef_[2] == pytest.approx(0.0, abs=1e-9 * unit)
    level = reducer("total-least-squares", "regression").fit(np.ones((40, 1)), y)
    assert level.predict(np.ones((1, 1))) == pytest.approx([y.mean()])


@pytest.mark.covers("met_singular_values", "ex_symmetric_eig_vs_sv")
def test_singular_values_are_roots_of_the_eigenvalues_of_the_square() -> None:
    """Of a symmetric matrix they are the sizes of its eigenvalues, and these themselves only where none is negative."""
    A = np.array([[0.0, 1.0], [1.0, 0.0]])
    found = reducer("truncated-svd", components=2).fit(A).singular_values_
    assert found == pytest.approx([1, 1], abs=1e-9)
    assert np.linalg.eigvalsh(A) == pytest.approx([-1, 1], abs=1e-9)
    B = np.random.default_rng(0).normal(size=(6, 3))
    found = reducer("truncated-svd", components=3).fit(B).singular_values_
    assert found**2 == pytest.approx(np.linalg.eigvalsh(B.T @ B)[::-1])


@pytest.mark.covers("ex_rank_not_convex_concave")
def test_the_rank_of_a_mixture_may_lie_on_either_side() -> None:
    def rank(A: Array) -> int:
        """The fewest components that bring all of the table back."""
        for kept in range(1, 3):
            model = reducer("truncated-svd", components=kept)
            if np.allclose(model.inverse_transform(model.fit_transform(A)), A, atol=1e-9):
                return kept
        raise AssertionError

    one, two = np.diag([1.0, 0.0]), np.diag([0.0, 1.0])
    assert rank(0.3 * one + 0.7 * two) == 2 > 0.3 * rank(one) + 0.7 * rank(two) == 1
    whole, minus = np.eye(2), np.diag([0.0, -1.0])
    assert rank(0.5 * whole + 0.5 * minus) == 1 < 0.5 * rank(whole) + 0.5 * rank(minus) == 1.5


@pytest.mark.covers("ex_rotation_invariance")
def test_factors_are_known_but_for_a_turn() -> None:
    GP = np.array([[1.0, 2.0], [2.0, 5.0], [0.0, 1.0]])
    model = reducer("als", components=2)
    Z = model.fit_transform(GP)
    turn = np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
    plain = model.inverse_transform(Z)
    assert plain == pytest.approx(GP, abs=1e-6)
    model.components_ = turn.T @ model.components_
    assert model.inverse_transform(Z @ turn) == pytest.approx(plain, abs=1e-9)


@pytest.mark.covers("met_multi_information", "ex_entropy_linear_map", "ex_multi_information")
def test_entropies_of_mapped_and_of_shared_columns() -> None:
    x = np.random.default_rng(0).normal(size=(500, 2))
    gained = joint_entropy(x @ np.array([[2.0, 1.0], [0.0, 3.0]]).T) - joint_entropy(x)
    assert gained == pytest.approx(2.58496250072, abs=1e-9)
    bits = external_scores([0, 1], [0, 1])  # of two columns, what all share is what the two share
    assert bits.mutual_information / np.log(2) == pytest.approx(1.0, abs=1e-9)
    shared = np.column_stack([x[:, 0], x[:, 0] + 0.1 * x[:, 1]])
    told = {name: entropies(rows).sum() - joint_entropy(rows) for name, rows in (("alone", x), ("shared", shared))}
    assert abs(told["alone"]) < 0.2
    assert told["shared"] > 2  # log2(1 / sqrt(1 - r^2)) is 3.3 here
