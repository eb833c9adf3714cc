from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import KMeans
from sklearn.datasets import make_circles
from sklearn.mixture import GaussianMixture

from penstock.components.catalog import build
from penstock.components.number_of_clusters import CRITERIA, Evidence, choose, draw, evaluate_criteria, find
from penstock.components.number_of_clusters.elbow import sharpness
from penstock.components.number_of_clusters.tree import cut
from penstock.errors import DataError, UsageError

pytestmark = pytest.mark.usefixtures("one_thread")

Floats = NDArray[np.float64]
CENTRES = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])


def blobs(sizes: int = 40, spread: float = 0.3, seed: int = 3) -> Floats:
    rng = np.random.default_rng(seed)
    return np.vstack([centre + spread * rng.normal(size=(sizes, 2)) for centre in CENTRES])


def quickly(X: Floats, k: int, seed: int) -> NDArray[Any]:
    return np.asarray(KMeans(k, n_init=2, random_state=seed).fit_predict(X))


@pytest.fixture(scope="module")
def three() -> Evidence:
    return Evidence(blobs(), range(1, 7))


@pytest.fixture(scope="module")
def nothing() -> Evidence:
    return Evidence(np.random.default_rng(0).normal(size=(120, 5)), range(1, 6), cluster=quickly)


@pytest.mark.covers("choosek-elbow", "met_elbow_kink", "proc_choose_number_of_clusters")
def test_the_spread_bends_at_three(three: Evidence) -> None:
    spread = three.spread
    assert [spread[k] for k in range(1, 6)] == pytest.approx([899, 344, 23, 19, 16], rel=0.06)
    assert all(spread[k + 1] <= spread[k] for k in range(1, 6))
    found = evaluate_criteria(three, ["elbow", "kink"])
    assert found["elbow"].k == found["kink"].k == choose(three).k == 3
    assert found["kink"].values[2] == spread[3] - spread[2]
    assert "the step to 3 takes off 32" in found["elbow"].reason


def test_a_curve_without_a_clear_bend_is_ambiguous_and_the_gap_decides(nothing: Evidence) -> None:
    found = evaluate_criteria(nothing, ["elbow", "kink"])
    assert (found["elbow"].k, found["kink"].k) == (None, None)
    assert found["elbow"].reason.startswith("Ambiguous")
    assert choose(nothing).criterion == "gap-maximum"
    even = {k: 1 / k**2 for k in range(1, 6)}
    assert [sharpness(even, k) for k in (2, 3, 4)] == pytest.approx([1, 1, 1])
    assert sharpness({1: 2.0, 2: 1.0, 3: 1.0}, 2) == np.inf
    assert find("elbow").evaluate(Evidence(blobs(), [1, 3])).k is None


@pytest.mark.slow
@pytest.mark.covers("choosek-gap", "met_gap", "cl_gap_statistic")
def test_the_gap_is_the_reference_less_the_rows(three: Evidence) -> None:
    found = evaluate_criteria(three, ["gap", "gap-maximum"])
    gaps = [found["gap"].values[k] for k in range(1, 7)]
    assert gaps == pytest.approx([-0.37, 0.08, 2.29, 2.04, 2.01, 1.97], abs=0.12)
    assert found["gap"].k == found["gap-maximum"].k == 3
    assert all(error > 0 for error in found["gap"].errors.values())
    assert int(np.argmax([-gap for gap in gaps])) + 1 == 1  # the sign as it is also printed
    wider = Evidence(blobs(60), range(1, 8), cluster=quickly)
    assert find("gap-maximum").evaluate(wider).k == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CRITERIA if name != "aic"])
def test_every_criterion_finds_three_and_says_why(three: Evidence, name: str) -> None:
    found = find(name).evaluate(three)
    assert (found.criterion, found.k) == (name, 3)
    assert set(found.values) <= set(three.ks)
    assert 3 in found.values
    assert "3" in found.reason


@pytest.mark.parametrize(
    "name", [one.name for one in CRITERIA.values() if one.says_one and one.name not in ("aic", "gap-maximum")]
)
def test_one_is_an_answer(nothing: Evidence, name: str) -> None:
    assert find(name).evaluate(nothing).k == 1


def test_aic_is_content_with_more_clusters_than_bic(three: Evidence) -> None:
    found = evaluate_criteria(three, ["aic", "bic"])
    assert found["aic"].k is not None
    assert found["aic"].k >= 3
    parameters = {k: k * (2 + 3) + k - 1 for k in three.ks}  # of k Gaussians in two columns
    paid = [(np.log(120) - 2) * parameters[k] for k in three.ks]
    assert [found["bic"].values[k] - found["aic"].values[k] for k in three.ks] == pytest.approx(paid)


def test_a_likelihood_of_columns_with_few_values_decides_nothing() -> None:
    """Gaussians as narrow as zeros and ones allow: the likelihood rises with every cluster."""
    rng = np.random.default_rng(0)
    X = np.column_stack([blobs(), rng.integers(2, size=120)])
    for name, found in evaluate_criteria(Evidence(X, range(1, 7)), ["bic", "aic"]).items():
        assert min(found.values, key=lambda k: found.values[k]) > 3, name
        assert found.k is None
        assert "a few values" in found.reason


def test_parts_of_any_form_are_seen_by_the_eigengap() -> None:
    X, _ = make_circles(300, noise=0.03, factor=0.4, random_state=0)
    found = find("eigengap").evaluate(Evidence(X))
    assert (found.k, find("gap").evaluate(Evidence(X, range(1, 4), cluster=quickly)).k) == (2, 1)
    assert found.values[1] == pytest.approx(0, abs=1e-9)  # the graph falls into two parts


def test_clusterings_and_models_that_are_there_are_used() -> None:
    X = blobs()
    labels = {k: np.arange(len(X)) % k for k in (1, 2)}
    model = GaussianMixture(2, random_state=0).fit(X)
    given = Evidence(X, [1, 2], labels=labels, models={2: model})
    assert given.labels(2) is labels[2]
    assert find("bic").evaluate(given).values[2] == model.bic(X)
    assert given.spread[1] == pytest.approx(((X - X.mean(axis=0)) ** 2).sum())


@pytest.mark.covers("choosek-dendrogram-cut")
def test_a_tree_is_cut_at_a_height_or_into_so_many() -> None:
    line = np.array([[0.0], [1.0], [3.0], [7.0]])
    tree = linkage(line, "single")

    def groups(**at: Any) -> set[tuple[int, ...]]:
        labels = cut(tree, **at)
        return {tuple(np.array([0, 1, 3, 7])[labels == cluster]) for cluster in np.unique(labels)}

    assert groups(height=1.5) == {(0, 1), (3,), (7,)}
    assert groups(height=2) == groups(clusters=2) == {(0, 1, 3), (7,)}
    # The method of the catalogue cuts its own tree alike.
    for at in ({"height": 1.5}, {"height": 2.0}, {"clusters": 2}):
        model = build("agglomerative", {"linkage": "single", **at}, seed=0, problem="clustering").fit(line)
        assert model.labels_.tolist() == cut(tree, **at).tolist()
        assert model.n_clusters_ == len(groups(**at))
    for wrong, code in (({}, "PEN343"), ({"height": 1, "clusters": 2}, "PEN343"), ({"clusters": 5}, "PEN340")):
        with pytest.raises(UsageError) as caught:
            cut(tree, **wrong)
        assert caught.value.code == code


def test_large_tables_are_thinned() -> None:
    X = np.zeros((5000, 1))
    assert len(draw(X, 0)) == 2000
    assert np.array_equal(draw(X, 1), draw(X, 1))
    assert not np.array_equal(draw(X, 1), draw(X, 2))


@pytest.mark.parametrize(
    ("rows", "ks", "code", "words"),
    [
        (blobs(), [0, 1], "PEN340", "try numbers from 1 to 120"),
        (blobs(), [121], "PEN340", "cannot form 121 clusters"),
        (blobs(), [], "PEN340", "no number of clusters"),
        (np.ones((9, 2)), [1, 2], "PEN341", "all 9 rows are equal"),
        (np.array([[1.0], [np.nan], [2.0]]), [1, 2], "PEN342", "missing or infinite"),
        (np.ones((1, 2)), [1], "PEN342", "at least two rows"),
    ],
    ids=["none", "too many", "nothing to try", "equal rows", "missing", "one row"],
)
def test_what_cannot_be_clustered_is_said(rows: Floats, ks: list[int], code: str, words: str) -> None:
    with pytest.raises((DataError, UsageError)) as caught:
        Evidence(rows, ks)
    assert caught.value.code == code
    assert words in f"{caught.value.what} {caught.value.remedy}"
    with pytest.raises(UsageError, match="did you mean 'silhouette'") as named:
        find("silhuette")
    assert named.value.code == "PEN344"
