"""What cannot be clustered, through the whole flow: each with its code, its exit status and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copy
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import yaml

from penstock.components.catalog import build
from penstock.errors import PenstockError
from penstock.flows.unsupervised import unsupervised
from penstock.settings import Settings

ROWS = 60


def groups() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], ROWS // 3, axis=0) + rng.normal(scale=0.5, size=(ROWS, 2))
    return pd.DataFrame(x, columns=["a", "b"])


class Case(NamedTuple):
    models: list[Any]
    code: str
    status: int
    remedy: str
    rows: Callable[[pd.DataFrame], pd.DataFrame] = lambda rows: rows


CASES = {
    "fewer rows than clusters": Case([{"k-means": {"clusters": 90}}], "PEN321", 3, "ask for at most"),
    "no clusters": Case([{"k-means": {"clusters": 0}}], "PEN017", 2, "give a value that it takes"),
    "clusters below none": Case([{"k-medoids": {"clusters": -2}}], "PEN017", 2, "give a value that it takes"),
    "all rows equal": Case(
        [{"k-means": {"clusters": 2}}],
        "PEN125",
        3,
        "columns that differ",
        lambda rows: rows.assign(a=1.0, b=2.0),
    ),
    "no numeric column": Case(
        [{"k-means": {"clusters": 2}}],
        "PEN324",
        3,
        "gower",
        lambda rows: pd.DataFrame({"a": ["x", "y", "z"] * (ROWS // 3), "b": ["u", "v"] * (ROWS // 2)}),
    ),
    "all noise": Case([{"dbscan": {"eps": 1e-9, "min_samples": 5}}], "PEN322", 4, "a greater `eps`"),
    "one cluster where there are several": Case([{"dbscan": {"eps": 1e6}}], "PEN310", 4, "find one group only"),
    "a matrix of pairs": Case([{"k-medoids": {"dissimilarity": ["precomputed"]}}], "PEN325", 2, "scale: none"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("bad")
    home = folder / "home"
    home.mkdir()
    copy(migrated_database, home / "mlflow.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(home))
        Settings.from_environment().apply()
        yield folder


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_said(name: str, folder: Path) -> None:
    case = CASES[name]
    case.rows(groups()).to_csv(folder / "data.csv", index=False)
    spec = {"name": "bad", "problem": "clustering", "data": {"source": "data.csv"}, "models": case.models}
    (folder / "pipeline.yaml").write_text(yaml.safe_dump({**spec, "search": {"strategy": "grid"}}))
    with pytest.raises(PenstockError) as caught:
        unsupervised.fn(str(folder / "pipeline.yaml"), [], engine="plain")
    assert caught.value.code == case.code
    assert caught.value.exit_status == case.status
    assert case.remedy in str(caught.value.remedy)
    assert caught.value.where


GOOD = np.array([[0.0, 1.0, 5.0, 5.0], [1.0, 0.0, 5.0, 5.0], [5.0, 5.0, 0.0, 1.0], [5.0, 5.0, 1.0, 0.0]])
MATRICES = {
    "missing": (np.nan, 2, "PEN224", "every dissimilarity is needed"),
    "negative": (-5.0, 2, "PEN225", "never negative"),
    "asymmetric": (4.0, 2, "PEN334", "make it symmetric"),
    "no zero on the diagonal": (0.5, 0, "PEN226", "correct the diagonal"),
}


@pytest.mark.parametrize("name", ["k-medoids", "agglomerative", "dbscan", "hdbscan"])
@pytest.mark.parametrize("fault", MATRICES)
def test_a_bad_matrix_is_said(fault: str, name: str) -> None:
    value, column, code, remedy = MATRICES[fault]
    given: dict[str, Any] = {"dissimilarity": "precomputed"}
    given |= {"eps": 2.0, "min_samples": 2} if name == "dbscan" else {}
    given |= {"min_cluster_size": 2} if name == "hdbscan" else {}
    given |= {"linkage": "average"} if name == "agglomerative" else {}
    given |= {"clusters": 2} if name in ("k-medoids", "agglomerative") else {}
    model = build(name, given, seed=0, problem="clustering")
    labels = model.fit(GOOD).labels_
    assert labels[0] == labels[1] != labels[2] == labels[3]
    bad = GOOD.copy()
    bad[0, column] = value
    with pytest.raises(PenstockError) as caught:
        model.fit(bad)
    assert caught.value.code == code
    assert f"row 0, column {column}" in caught.value.where
    assert remedy in str(caught.value.remedy)
