from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.errors import DataError, PenstockError
from penstock.sources.frames import frame_table
from penstock.sources.options import Reading
from penstock.sources.reading import opened, read_frame
from penstock.store import Store

FRAME = pd.DataFrame(
    {"n": [1, 2, 3], "x": [0.5, np.nan, 2.0], "t": ["a", None, "c"], "b": [True, False, True], "e": [None] * 3}
)


def test_the_same_rows_are_the_same_bytes_whatever_they_came_in(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    FRAME.to_csv(tmp_path / "u.csv", index=False, sep=";", decimal=",", encoding="utf-16")
    FRAME.to_parquet(tmp_path / "t.parquet", index=False)
    FRAME.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    FRAME.to_excel(tmp_path / "t.xlsx", index=False)
    store = Store(tmp_path / "store")
    given = frame_table(FRAME, "data", {})
    digests = {store.put_batches(given.schema, given.batches()).digest}
    for name in ("t.csv", "u.csv", "t.parquet", "t.jsonl", "t.xlsx"):
        with opened(name, Reading(), tmp_path) as table:
            digests.add(store.put_batches(table.schema, table.batches()).digest)
    assert len(digests) == 1


def test_an_index_with_a_name_is_a_column() -> None:
    assert frame_table(FRAME.set_index("n"), "data", {}).schema.names[0] == "n"
    assert frame_table(FRAME.set_axis([5, 6, 7]), "data", {}).schema.names == ["n", "x", "t", "b", "e"]


def test_values_of_any_kind(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            1: pd.Categorical(["u", "v", None]),
            "mixed": pd.Series([1, "x", None], dtype=object),
            "nullable": pd.Series([1, None, 3], dtype="Int64"),
            "span": pd.to_timedelta([1, 2, 3], unit="h"),
            "period": pd.period_range("2024-01", periods=3, freq="M"),
            "zone": pd.date_range("2024-01-01", periods=3, tz="Europe/Rome"),
        }
    )
    back = frame_table(frame, "data", {}).frame()
    assert back.columns[0] == "1"
    assert back["mixed"].tolist()[:2] == ["1", "x"]
    assert back["nullable"].tolist()[0] == 1
    assert back["zone"].tolist() == frame["zone"].tolist()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"a": [1]}, "PEN144"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "PEN106"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "PEN144"),
        (pd.DataFrame(index=[1, 2]), "PEN144"),
    ],
)
def test_what_cannot_be_used_is_refused(data: Any, code: str) -> None:
    with pytest.raises(PenstockError) as caught:
        frame_table(data, "data", {})
    assert caught.value.code == code


def test_sets_that_come_with_scikit_learn(tmp_path: Path) -> None:
    iris = read_frame("sklearn:iris", Reading(), tmp_path)
    assert iris.shape == (150, 5)
    assert set(iris["target"]) == {"setosa", "versicolor", "virginica"}
    assert read_frame("sklearn:diabetes", Reading(), tmp_path)["target"].mean() > 100
    assert set(read_frame("sklearn:digits", Reading(), tmp_path)["target"]) == set(range(10))
    assert set(read_frame("sklearn:breast-cancer", Reading(), tmp_path)["target"]) == {"malignant", "benign"}
    for name in ("wine", "linnerud"):
        assert len(read_frame(f"sklearn:{name}", Reading(), tmp_path)) > 10
    with pytest.raises(PenstockError, match=r"PEN138(.|\n)*did you mean 'iris'"):
        read_frame("sklearn:irs", Reading(), tmp_path)


def test_decimals_beyond_what_a_number_can_be(tmp_path: Path) -> None:
    values = [Decimal("1e400"), Decimal("Infinity"), Decimal("NaN"), Decimal("2.5")]
    found = frame_table(pd.DataFrame({"x": pd.Series(values, dtype=object)}), "data", {}).frame()["x"]
    assert found.fillna("").tolist() == ["1E+400", "inf", "", "2.5"]
    found = frame_table(pd.DataFrame({"x": pd.Series(values[1:], dtype=object)}), "data", {}).frame()["x"]
    assert found.tolist()[0] == np.inf, "not taken for missing"


def test_more_columns_than_can_be_read() -> None:
    with pytest.raises(DataError, match="more than 16,384 columns") as caught:
        frame_table(pd.DataFrame(np.zeros((2, 16_385))), "data", {})
    assert (caught.value.code, caught.value.where) == ("PEN168", "data")
