"""Every method without a target: named in a pipeline file, trained, saved, loaded, and asked about new rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_limits

from penstock.components.catalog import entries
from penstock.components.preprocessing.plan import make_plan
from penstock.components.schema import Schema, infer_schema
from penstock.model import PenstockModel, load_bundle
from penstock.problems import find
from penstock.spec.checks import check_spec
from penstock.spec.pipeline import Spec
from penstock.spec.preparation import Features
from penstock.store import Store
from penstock.tasks.analyse import analyse
from penstock.tasks.prepare import plan_settings
from tests.stages import train


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    with threadpool_limits(1):
        yield


CLUSTERERS: list[tuple[str, dict[str, Any]]] = [
    *(("k-means", {"init": init}) for init in ("random", "random-partition", "k-means++", "furthest-first")),
    ("k-means", {"init": "over-seeded"}),
    ("mini-batch-k-means", {}),
    *(("k-medoids", {"dissimilarity": name}) for name in ("euclidean", "correlation", "gower", "equal-influence")),
    ("k-medians", {}),
    *(("kernel-k-means", {"kernel": kernel}) for kernel in ("gaussian", "polynomial")),
    ("soft-k-means", {}),
    *(("gaussian-mixture", {"covariance_type": shape}) for shape in ("full", "tied", "diag", "spherical")),
    ("latent-class", {}),
    ("gibbs-mixture", {}),
    ("dbscan", {}),
    ("hdbscan", {}),
    *(("agglomerative", {"linkage": kind}) for kind in ("single", "complete", "average", "centroid", "ward")),
    ("bisecting-k-means", {}),
    ("k-means-linkage", {}),
    *(("spectral", {"laplacian": kind}) for kind in ("unnormalised", "ng-jordan")),
    ("mean-shift", {}),
    ("birch", {}),
]
REDUCERS: list[tuple[str, dict[str, Any]]] = [
    *(("pca", {"components": count}) for count in (2, 0.9, "gap")),
    ("pca", {"tolerance": 0.5}),
    ("kernel-pca", {"components": 2}),
    *((name, {"components": 2}) for name in ("sparse-pca", "truncated-svd", "ica", "als", "iterative-svd")),
    ("nmf", {"components": 2}),
    ("entropy-ica", {"components": 2}),
    ("lsa", {"topics": 2}),
]
FINDS_THE_NUMBER = ("dbscan", "hdbscan", "mean-shift")
SIGNED = ("correlation",)  # of two columns, which cannot tell three groups apart


def blobs(rows: int, seed: int) -> pd.DataFrame:
    """Three groups, positive and of three columns that go together."""
    rng = np.random.default_rng(seed)
    which = np.arange(rows) % 3
    x = np.array([[5.0, 5.0], [25.0, 5.0], [5.0, 25.0]])[which] + rng.normal(scale=0.7, size=(rows, 2))
    frame = pd.DataFrame(np.abs(x), columns=["a", "b"]).assign(c=np.abs(x @ [1.0, 0.5]))
    return frame.assign(_row_id=[f"r{seed}-{number}" for number in range(rows)])


class Trainer:
    """The training rows, and what a job needs to train on them."""

    def __init__(self, folder: Path, problem: str) -> None:
        self.store, self.problem = Store(folder), problem
        frame = blobs(90, 0)
        self.schema: Schema = infer_schema(
            frame.drop(columns="_row_id"), problem=problem, target_type=find(problem).target_type, target=None
        )  # type: ignore[arg-type]
        self.training_frame = self.store.put_frame(frame)
        self.typed = self.store.put_facts(self.schema)
        facts = self.store.facts(analyse.function(self.store, self.training_frame, self.typed, 0).facts)
        self.facts, self.contract = facts, self.store.put_facts({"rules": []})

    def train(self, name: str, parameters: dict[str, Any], scale: str = "standard") -> PenstockModel:
        spec = Spec.model_validate(
            {
                "name": "any",
                "problem": self.problem,
                "data": {"source": "any.csv"},
                "models": [{name: parameters}],
                "preparation": {"scale": scale},
            }
        )
        check_spec(spec, "any.yaml")
        settings = plan_settings(spec.preparation, Features())
        plan = self.store.put_facts(make_plan(self.schema, self.facts["columns"], **settings))
        winner = self.store.put_facts({"name": name, "parameters": parameters})
        made = train(
            self.store,
            self.problem,
            plan=plan,
            train=self.training_frame,
            winner=winner,
            schema_=self.typed,
            contract=self.contract,
        )
        return load_bundle(self.store.path(made))


@pytest.fixture(scope="module")
def clustering(tmp_path_factory: pytest.TempPathFactory) -> Trainer:
    return Trainer(tmp_path_factory.mktemp("clustering"), "clustering")


@pytest.fixture(scope="module")
def reduction(tmp_path_factory: pytest.TempPathFactory) -> Trainer:
    return Trainer(tmp_path_factory.mktemp("reduction"), "reduction")


@pytest.mark.parametrize(("name", "parameters"), CLUSTERERS, ids=lambda value: str(value))
def test_a_clusterer_assigns_new_rows(name: str, parameters: dict[str, Any], clustering: Trainer) -> None:
    given = parameters if name in FINDS_THE_NUMBER else {**parameters, "clusters": 3}
    model = clustering.train(name, given)
    new = blobs(30, 1)
    far = pd.DataFrame({"a": [900.0], "b": [900.0], "c": [9000.0]})
    scored = model.score_frame(new, enforce=False)
    assert list(scored.columns) == ["prediction", "confidence", "outlier"]
    assert scored["prediction"].dtype.kind == "i"
    assert scored["confidence"].between(0, 1).all()
    assert scored["outlier"].mean() < 0.2
    assert model.score_frame(far, enforce=False)["outlier"].tolist() == [True]
    assert len(model.card["assignment"]["rule"]) > 20
    if parameters.get("dissimilarity") not in SIGNED and name != "gibbs-mixture":
        inside = scored["prediction"][scored["prediction"] >= 0]  # a row at the edge may be noise
        assert inside.groupby(inside.index % 3).nunique().tolist() == [1, 1, 1]
        assert inside.nunique() == 3


def test_every_clusterer_and_reducer_of_the_catalogue_is_tried() -> None:
    kinds = {entry.name: entry.kind for entry in entries().values()}
    assert {name for name, _ in CLUSTERERS} == {name for name, kind in kinds.items() if kind == "clusterer"}
    reducers = {entry.name for entry in entries().values() if entry.kind == "extractor" and entry.fits("reduction")}
    assert {name for name, _ in REDUCERS} == reducers


@pytest.mark.parametrize(("name", "parameters"), REDUCERS, ids=lambda value: str(value))
def test_a_reducer_gives_new_rows_their_columns(name: str, parameters: dict[str, Any], reduction: Trainer) -> None:
    scale = "min-max" if name in ("nmf", "lsa") else "standard"
    model = reduction.train(name, parameters, scale)
    scored = model.score_frame(blobs(12, 1), enforce=False)
    assert list(scored.columns) == [f"component_{number}" for number in range(1, scored.shape[1] + 1)]
    assert 1 <= scored.shape[1] <= 3
    assert np.isfinite(scored.to_numpy()).all()


@pytest.mark.parametrize("name", ["gaussian-mixture-density", "kernel-density"])
def test_a_density_flags_new_rows(name: str, tmp_path: Path) -> None:
    model = Trainer(tmp_path, "density").train(name, {})
    far = pd.DataFrame({"a": [5.0, 900.0], "b": [5.0, 900.0], "c": [7.5, 9000.0]})
    assert model.score_frame(far, enforce=False)["outlier"].tolist() == [False, True]
