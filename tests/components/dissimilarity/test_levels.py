from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.dissimilarity.levels import LevelDistanceEncoder, blocks_of, comparing_columns, read_table
from penstock.components.dissimilarity.measure import Measure
from penstock.components.teaching.dissimilarity.mixed import MixedDissimilarity, Way
from penstock.components.trust import trusted_types
from penstock.errors import PenstockError
from penstock.store import dump_estimator, read_estimator

TABLE = {"web": {"app": 1, "shop": 5}, "app": {"shop": 4.5}}
MATRIX = [[0, 1, 5], [1, 0, 4.5], [5, 4.5, 0]]
ROWS = pd.DataFrame(
    {
        "age": [20.0, 30.0, 60.0, 40.0, 35.0, 22.0],
        "plan": ["basic", "pro", "basic", "plus", "pro", "plus"],
        "channel": ["web", "shop", "app", "app", "web", "shop"],
    }
)


def prepared(rows: pd.DataFrame) -> tuple[np.ndarray[Any, Any], list[str]]:
    """Numbers, zeros and ones, and the own distances last."""
    channel = build("level-distances", {"table": TABLE}, seed=0, problem="clustering").fit(rows[["channel"]])
    plans = OneHotEncoder(sparse_output=False).fit_transform(rows[["plan"]])
    columns = np.column_stack([rows["age"], plans, channel.transform(rows[["channel"]])])
    return columns, ["age", "basic", "plus", "pro", *channel.get_feature_names_out()]


def test_scikit_learn_agrees() -> None:
    assert len(check_estimator(LevelDistanceEncoder(), on_skip=None)) > 30


@pytest.mark.covers("proc_categorical_distance_matrix", "dissim-categorical-ordinal")
@pytest.mark.parametrize("weights", ["gower", "equal-influence"])
def test_rows_are_compared_by_the_table(weights: Any) -> None:
    """Prepared rows are as unlike as the rows themselves are, column by column, but for the unit of the whole."""
    matrix, names = prepared(ROWS)
    blocks = blocks_of(names)
    assert blocks == [[4, 5, 6]]
    measure = Measure(weights, {"levels": blocks}).fit(matrix)
    way = Way(levels=["web", "app", "shop"], distances=MATRIX)
    expected = MixedDissimilarity({"channel": way}, weights).between(ROWS)
    if weights == "equal-influence":
        expected *= measure.between(matrix).mean() / expected.mean()
    assert measure.between(matrix) == pytest.approx(expected)
    assert measure.between(matrix[:2], matrix) == pytest.approx(expected[:2])


def test_what_is_not_in_the_table_is_furthest_from_all_that_is() -> None:
    encoder = LevelDistanceEncoder(TABLE).fit(ROWS[["channel"]])
    new = encoder.transform(pd.DataFrame({"channel": ["phone", None, "app"]}, dtype="str"))
    assert new.tolist() == [[1, 1, 1], [1, 1, 1], [0.2, 0, 0.9]]
    known = encoder.transform(ROWS[["channel"]])
    measure = Measure("gower", {"levels": [[0, 1, 2]]}).fit(known)
    assert measure.between(new, known)[:2].tolist() == np.ones((2, 6)).tolist()
    assert measure.between(known, new)[:, 0].tolist() == [1.0] * 6
    assert measure.between(new, new)[:2].tolist() == [[0, 0, 1], [0, 0, 1]]


@pytest.mark.parametrize("name", ["k-medoids", "agglomerative", "dbscan", "hdbscan"])
def test_a_model_takes_its_table_along(name: str, tmp_path: Path) -> None:
    """Saved and loaded, it puts new rows where the table says: the app is near the web, the shop is not."""
    rows = pd.DataFrame({"channel": ["web", "web", "shop", "shop"] * 6})
    encoder = build("level-distances", {"table": TABLE}, seed=0, problem="clustering").fit(rows)
    given: dict[str, Any] = {"dissimilarity": "gower"}
    given |= {"k-medoids": {"clusters": 2}, "agglomerative": {"clusters": 2, "linkage": "average"}}.get(name, {})
    given |= {"eps": 0.3} if name == "dbscan" else {}
    given |= {"noise": "nearest"} if name == "hdbscan" else {}
    model = comparing_columns(build(name, given, seed=0, problem="clustering"), list(encoder.get_feature_names_out()))
    model.fit(encoder.transform(rows))
    (tmp_path / "model.skops").write_bytes(dump_estimator(Pipeline([("encode", encoder), ("model", model)])))
    loaded = read_estimator(tmp_path / "model.skops", trusted_types())
    web, app, shop = loaded.predict(pd.DataFrame({"channel": ["web", "app", "shop"]}))
    assert web == app != shop


BAD: dict[str, tuple[dict[Any, Any], str, str, str]] = {
    "no table": ({}, "PEN333", "every pair", "table"),
    "no pairs": ({"a": 1}, "PEN333", "every pair", "table"),
    "words": ({"a": {"b": "far"}}, "PEN333", "every pair", "table"),
    "booleans": ({True: {"b": 1}}, "PEN333", "put quotes", "table"),
    "a pair left out": ({"a": {"b": 1, "c": 1}}, "PEN333", "every pair", "table"),
    "two that are one": ({"a": {"b": 0, "c": 1}, "b": {"c": 1}}, "PEN333", "above 0", "table"),
    "asymmetric": ({"a": {"b": 1}, "b": {"a": 2}}, "PEN334", "make it symmetric", "'a' to 'b'"),
    "negative": ({"a": {"b": -1}}, "PEN225", "never negative", "'a' to 'b'"),
    "infinite": ({"a": {"b": np.inf}}, "PEN224", "fill them in", "'a' to 'b'"),
    "unlike itself": ({"a": {"a": 1, "b": 1}}, "PEN226", "correct the diagonal", "'a' to 'a'"),
    "a detour": ({"a": {"b": 1, "c": 3}, "b": {"c": 1}}, "PEN327", "triangle: accept", "table"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_table_is_said(fault: str) -> None:
    table, code, remedy, where = BAD[fault]
    with pytest.raises(PenstockError) as caught:
        read_table(table)
    assert caught.value.code == code
    assert remedy in str(caught.value.remedy)
    assert where in str(caught.value.where)


def test_a_detour_may_be_accepted() -> None:
    levels, distances = read_table(BAD["a detour"][0], triangle="accept")
    assert (levels, distances.tolist()) == (["a", "b", "c"], [[0, 1, 3], [1, 0, 1], [3, 1, 0]])


def test_a_level_to_learn_from_must_be_in_the_table() -> None:
    with pytest.raises(PenstockError) as caught:
        LevelDistanceEncoder(TABLE).fit(pd.DataFrame({"channel": ["web", "phone", "app"]}))
    assert caught.value.code == "PEN333"
    assert "phone" in caught.value.what
    assert caught.value.where == "column 'channel'"
    assert "add their distances" in str(caught.value.remedy)
