"""Rows are cut in one way, for the gate as for the report."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.evaluation.slices import require_few_slices, require_sliceable, slice_of_rows, slices
from penstock.components.schema import Column, Role, Schema, infer_schema
from penstock.errors import DataError, UsageError


def column(name: str, role: Any = "nominal", **more: Any) -> Column:
    return Column(name=name, role=role, reason="", **more)


def schema(**roles: Role) -> Schema:
    return Schema(columns=[column(name, role) for name, role in roles.items()], problem="regression", target="y")


def named(values: object, role: Role) -> dict[str, int]:
    frame = pd.DataFrame({"c": values})
    return {name: int(chosen.sum()) for name, chosen in slices(frame, ["c"], schema(c=role))}


def test_levels_are_slices_and_so_is_what_is_missing() -> None:
    values = pd.Series(["north", "south", None, "north"], dtype="str")
    assert named(values, "nominal") == {"c = north": 2, "c = south": 1, "c = (missing)": 1}
    assert list(named(values, "nominal"))[-1] == "c = (missing)"


def test_many_numbers_are_cut_into_quarters_and_few_are_not() -> None:
    assert named(np.arange(101.0), "numeric") == {
        "c = up to 25": 26, "c = 25 to 50": 25, "c = 50 to 75": 25, "c = above 75": 25,
    }  # fmt: skip
    assert named([1.0, 2.0, 2.0, np.nan], "numeric") == {"c = 1": 1, "c = 2": 2, "c = (missing)": 1}
    assert named([*np.arange(40.0), np.nan], "numeric")["c = (missing)"] == 1


def test_numbers_with_many_ties_make_fewer_parts() -> None:
    found = named(np.concatenate([np.zeros(70), np.arange(1.0, 31.0)]), "numeric")
    assert sum(found.values()) == 100
    assert len(found) == 3
    assert found["c = up to 0"] == 70


def test_quarters_that_brief_numbers_do_not_tell_apart_have_long_names() -> None:
    found = named(1_000_000 + np.arange(101.0), "numeric")
    assert len(found) == 4
    assert list(found.values()) == [26, 25, 25, 25]
    moments = pd.Series(pd.date_range("2024-01-01", periods=101, freq="min"))
    assert list(named(moments, "date").values()) == [26, 25, 25, 25]


def test_dates_are_cut_into_quarters() -> None:
    found = named(pd.date_range("2024-01-01", periods=41, freq="D"), "date")
    assert found["c = up to 2024-01-11"] == 11
    assert len(found) == 4


def test_a_column_that_the_model_must_not_use_makes_slices_too() -> None:
    ages = pd.Series([str(age) for age in range(20, 61)], dtype="str")
    assert list(named(ages, "ignore")) == ["c = up to 30", "c = 30 to 40", "c = 40 to 50", "c = above 50"]
    assert named(pd.Series(["f", "m", "f"], dtype="str"), "ignore") == {"c = f": 2, "c = m": 1}


def test_rare_levels_go_together() -> None:
    found = named(pd.Series([f"l{number // 2:02}" for number in range(60)], dtype="str"), "nominal")
    assert found["c = 11 other levels"] == 22
    assert len(found) == 20


def test_numbers_are_cut_at_the_quartiles_of_the_learning_rows() -> None:
    learnt = pd.Series(np.arange(101.0))
    found = slice_of_rows(pd.Series([-5.0, 25.0, 26.0, 60.0, 500.0, np.nan]), learnt, column("x", "numeric"))
    assert found.tolist() == ["up to 25", "up to 25", "25 to 50", "50 to 75", "above 75", "(missing)"]
    dates = pd.Series(pd.date_range("2024-01-01", periods=101))
    later = slice_of_rows(pd.Series(pd.to_datetime(["2023-01-01", None])), dates, column("d", "date"))
    assert later.tolist() == ["up to 2024-01-26", "(missing)"]
    kept = slice_of_rows(pd.Series(["12", "99"]), pd.Series(map(str, range(101))), column("x", "ignore"))
    assert kept.tolist() == ["up to 25", "above 75"]
    few = slice_of_rows(pd.Series([1.0, 2.0, np.nan]), pd.Series([1.0, 2.0]), column("x", "numeric"))
    assert few.tolist() == ["1", "2", "(missing)"]
    truth = slice_of_rows(pd.Series([1.0, 0.0]), pd.Series([1.0, 0.0]), column("x", "boolean", levels=["no", "yes"]))
    assert truth.tolist() == ["yes", "no"]
    words = slice_of_rows(pd.Series(["12", "none"]), pd.Series(map(str, range(101))), column("x", "ignore"))
    assert words.tolist() == ["up to 25", "(missing)"]


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("reigon", "PEN402", "did you mean 'region'?"),
        ("y", "PEN403", "it is what the model predicts"),
        ("id", "PEN403", "names single rows"),
        ("note", "PEN403", "choose among: region"),
    ],
)
def test_columns_that_make_no_slices_are_refused(name: str, code: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        require_sliceable(
            ["region", name], schema(region="nominal", y="target", id="key", note="text"), where="slices.columns"
        )
    assert caught.value.code == code
    assert words in str(caught.value)


def test_columns_that_cut_into_one_part_or_too_many_are_refused() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"region": rng.choice(["north", "south"], 120), "age": rng.uniform(18, 90, 120)})
    frame = frame.assign(y=rng.normal(size=120), one="a", code=[f"c{number}" for number in range(120)])
    found = infer_schema(
        frame, problem="regression", target_type="quantity", target="y", roles={"code": "ignore", "one": "ignore"}
    )
    for name, words in (("one", "has one value"), ("code", "120 different values")):
        with pytest.raises(DataError) as caught:
            require_few_slices(frame, found, [name], "evaluation.slices")
        assert caught.value.code == "PEN044"
        assert words in str(caught.value)
    with pytest.raises(UsageError, match="did you mean 'region'"):
        require_few_slices(frame, found, ["regoin"], "evaluation.slices")
    require_few_slices(frame, found, ["region", "age"], "evaluation.slices")
