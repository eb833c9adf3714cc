"""Fitted models with a data contract, and jobs that score with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from penstock.components.contract import compile_suite
from penstock.components.schema import conform, encode_target, infer_schema
from penstock.expectations.learnt import learn
from penstock.model import save_bundle
from penstock.scoring.batch import Job, Order, deliver, score_rows
from penstock.store import Store

ROWS = 1000


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.uniform(18, 80, rows)
    return pd.DataFrame(
        {
            "id": [f"r{number}" for number in range(rows)],
            "age": age,
            "income": np.where(rng.random(rows) < 0.1, np.nan, rng.normal(50, 10, rows)),
            "plan": rng.choice(["basic", "gold"], rows),
        }
    )


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fitted(tmp_path_factory.mktemp("model"))


def fitted(folder: Path, written: list[dict[str, Any]] | None = None, policies: dict[str, Any] | None = None) -> Path:
    """A logistic model with a learnt suite, and further rules if there are any."""
    frame = people(ROWS)
    frame["left"] = np.where(frame["age"] + np.random.default_rng(1).normal(0, 9, ROWS) > 50, "yes", "no")
    schema = infer_schema(
        frame, problem="classification", target_type="classes", target="left", positive="yes", key="id"
    )
    features = conform(frame, schema, strict=True)[[column.name for column in schema.features]]
    prepare = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income"]),
        (OneHotEncoder(handle_unknown="ignore"), ["plan"]),
    )
    pipeline = make_pipeline(prepare, LogisticRegression()).fit(features, encode_target(frame["left"], schema))
    contract = compile_suite([*(written or []), *learn(frame, schema)], schema, policies)
    store = Store(folder)
    return store.path(save_bundle(store, pipeline=pipeline, schema=schema, contract=contract, card={}))


Scoring = Callable[..., dict[str, Any]]


@pytest.fixture
def scoring(tmp_path: Path, model_file: Path) -> Scoring:
    """Score a source into a destination in parts of 100 rows, without a registry."""

    def run(source: object, destination: object, **options: Any) -> dict[str, Any]:
        job = job_of(tmp_path / "work", options.pop("file", model_file), source, destination, **options)
        return deliver(job, score_rows(job))

    return run


def job_of(folder: Path, file: Path, source: object, destination: object, **options: Any) -> Job:
    order = Order(model="m@1", source=str(source), destination=str(destination), **{"chunk_rows": 100, **options})
    return Job(order=order, name="m", version="1", digest=file.stem, file=file, folder=folder)
