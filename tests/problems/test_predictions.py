"""What models of each kind predict: the table, its signature in MLflow, what drift watches, what travels."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from penstock.actions.records import key_parts
from penstock.components import catalog
from penstock.components.clustering.assignment import Assigner
from penstock.components.schema import Schema, encode_target, infer_schema
from penstock.context import Run
from penstock.errors import ModelError
from penstock.model import PenstockModel, load_bundle, save_bundle
from penstock.problems import find, names
from penstock.store import Store
from penstock.tracking.packaging import copy_code, signature_of
from tests.problems.elsewhere import ELSEWHERE, Install

MODELS = {
    "classification": "logistic-regression",
    "regression": "ridge",
    "clustering": "k-means",
    "reduction": "pca",
    "density": "kernel-density",
}
CONTRACT: dict[str, Any] = {"version": 1, "rules": [], "not_compiled": []}


def rows(problem: str) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    if find(problem).answers_known:
        frame["y"] = frame["a"] if problem == "regression" else np.where(frame["a"] > 0, "more", "less")
    return frame


def model_of(problem: str) -> tuple[PenstockModel, pd.DataFrame]:
    frame = rows(problem)
    target = "y" if "y" in frame else None
    schema = infer_schema(frame, problem=problem, target_type=find(problem).target_type, target=target)
    features = frame[["a", "b", "c"]]
    y = encode_target(frame["y"], schema) if target else None
    last = catalog.build(MODELS[problem], {}, seed=0, problem=problem)
    pipeline = make_pipeline(catalog.build("standard", {}, seed=0, problem=problem), last).fit(features, y)
    matrix = pipeline[:-1].transform(features)
    assigner = Assigner(random_state=0).fit(matrix, last.predict(matrix)) if problem == "clustering" else None
    return PenstockModel(pipeline=pipeline, schema=schema, contract=CONTRACT, card={}, assigner=assigner), frame


@pytest.mark.parametrize("problem", MODELS)
def test_the_signature_names_the_columns_that_are_given(problem: str) -> None:
    model, frame = model_of(problem)
    table = model.score_frame(frame)
    outputs = signature_of(model.schema).outputs
    if outputs is None:
        assert list(table.columns) == ["component_1", "component_2", "component_3"]
        return
    assert outputs.input_names() == list(table.columns)
    kinds = {"f": "double", "i": "long", "b": "boolean"}
    assert [column.type.name for column in outputs.inputs] == [kinds.get(kind.kind, "string") for kind in table.dtypes]


@pytest.mark.parametrize("problem", MODELS)
def test_without_rows_the_table_is_the_same_but_empty(problem: str) -> None:
    model, frame = model_of(problem)
    assert model.score_frame(frame.head(0)).dtypes.equals(model.score_frame(frame).dtypes)


@pytest.mark.parametrize(
    ("problem", "watched"),
    [
        ("classification", {"prediction": "str", "probability_more": "float64"}),
        ("regression", {"prediction": "float64"}),
        ("clustering", {"prediction": "str", "confidence": "float64", "outlier": "str"}),
        ("reduction", {}),
        ("density", {"outlier": "str"}),
    ],
)
def test_drift_watches_quantities_as_numbers_and_the_rest_as_words(problem: str, watched: dict[str, str]) -> None:
    model, frame = model_of(problem)
    found = model.predictions.watched(model.score_frame(frame))
    assert {name: str(kind) for name, kind in found.dtypes.items()} == watched
    assert model.predictions.watched(frame).empty


@pytest.mark.parametrize(
    ("problem", "use", "words"),
    [
        ("regression", "predict_proba", "this regression model gives no probabilities"),
        ("density", "predict_proba", "this density model gives no probabilities"),
        ("density", "predict", "use score_frame, which gives the log density"),
        ("reduction", "predict", "use score_frame, which gives the new columns"),
        ("clustering", "predict_sets", "predict_sets is for a classification, and this model is of a clustering"),
        ("clustering", "predict_interval", "predict_interval is for a regression, and this model is of a clustering"),
        ("regression", "predict_interval", "this model was not asked for a coverage"),
    ],
)
def test_what_a_kind_does_not_give_is_said(problem: str, use: str, words: str) -> None:
    model, frame = model_of(problem)
    with pytest.raises(ModelError) as caught:
        getattr(model, use)(frame)
    assert caught.value.code == "PEN506"
    assert words in str(caught.value)


@pytest.mark.parametrize("problem", MODELS)
def test_only_what_the_kind_needs_travels(tmp_path: Path, problem: str) -> None:
    model, _ = model_of(problem)
    store = Store(tmp_path / "store")
    file = store.path(
        save_bundle(
            store, pipeline=model.pipeline, schema=model.schema, contract=CONTRACT, card={}, assigner=model.assigner
        )
    )
    copy_code(file, tmp_path / "code", find(problem))
    folder = tmp_path / "code" / "penstock" / "problems"
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.py")} - {
        "rows/__init__.py",
        "rows/columns.py",
        "rows/extras.py",
        "rows/refusals.py",
    } == {
        "__init__.py",
        "declaration.py",
        "predictions.py",
        "registry.py",
        f"{problem}/__init__.py",
        f"{problem}/predictions.py",
    }


def save(tmp_path: Path, problem: str) -> Path:
    model, _ = model_of("clustering")
    schema = Schema(columns=model.schema.columns, problem=problem)
    store = Store(tmp_path / "store")
    return store.path(save_bundle(store, pipeline=model.pipeline, schema=schema, contract=CONTRACT, card={}))


def test_a_problem_of_another_package_says_what_its_models_predict(tmp_path: Path, install: Install) -> None:
    file = save(tmp_path, "sequence")
    install(ELSEWHERE.format(name="sequence"))
    model = load_bundle(file)
    frame = rows("clustering")
    assert model.score_frame(frame)["place"].tolist() == list(range(60))
    assert signature_of(model.schema).outputs.input_names() == ["place"]
    assert model.predictions.watched(model.score_frame(frame)).columns.tolist() == ["place"]


def test_such_a_problem_travels_with_its_models(tmp_path: Path, install: Install) -> None:
    file = save(tmp_path, "sequence")
    install(ELSEWHERE.format(name="sequence"))
    code = copy_code(file, tmp_path / "code", find("sequence"))
    assert sorted(Path(path).name for path in code.paths) == [
        "penstock",
        "problem_elsewhere-1.0.dist-info",
        "problem_elsewhere.py",
    ]
    rows("clustering").to_parquet(tmp_path / "rows.parquet")
    there = tmp_path / "there"
    there.mkdir()
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'code')!r}); import pandas as pd, penstock; "
        f"from penstock.model import load_bundle; model = load_bundle({str(file)!r}); "
        f"print(penstock.__file__, len(model.score_frame(pd.read_parquet({str(tmp_path / 'rows.parquet')!r}))))"
    )
    told = subprocess.run([sys.executable, "-I", "-c", program], cwd=there, capture_output=True, text=True, check=False)
    assert told.stdout.split() == [str(tmp_path / "code" / "penstock" / "__init__.py"), "60"], told.stderr


def test_a_model_of_a_problem_that_is_not_installed(tmp_path: Path) -> None:
    file = save(tmp_path, "sequence")
    assert "sequence" not in names()
    with pytest.raises(ModelError) as caught:
        load_bundle(file)
    assert (caught.value.code, caught.value.where) == ("PEN523", str(file))
    assert "install the package that brings this problem" in caught.value.remedy


def code_of(tmp_path: Path, problem: str, module: str) -> set[str]:
    run = Run(
        id="r",
        pipeline="p",
        home=tmp_path,
        folder=tmp_path,
        base=tmp_path,
        tracking_uri="",
        predictions=find(problem).predictions.partition(":")[0],
    )
    return set(key_parts("s", (f"penstock.problems.{module}",), {}, (), run)["code"])


def test_the_key_of_a_stage_that_asks_a_model_holds_the_predictions_of_its_kind_alone(tmp_path: Path) -> None:
    code_of(tmp_path, "reduction", "reduction.study")
    asks = code_of(tmp_path, "density", "density.study")
    assert {name for name in asks if name.endswith(".predictions")} == {
        "penstock.problems.predictions",
        "penstock.problems.density.predictions",
    }
    fits = code_of(tmp_path, "density", "supervised.fit")
    assert not [name for name in fits if name.endswith(".predictions")]
