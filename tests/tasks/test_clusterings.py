"""What is said of a clustering that cannot be, before anything is fitted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from penstock.components.search.candidates import Candidate
from penstock.context import Run
from penstock.errors import DataError
from penstock.jobs import Prepared
from penstock.tasks.select_model import require_feasible, require_quantities


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


def candidate(name: str, **parameters: int) -> Candidate:
    return Candidate(name=name, parameters=parameters, number=0)


def test_more_clusters_than_rows_and_more_memory_than_there_is(run: Run) -> None:
    matrix = run.store.put_matrix(np.random.default_rng(0).normal(size=(400, 2)))
    prepared = Prepared(train=matrix, names=run.store.put_facts(["a", "b"]))
    require_feasible(run, prepared, [candidate("k-means", clusters=5)])
    with pytest.raises(DataError, match="401 clusters are asked for, and there are 400 learning rows") as refused:
        require_feasible(run, prepared, [candidate("k-means", clusters=401)])
    assert refused.value.code == "PEN321"
    assert "at most 400 clusters" in refused.value.remedy
    with pytest.raises(DataError, match=r"'k-medoids' on 400 rows by 2 columns needs about 1\.9 MB") as refused:
        require_feasible(run, prepared, [candidate("k-medoids", clusters=5)])
    assert refused.value.code == "PEN338"
    assert "limits.memory_mb" in refused.value.remedy


def test_means_need_a_column_that_has_some(run: Run) -> None:
    levels = run.store.put_facts({"groups": [{"role": "nominal", "columns": ["town", "plan"]}]})
    with pytest.raises(DataError, match="'k-means' takes means") as refused:
        require_quantities(run, levels, ["k-medoids", "k-means"])
    assert refused.value.code == "PEN324"
    assert "'town', 'plan'" in refused.value.what
    assert "gower" in refused.value.remedy
    require_quantities(run, levels, ["k-medoids"])
    numbers = run.store.put_facts(
        {"groups": [{"role": "nominal", "columns": ["a"]}, {"role": "numeric", "columns": ["b"]}]}
    )
    require_quantities(run, numbers, ["k-means"])
