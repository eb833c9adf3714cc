from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build, entries
from penstock.components.local_models.neighbours import NeighboursClassifier, NeighboursRegressor
from tests.searching import make_search


def neighbours(problem: str, **given: Any) -> Any:
    return build("k-nearest-neighbours", given, seed=0, problem=problem)


@pytest.mark.covers("knn-classifier")
def test_the_vote_of_the_nearest() -> None:
    tie = neighbours("classification", n_neighbors=2).fit([[0.0], [1.0]], [5, 3])
    assert tie.predict([[0.5]]).tolist() == [3]

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=300) > 0).astype(int)
    fresh = rng.normal(size=(200, 3))
    for p in (1, 2):
        tree, brute = (neighbours("classification", algorithm=way, p=p).fit(X, y) for way in ("kd_tree", "brute"))
        assert np.array_equal(tree.predict_proba(fresh), brute.predict_proba(fresh))
    assert set(np.unique(tree.predict_proba(fresh) * 5)) <= {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}
    assert neighbours("classification", n_neighbors=1).fit(X, y).score(X, y) == 1.0

    wide = X * [1.0, 1.0, 1e6]
    alone = neighbours("classification").fit(wide[:, 2:], y).predict(fresh[:, 2:] * 1e6)
    assert np.array_equal(neighbours("classification").fit(wide, y).predict(fresh * [1.0, 1.0, 1e6]), alone)
    scaled = neighbours("classification").fit(wide / wide.std(axis=0), y)
    assert not np.array_equal(scaled.predict(fresh * [1.0, 1.0, 1e6] / wide.std(axis=0)), alone)


@pytest.mark.covers("knn-classifier")
def test_nearest_by_any_dissimilarity_and_the_sign_of_their_sum() -> None:
    rng = np.random.default_rng(0)
    X, fresh = rng.normal(size=(100, 4)), rng.normal(size=(40, 4))
    y = np.where(rng.random(100) < 0.5, -1, 1)
    apart = np.abs(fresh[:, None] - X)
    ways = [
        ({"p": 1}, apart.sum(axis=2)),
        ({"p": 2}, np.sqrt((apart**2).sum(axis=2))),
        ({"p": 3}, (apart**3).sum(axis=2) ** (1 / 3)),
        ({"metric": "chebyshev"}, apart.max(axis=2)),
    ]
    answers = []
    for given, distances in ways:
        model = neighbours("classification", n_neighbors=5, **given).fit(X, y)
        nearest = np.argsort(distances, axis=1)[:, :5]
        assert np.array_equal(model.kneighbors(fresh)[1], nearest)
        assert np.array_equal(model.predict(fresh), np.sign(y[nearest].sum(axis=1)))
        answers.append(model.predict(fresh).tolist())
    assert len({str(answer) for answer in answers}) > 1


# Four yes-or-no descriptors: the share that differs; the printed 1 - |sum| would put a row farthest from itself.
BITS = np.array([[1, 0, 1, 1], [1, 1, 1, 0], [0, 1, 0, 0], [1, 0, 1, 0]], dtype=float)


@pytest.mark.covers("knn-classifier", "knn-regressor", "ex_hamming_distance")
def test_descriptors_are_as_far_as_they_differ() -> None:
    y = np.array([1.0, 3.0, 5.0, 8.0])
    model = neighbours("regression", n_neighbors=2, metric="hamming").fit(BITS, y)
    distances, places = model.kneighbors(BITS[:1], n_neighbors=4)
    assert places[0].tolist() == [0, 3, 1, 2]
    assert distances[0].tolist() == [0.0, 0.25, 0.5, 1.0]
    assert model.predict(BITS[:1]).tolist() == [4.5]
    assert neighbours("regression", n_neighbors=4, metric="hamming").fit(BITS, y).predict(BITS[2:3]).tolist() == [4.25]
    vote = neighbours("classification", n_neighbors=3, metric="hamming").fit(BITS, ["a", "b", "b", "a"])
    assert vote.predict(BITS[:1]).tolist() == ["a"]
    assert vote.predict_proba(BITS[:1])[0] == pytest.approx([2 / 3, 1 / 3])


@pytest.mark.covers("met_class_share_vector")
def test_shares_of_the_classes_among_the_nearest() -> None:
    X, y = np.array([[0.0], [1.0], [2.0], [3.0], [9.0]]), np.array([0, 2, 2, 1, 1])
    shares = neighbours("classification", n_neighbors=4).fit(X, y).predict_proba([[1.4]])[0]
    assert shares.tolist() == [0.25, 0.25, 0.5]
    rng = np.random.default_rng(0)
    X, y, fresh = rng.normal(size=(90, 2)), rng.integers(0, 3, 90), rng.normal(size=(40, 2))
    leaves = build("decision-tree", {"min_samples_leaf": 12}, seed=0, problem="classification")
    for model in (neighbours("classification", n_neighbors=7), leaves):
        shares = model.fit(X, y).predict_proba(fresh)
        assert np.allclose(shares.sum(axis=1), 1.0)
        assert np.array_equal(model.predict(fresh), shares.argmax(axis=1))
    rows = np.flatnonzero(leaves.apply(X) == leaves.apply(fresh[:1])[0])
    assert shares[0] == pytest.approx(np.bincount(y[rows], minlength=3) / len(rows))


@pytest.mark.covers("knn-regressor")
def test_the_mean_of_the_nearest() -> None:
    x = np.array([[0.0], [1.0], [2.0], [10.0]])
    y = np.array([0.0, 1.0, 4.0, 100.0])
    assert neighbours("regression", n_neighbors=2).fit(x, y).predict([[0.9]]).tolist() == [0.5]
    assert neighbours("regression", n_neighbors=4).fit(x, y).predict([[0.9]]).tolist() == [26.25]
    assert np.array_equal(neighbours("regression", n_neighbors=1).fit(x, y).predict(x), y)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [NeighboursClassifier, NeighboursRegressor])
@pytest.mark.parametrize("weights", ["uniform", "exponential"])
def test_scikit_learn_agrees(kind: type, weights: str) -> None:
    assert len(check_estimator(kind(weights=weights), on_skip=None)) > 30


@pytest.mark.covers("proc_k_in_knn", "knn-exp-weighted", "ex_knn_exponential_weights", "met_exp_neighbour_weight")
def test_near_rows_outvote_many_far_ones_by_an_exponential() -> None:
    distances = np.array([[0.1], [5.0], [5.1], [5.2], [5.3]])
    labels = np.array(["near", "far", "far", "far", "far"])

    def vote(**given: Any) -> Any:
        return neighbours("classification", n_neighbors=5, **given).fit(distances, labels)

    assert vote().predict([[0.0]]).tolist() == ["far"]
    weighted = vote(weights="exponential", alpha=1.0)
    assert weighted.predict([[0.0]]).tolist() == ["near"]
    assert weighted.predict_proba([[0.0]])[0, 1] == pytest.approx(0.974850950135, abs=1e-9)
    assert vote(weights="exponential", alpha=0.0).predict([[0.0]]).tolist() == ["far"]
    assert vote(weights="exponential", alpha=1e4).predict_proba([[1e6]]).sum() == 1.0  # however far all are
    mean = neighbours("regression", n_neighbors=5, weights="exponential").fit(distances, labels == "near")
    assert mean.predict([[0.0]]) == pytest.approx([0.974850950135], abs=1e-9)


def test_no_share_is_above_one_by_rounding() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 4)), np.zeros(200, dtype=int)
    y[:3] = 1
    model = neighbours("classification", n_neighbors=15, weights="exponential").fit(X, y)
    assert model.predict_proba(rng.normal(size=(2000, 4))).max() == 1.0


@pytest.mark.covers("proc_k_in_knn")
def test_cross_validation_chooses_k_where_the_training_error_cannot() -> None:
    X, y = make_moons(2400, noise=0.35, random_state=0)
    taught, known, fresh, truth = X[:400], y[:400], X[400:], y[400:]
    search = make_search(
        [("k-nearest-neighbours", {"n_neighbors": list(range(1, 62, 4)), "weights": "uniform", "p": 2})],
        problem="classification",
        strategy="grid",
        candidates=20,
        batch=20,
        seed=0,
    )
    candidates = [trial.candidate for trial in search.ask()][1:]
    assert len(candidates) == 16
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    models = [build(one.name, one.parameters, seed=0, problem="classification") for one in candidates]
    scores = [cross_val_score(model, taught, known, cv=folds).mean() for model in models]
    chosen = candidates[int(np.argmax(scores))].parameters["n_neighbors"]
    errors = {}
    for k in (1, chosen):
        model = neighbours("classification", n_neighbors=k).fit(taught, known)
        errors[k] = (1 - model.score(taught, known), 1 - model.score(fresh, truth))
    assert errors[1][0] == 0
    assert errors[1][1] - errors[chosen][1] >= 0.03
    space = entries()["k-nearest-neighbours"].space_for("classification")
    assert {"n_neighbors", "weights", "p"} <= set(space)
    assert "exponential" in space["weights"]


@pytest.mark.covers("knn-classifier", "knn-regressor")
@pytest.mark.parametrize("weights", ["uniform", "distance", "exponential"])
@pytest.mark.parametrize("problem", ["classification", "regression"])
def test_many_columns_far_from_zero_have_the_same_neighbours(problem: str, weights: str) -> None:
    rng = np.random.default_rng(0)
    X, fresh = (np.round(rng.normal(size=(rows, 20)) * 2**10) / 2**10 for rows in (120, 40))
    y = (X[:, 0] > 0).astype(int)
    near, there = (
        neighbours(problem, weights=weights).fit(X + far, y).predict(fresh + far)  # brute force by itself
        for far in (0.0, 1e9)
    )
    apart = np.sqrt(((fresh[:, None] - X) ** 2).sum(axis=2))
    assert np.array_equal(neighbours(problem).fit(X + 1e9, y).kneighbors(fresh + 1e9)[1], np.argsort(apart)[:, :5])
    assert there == pytest.approx(near, abs=1e-6)
