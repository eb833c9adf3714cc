"""Neighbours by a kernel: in its space, or as a similarity; and the recipe of nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.local_models.alike import AlikeClassifier, AlikeRegressor

pytestmark = pytest.mark.usefixtures("one_thread")

rng = np.random.default_rng(0)
X, FRESH = rng.normal(size=(80, 3)), rng.normal(size=(30, 3))
Y = (X[:, 0] > 0).astype(int)


def alike(**given: Any) -> Any:
    return build("kernel-neighbours", given, seed=0, problem="classification")


def nearest(k: int = 5) -> Any:
    return build("k-nearest-neighbours", {"n_neighbors": k}, seed=0, problem="classification")


@pytest.mark.parametrize("estimator", [AlikeClassifier(), AlikeClassifier(by="similarity"), AlikeRegressor()])
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("knn-kernel")
def test_neighbours_in_the_space_of_a_kernel() -> None:
    plain = nearest().fit(X, Y)
    distances, places = plain.kneighbors(FRESH)
    linear = alike(kernel="linear").fit(X, Y)
    assert np.array_equal(linear.kneighbors(FRESH)[1], places)
    assert linear.kneighbors(FRESH)[0] == pytest.approx(distances, abs=1e-7)
    assert np.array_equal(linear.predict_proba(FRESH), plain.predict_proba(FRESH))
    rbf = alike(kernel="rbf", gamma=0.3).fit(X, Y)
    assert np.array_equal(rbf.kneighbors(FRESH)[1], places)
    assert rbf.kneighbors(FRESH)[0] == pytest.approx(np.sqrt(2 - 2 * np.exp(-0.3 * distances**2)), abs=1e-7)
    even = alike(kernel="poly", gamma=1.0, coef0=0.0, degree=2, n_neighbors=1).fit(X, Y)
    assert even.distances(-X).diagonal() == pytest.approx(np.zeros(80), abs=1e-6)
    assert np.array_equal(even.predict(-X), Y)
    own, fresh = (X * X).sum(axis=1) ** 2, (FRESH * FRESH).sum(axis=1) ** 2
    assert even.distances(FRESH) == pytest.approx(np.sqrt(own + fresh[:, None] - 2 * (FRESH @ X.T) ** 2), abs=1e-6)
    amounts = build("kernel-neighbours", {"kernel": "linear"}, seed=0, problem="regression").fit(X, X[:, 1])
    assert amounts.predict(FRESH) == pytest.approx(X[places, 1].mean(axis=1))


@pytest.mark.covers("knn-kernel", "proc_kernel_first_pipeline")
def test_a_given_matrix_has_the_same_neighbours() -> None:
    by_name = alike(kernel="rbf", gamma=0.3).fit(X, Y)
    by_matrix = alike(kernel="precomputed").fit(rbf_kernel(X, gamma=0.3), Y)
    assert np.array_equal(by_matrix.predict_proba(rbf_kernel(FRESH, X, gamma=0.3)), by_name.predict_proba(FRESH))


@pytest.mark.covers("knn-similarity")
def test_the_most_similar_are_the_nearest_on_rows_of_one_length() -> None:
    unit, fresh = np.abs(X), np.abs(FRESH)  # no cosine is negative then
    unit, fresh = (
        unit / np.linalg.norm(unit, axis=1, keepdims=True),
        fresh / np.linalg.norm(fresh, axis=1, keepdims=True),
    )
    places = nearest().fit(unit, Y).kneighbors(fresh)[1]
    similar = alike(kernel="cosine", by="similarity").fit(unit, Y)
    assert np.array_equal(similar.kneighbors(fresh)[1], places)
    wanted = np.argsort(-(fresh @ unit.T), axis=1)[:, :5]
    assert np.array_equal(similar.kneighbors(fresh)[1], wanted)
    with pytest.raises(ValueError, match=r"is more similar to another row \(4\) than to itself \(1\)"):
        alike(kernel="linear", by="similarity", n_neighbors=1).fit([[1.0], [4.0]], [0, 1])
    with pytest.raises(ValueError, match="a similarity is never negative, but two rows have -1"):
        alike(kernel="cosine", by="similarity", n_neighbors=1).fit([[1.0], [-4.0]], [0, 1])


@pytest.mark.covers("knn-similarity")
@pytest.mark.parametrize("weights", ["uniform", "exponential"])
def test_a_row_may_be_more_similar_than_training_rows_are_to_each_other(weights: str) -> None:
    unit, long = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]), np.array([[0.0, 5.0], [5.0, 1.0], [3.0, 4.0]])
    given = {"by": "similarity", "weights": weights, "n_neighbors": 2}
    by_name = alike(kernel="linear", **given).fit(unit, [0, 1, 2])
    by_matrix = alike(kernel="precomputed", **given).fit(unit @ unit.T, [0, 1, 2])
    assert by_name.kneighbors(long)[1].tolist() == [[2, 1], [0, 1], [1, 2]]
    assert by_name.predict(long[:2]).tolist() == ([1, 0] if weights == "uniform" else [2, 0])
    assert by_matrix.predict_proba(long @ unit.T) == pytest.approx(by_name.predict_proba(long))
    if weights == "exponential":  # of similarities 5 and 4
        assert by_name.predict_proba(long)[0] == pytest.approx([0, 1 / (1 + np.e), np.e / (1 + np.e)])


@pytest.mark.covers("proc_knn_recipe", "ex_knn_majority_flip")
def test_the_class_flips_with_the_number_of_neighbours() -> None:
    points = [[1, 0], [-1, 0], [0, 1.2], [0, -2], [2.1, 0], [-2.2, 0], [0, 2.3]]
    shapes = ["triangle"] * 3 + ["square"] * 4
    assert [nearest(k).fit(points, shapes).predict([[0, 0]])[0] for k in (4, 7)] == ["triangle", "square"]
    assert nearest(7).fit(points, shapes).predict_proba([[0, 0]])[0] == pytest.approx([4 / 7, 3 / 7])
    # A tie goes to the label that sorts first.
    assert nearest(2).fit([[0.0], [1.0]], ["b", "a"]).predict([[0.5]]).tolist() == ["a"]


@pytest.mark.covers("proc_knn_recipe", "ex_kd_tree_query")
@pytest.mark.parametrize("way", ["kd_tree", "brute"])
def test_a_tree_finds_what_brute_force_finds(way: str) -> None:
    points = [[2, 3], [5, 4], [-9, 6], [-4, -7], [8, 1], [-7, -2], [0, -1]]
    given = {"n_neighbors": 2, "algorithm": way}
    model = build("k-nearest-neighbours", given, seed=0, problem="classification").fit(points, range(7))
    distances, places = model.kneighbors([[-1, -5]])
    assert places.tolist() == [[3, 6]]
    assert distances[0] == pytest.approx([3.60555127546, 4.12310562562], abs=1e-9)
    far = np.array([[100000.0, 1.0e-06], [120000.0, 9.0e-06], [500000.0, 1.0e-06], [900000.0, 9.2e-06]])
    query = np.array([[115000.0, 1.1e-06]])
    one = {"n_neighbors": 1, "algorithm": way}
    raw = build("k-nearest-neighbours", one, seed=0, problem="classification").fit(far, range(4))
    assert raw.predict(query).tolist() == [1]
    spread = far.std(axis=0)
    scaled = build("k-nearest-neighbours", one, seed=0, problem="classification").fit(far / spread, range(4))
    assert scaled.predict(query / spread).tolist() == [0]


@pytest.mark.covers("knn-kernel")
@pytest.mark.parametrize("weights", ["uniform", "exponential"])
def test_the_linear_kernel_is_euclid_wherever_zero_is(weights: str) -> None:
    rows, fresh = (np.round(table * 2**10) / 2**10 for table in (X, FRESH))
    plain = build(
        "k-nearest-neighbours", {"weights": weights, "algorithm": "kd_tree"}, seed=0, problem="classification"
    )
    wanted = plain.fit(rows, Y).predict_proba(fresh)
    for far in (0.0, 1e9):
        model = alike(kernel="linear", weights=weights).fit(rows + far, Y)
        assert model.predict_proba(fresh + far) == pytest.approx(wanted, abs=1e-6)
        nearest_five = np.sort(model.distances(fresh + far), axis=1)[:, :5]
        assert nearest_five == pytest.approx(plain.kneighbors(fresh)[0], abs=1e-6)


@pytest.mark.covers("knn-kernel")
def test_a_given_matrix_has_the_same_weights_where_they_can_be_known() -> None:
    by_name = alike(kernel="rbf", gamma=0.3, weights="exponential").fit(X, Y)
    by_matrix = alike(kernel="precomputed", weights="exponential").fit(rbf_kernel(X, gamma=0.3), Y)
    apart = np.sqrt(2 - 2 * rbf_kernel(FRESH, X, gamma=0.3))
    counted = np.where(apart <= np.sort(apart, axis=1)[:, 4:5], np.exp(-apart), 0.0)
    assert by_name.predict_proba(FRESH)[:, 1] == pytest.approx(counted @ Y / counted.sum(axis=1))
    assert by_matrix.predict_proba(rbf_kernel(FRESH, X, gamma=0.3)) == pytest.approx(by_name.predict_proba(FRESH))
    with pytest.raises(ValueError, match=r"weights='exponential' needs the distances themselves"):
        alike(kernel="precomputed", weights="exponential").fit(X @ X.T, Y)
    counted = alike(kernel="precomputed").fit(X @ X.T, Y).predict_proba(FRESH @ X.T)
    assert np.array_equal(counted, nearest().fit(X, Y).predict_proba(FRESH))
