"""What is said of a clustering that cannot be, before anything is fitted; and every method as a candidate of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from penstock.components.catalog import entries, find
from penstock.components.dissimilarity.measure import NAMES
from penstock.components.preprocessing.plan import Group, Plan
from penstock.components.search.candidates import Candidate
from penstock.context import Run
from penstock.errors import DataError
from penstock.evidence.folds import Folds
from penstock.problems.clustering.scores import ClusterScores
from penstock.problems.fits import Prepared
from penstock.store import Ref
from penstock.tasks.check import check_candidates, require_quantities
from tests.stages import fit


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(
        id="r",
        pipeline="p",
        home=tmp_path,
        folder=tmp_path,
        base=tmp_path,
        tracking_uri="",
        engine="plain",
        memory_mb=1,
    )


def candidate(name: str, **parameters: Any) -> Candidate:
    return Candidate(name=name, parameters=parameters, number=0)


def test_more_clusters_than_rows_and_more_memory_than_there_is(run: Run) -> None:
    matrix = run.store.put_matrix(np.random.default_rng(0).normal(size=(400, 2)))
    prepared = Prepared(train=matrix, names=run.store.put_facts(["a", "b"]))
    check_candidates(run, "clustering", prepared, [candidate("k-means", clusters=5)])
    with pytest.raises(DataError, match="401 clusters are asked for, and there are 400 training rows") as refused:
        check_candidates(run, "clustering", prepared, [candidate("k-means", clusters=401)])
    assert refused.value.code == "PEN321"
    assert "at most 400 clusters" in refused.value.remedy
    with pytest.raises(DataError, match=r"'k-medoids' on 400 rows by 2 columns needs about 1\.9 MB") as refused:
        check_candidates(run, "clustering", prepared, [candidate("k-medoids", clusters=5)])
    assert refused.value.code == "PEN338"
    assert "limits.memory_mb" in refused.value.remedy


def test_more_time_than_the_file_allows(run: Run) -> None:
    matrix = run.store.put_matrix(np.random.default_rng(0).normal(size=(2000, 2)))
    prepared = Prepared(train=matrix, names=run.store.put_facts(["a", "b"]))
    slow = [candidate("mean-shift")]
    check_candidates(run, "clustering", prepared, slow)
    check_candidates(run.model_copy(update={"seconds": 60.0}), "clustering", prepared, slow)
    with pytest.raises(DataError, match="'mean-shift' on 2,000 rows by 2 columns needs about 1 s") as refused:
        check_candidates(run.model_copy(update={"seconds": 0.5}), "clustering", prepared, slow)
    assert refused.value.code == "PEN338"
    assert "limits.seconds" in refused.value.remedy


def test_means_need_a_column_that_has_some(run: Run) -> None:
    levels = planned(run, Group(role="nominal", columns=["town", "plan"]))
    with pytest.raises(DataError, match="'k-means' takes means") as refused:
        require_quantities(run, levels, ["k-medoids", "k-means"])
    assert refused.value.code == "PEN324"
    assert "'town', 'plan'" in refused.value.what
    assert "gower" in refused.value.remedy
    require_quantities(run, levels, ["k-medoids"])
    numbers = planned(run, Group(role="nominal", columns=["a"]), Group(role="numeric", columns=["b"]))
    require_quantities(run, numbers, ["k-means"])


def planned(run: Run, *groups: Group) -> Ref[Plan]:
    return run.store.put_facts(Plan(problem="clustering", groups=list(groups), left_out={}, text_components=0))


def groups() -> np.ndarray:
    """Three groups in three directions from the origin, far apart."""
    rng = np.random.default_rng(0)
    return np.repeat([[9.0, 0, 0], [0, 9, 0], [0, 0, 9]], 30, axis=0) + rng.normal(size=(90, 3))


def fitted(run: Run, one: Candidate, X: np.ndarray) -> ClusterScores:
    prepared = Prepared(train=run.store.put_matrix(X), names=run.store.put_facts([]))
    with threadpool_limits(1):
        found = fit(run.store, one, "clustering", prepared, Folds().save(run.store))
    assert found.facts is not None
    return run.store.facts(found.facts.holding(ClusterScores))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, entry in entries().items() if entry.kind == "clusterer"])
def test_every_method_is_fitted_scored_and_resampled(name: str, run: Run) -> None:
    asked = {"clusters": 3} if "clusters" in find(name).space else {}
    found = fitted(run, candidate(name, **asked), groups())
    assert found.clusters_found == 3
    assert (found.silhouette_with_noise or 0) > 0.5
    assert found.stability.value > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("precomputed")])
def test_every_dissimilarity_is_fitted_by_its_name(name: str, run: Run) -> None:
    X = groups() / 20 if name == "geometric-kernel" else groups()
    found = fitted(run, candidate("k-medoids", clusters=3, dissimilarity=name), X)
    assert found.clusters_found == 3
    assert found.stability.value is not None
