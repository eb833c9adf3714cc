"""Predictions about units that are not rows: of any length, and no unit's rows are ever parted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.components.catalog import build
from penstock.components.contract import BETWEEN
from penstock.components.schema import Column, Schema
from penstock.errors import DataError
from penstock.model import load_bundle, save_bundle
from penstock.scoring.batch import deliver, score_rows, whole_units
from penstock.store import Store
from tests.conformance.examples import EXAMPLES
from tests.kinds.installing import installed as installing
from tests.penstock.scoring.conftest import job_of

PRICE = {"type": BETWEEN, "kwargs": {"column": "price", "max_value": 10}, "meta": {"source": "written"}}


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with installing():
        yield


@pytest.fixture
def recommender(tmp_path: Path) -> Path:
    example = EXAMPLES["baskets"]
    tables = {"purchases": example.rows(80, 0), "users": example.beside["users"](80, 0)}
    popular = build("popular", {}, seed=0, problem="baskets").fit(tables)
    roles = {"user": "group", "item": "nominal", "price": "numeric"}
    columns = [Column(name=name, role=role, reason="a test") for name, role in roles.items()]
    store = Store(tmp_path / "store")
    schema = Schema(columns=columns, problem="baskets")
    return store.path(save_bundle(store, pipeline=popular, schema=schema, contract={"rules": [PRICE]}, card={}))


@given(st.lists(st.integers(0, 6), min_size=1, max_size=60), st.integers(1, 20))
def test_parts_hold_all_rows_and_cut_no_unit(units: list[int], rows: int) -> None:
    lengths = list(whole_units(pd.Series(units), rows))
    assert sum(lengths) == len(units)
    parts = np.split(np.array(units), np.cumsum(lengths)[:-1])
    assert all(len(part) >= rows for part in parts[:-1])
    assert sum(len(set(part.tolist())) for part in parts) == len(set(units))


def test_units_that_lie_together_are_scored_in_parts_and_scattered_ones_in_one(
    tmp_path: Path, recommender: Path
) -> None:
    bought = EXAMPLES["baskets"].rows(80, 1).assign(user=[f"u{place % 20}" for place in range(80)])
    expected = load_bundle(recommender).score_frame(bought.sort_values("user"))
    for name, rows in (("together", bought.sort_values("user")), ("scattered", bought)):
        rows.to_csv(tmp_path / f"{name}.csv", index=False)
        job = job_of(tmp_path / name, recommender, tmp_path / f"{name}.csv", tmp_path / "scores.csv", chunk_rows=8)
        done = score_rows(job)
        summary = deliver(job, done)
        assert (summary["rows"], summary["scored"]) == (80, 80)
        assert (done.parts > 3) == (name == "together")
        found = pd.read_csv(tmp_path / "scores.csv")
        assert list(found.columns) == ["user", "place", "item"]
        assert found.sort_values(["user", "place"]).to_numpy().tolist() == expected.to_numpy().tolist()


def test_rows_that_break_the_contract_are_put_aside_and_their_units_are_predicted_from_the_others(
    tmp_path: Path, recommender: Path
) -> None:
    rows = pd.DataFrame({"user": ["a", "a", "b"], "item": ["p", "q", "r"], "price": [1.0, 99.0, 99.0]})
    rows.to_csv(tmp_path / "rows.csv", index=False)
    job = job_of(
        tmp_path / "work", recommender, tmp_path / "rows.csv", tmp_path / "scores.csv", on_breach=["quarantine"]
    )
    summary = deliver(job, score_rows(job))
    assert (summary["rows"], summary["scored"], summary["quarantined"]) == (3, 1, 2)
    assert pd.read_csv(tmp_path / "scores.csv")["user"].tolist() == ["a", "a", "a"]
    assert pd.read_csv(tmp_path / "scores.quarantine.csv")["row"].tolist() == [2, 3]


def test_rows_without_their_unit_are_refused(tmp_path: Path, recommender: Path) -> None:
    pd.DataFrame({"item": ["p"], "price": [1.0]}).to_csv(tmp_path / "rows.csv", index=False)
    job = job_of(tmp_path / "work", recommender, tmp_path / "rows.csv", tmp_path / "scores.csv")
    with pytest.raises(DataError) as caught:
        score_rows(job)
    assert (caught.value.code, caught.value.where) == ("PEN107", "column 'user'")
