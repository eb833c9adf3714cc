from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score

from penstock.components import catalog
from penstock.components.structure import chooser
from penstock.components.structure.assess import StructureVerdict
from penstock.components.structure.chooser import Choice, choose_automatically
from penstock.errors import DataError

pytestmark = pytest.mark.usefixtures("one_thread")

STRUCTURED = StructureVerdict(
    structured=True, pvalue=0.01, statistic=9.0, nearest="uniform", comparisons=[], level=0.02, rows=1, sentence=""
)


def found(choice: Choice, rows: Any) -> np.ndarray[Any, Any]:
    """The groups that the chosen method of the catalogue finds."""
    return np.asarray(catalog.build(choice.method, choice.parameters, seed=0, problem="clustering").fit(rows).labels_)


@pytest.mark.slow
def test_blobs() -> None:
    rows, truth = make_blobs(200, centers=[[0, 0], [8, 0], [0, 8], [8, 8]], random_state=0)
    choice = choose_automatically(rows, seed=0)
    assert (choice.method, choice.clusters, choice.parameters["clusters"]) == ("gaussian-mixture", 4, 4)
    assert "4 clusters" in choice.reason
    assert choice.evidence["agreement"] > 0.95
    assert choice.evidence["pieces"] == 0.0
    assert adjusted_rand_score(truth, found(choice, rows)) == 1.0


@pytest.mark.slow
def test_shapes_that_a_mixture_would_cut_to_pieces() -> None:
    rows, truth = make_moons(400, noise=0.05, random_state=0)
    choice = choose_automatically(rows, seed=0, verdict=STRUCTURED)
    assert (choice.method, choice.clusters) == ("hdbscan", 2)
    assert choice.evidence["pieces"] > 0.5
    assert choice.evidence["dense"]["validity"] > 0
    assert "2 dense regions" in choice.reason
    assert adjusted_rand_score(truth, found(choice, rows)) > 0.98


@pytest.mark.slow
def test_many_compact_groups_some_of_which_touch() -> None:
    centres = np.array([(4.0 * x, 4.0 * y) for x in range(4) for y in range(3)])
    rows, truth = make_blobs(720, centers=centres, cluster_std=0.8, random_state=0)
    choice = choose_automatically(rows, seed=0, verdict=STRUCTURED)
    assert (choice.method, choice.clusters) == ("gaussian-mixture", 12)
    assert adjusted_rand_score(truth, found(choice, rows)) > 0.93


@pytest.mark.slow
def test_beyond_many_rows_shapes_are_asked_of_a_method_that_grows_with_the_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chooser, "MANY_ROWS", 700)
    rows, truth = make_moons(800, noise=0.05, random_state=0)
    choice = choose_automatically(rows, seed=0, verdict=STRUCTURED)
    assert (choice.method, choice.parameters["clusters"]) == ("k-means-linkage", 2)
    assert adjusted_rand_score(truth, found(choice, rows)) > 0.98


@pytest.mark.slow
def test_where_rows_are_thinned_a_neighbourhood_grows_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chooser, "MAX_PAIRED", 300)
    rows, truth = make_moons(900, noise=0.05, random_state=0)
    choice = choose_automatically(rows, seed=0, verdict=STRUCTURED)
    seen = choice.evidence["dense"]
    assert choice.parameters["min_cluster_size"] == 3 * seen["min_cluster_size"]
    assert choice.parameters["min_samples"] == 3 * seen["min_samples"]
    assert adjusted_rand_score(truth, found(choice, rows)) > 0.98


def test_one_cluster_is_an_answer() -> None:
    choice = choose_automatically(np.random.default_rng(0).normal(size=(150, 3)), seed=0)
    assert (choice.method, choice.parameters, choice.clusters) == ("gaussian-mixture", {"clusters": 1}, 1)
    assert choice.reason.startswith("No structure")


def test_equal_rows_are_refused() -> None:
    with pytest.raises(DataError, match="PEN351"):
        choose_automatically(np.ones((30, 2)), seed=0)
