"""The segments example: same bytes from the same seed, and four groups that can be found again."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from threadpoolctl import threadpool_limits

from penstock.components.catalog import check_parameters, find
from penstock.spec.checked import load_checked_spec
from penstock.spec.data import Ordinal
from penstock.spec.reading import load_spec

FOLDER = Path(__file__).parents[2] / "examples" / "segments"
NUMERIC = ["age", "yearly_income", "visits_per_month", "basket_value", "discount_share_pct"]


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("segments_generate", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return pd.read_csv(FOLDER / "segments.csv")


@pytest.fixture(scope="module")
def planted() -> pd.Series[str]:
    return pd.read_csv(FOLDER / "segments.csv")["planted"]


@pytest.fixture(scope="module")
def clusterings(rows: pd.DataFrame, generator: ModuleType) -> dict[int, tuple[NDArray[Any], float]]:
    """Labels and silhouette of k-means for each number of clusters."""
    ordinal = make_pipeline(OrdinalEncoder(categories=[generator.ADVICE]), StandardScaler())
    X = make_column_transformer(
        (StandardScaler(), NUMERIC),
        (OneHotEncoder(drop="if_binary", sparse_output=False), ["favourite_channel", "member"]),
        (ordinal, ["asks_for_advice"]),
    ).fit_transform(rows)
    with threadpool_limits(1):  # on rows this few, threads cost more than they bring
        labels = {k: KMeans(k, n_init=5, random_state=0).fit_predict(X) for k in range(2, 9)}
    return {k: (found, float(silhouette_score(X, found))) for k, found in labels.items()}


def test_the_generator_writes_the_committed_bytes(generator: ModuleType) -> None:
    made = generator.generate().to_csv(index=False, lineterminator="\n")
    assert made.encode() == (FOLDER / "segments.csv").read_bytes()


def test_rows_groups_and_noise(rows: pd.DataFrame, planted: pd.Series[str], generator: ModuleType) -> None:
    assert 1500 <= len(rows) <= 2000
    assert rows["customer"].is_unique
    assert set(planted) == {*generator.GROUPS, generator.NOISE}
    assert len(generator.GROUPS) == 4
    assert 0.04 <= (planted == generator.NOISE).mean() <= 0.06


def test_some_channels_are_missing_mostly_of_rare_visitors(rows: pd.DataFrame) -> None:
    missing, rare = rows["favourite_channel"].isna(), rows["visits_per_month"] < 4
    assert missing[rare].mean() > 2 * missing[~rare].mean() > 0


def test_four_clusters_have_the_best_silhouette(clusterings: dict[int, tuple[NDArray[Any], float]]) -> None:
    silhouettes = {k: silhouette for k, (_, silhouette) in clusterings.items()}
    best, second = sorted(silhouettes, key=lambda k: silhouettes[k], reverse=True)[:2]
    assert best == 4
    assert silhouettes[best] > silhouettes[second] + 0.02


def test_four_clusters_are_the_planted_groups(
    clusterings: dict[int, tuple[NDArray[Any], float]], planted: pd.Series[str], generator: ModuleType
) -> None:
    belongs = np.asarray(planted != generator.NOISE)
    assert adjusted_rand_score(planted[belongs], clusterings[4][0][belongs]) > 0.8


@pytest.mark.parametrize(
    ("name", "problem"), [("fewer-columns", "reduction"), ("own-distances", "clustering"), ("rare-rows", "density")]
)
def test_the_files_beside_it_fit_the_data(name: str, problem: str, rows: pd.DataFrame) -> None:
    spec = load_checked_spec(str(FOLDER / f"{name}.yaml"))
    assert (spec.name, spec.problem) == (name, problem)
    assert {spec.data.key, spec.data.target, *spec.data.columns} <= set(rows.columns)


def test_the_pipeline_file_fits_the_data(rows: pd.DataFrame, generator: ModuleType) -> None:
    spec = load_spec(FOLDER / "pipeline.yaml")
    assert (FOLDER / spec.data.source).is_file()
    for model in spec.models:
        check_parameters(find(model.name, problem=spec.problem), model.parameters)
    assert {spec.data.key, spec.data.target, *spec.data.columns} <= set(rows.columns)
    assert spec.data.columns["asks_for_advice"] == Ordinal(ordinal=generator.ADVICE)
    assert set(rows["asks_for_advice"]) == set(generator.ADVICE)
    assert {model.name: model.parameters["clusters"] for model in spec.models} == {
        "k-means": [2, 3, 4, 5, 6, 7, 8],
        "gaussian-mixture": [2, 3, 4, 5, 6, 7, 8],
    }
