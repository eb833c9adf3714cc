from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from penstock.components.evaluation.slices import require_sliceable, slices
from penstock.components.schema import Column, Role, Schema
from penstock.errors import UsageError


def schema(**roles: Role) -> Schema:
    columns = [Column(name=name, role=role, reason="") for name, role in roles.items()]
    return Schema(columns=columns, problem="regression", target="y")


def named(values: object, role: Role) -> dict[str, int]:
    frame = pd.DataFrame({"c": values})
    return {name: int(chosen.sum()) for name, chosen in slices(frame, ["c"], schema(c=role))}


def test_levels_are_slices_and_so_is_what_is_missing() -> None:
    values = pd.Series(["north", "south", None, "north"], dtype="str")
    assert named(values, "nominal") == {"c = missing": 1, "c = north": 2, "c = south": 1}


def test_many_numbers_are_cut_into_quarters_and_few_are_not() -> None:
    assert named(np.arange(100.0), "numeric") == {
        "c = 0 to 24": 25, "c = 25 to 49": 25, "c = 50 to 74": 25, "c = 75 to 99": 25,
    }  # fmt: skip
    assert named([1.0, 2.0, 2.0, np.nan], "numeric") == {"c = 1": 1, "c = 2": 2, "c = missing": 1}
    assert named([*np.arange(40.0), np.nan], "numeric")["c = missing"] == 1


def test_numbers_with_many_ties_make_fewer_parts() -> None:
    found = named(np.concatenate([np.zeros(70), np.arange(1.0, 31.0)]), "numeric")
    assert sum(found.values()) == 100
    assert found == {"c = 0 to 5": 75, "c = 6 to 30": 25}


def test_dates_are_cut_into_quarters() -> None:
    found = named(pd.date_range("2024-01-01", periods=40, freq="D"), "date")
    assert found["c = 2024-01-01 to 2024-01-10"] == 10
    assert len(found) == 4


def test_a_column_that_the_model_must_not_use_makes_slices_too() -> None:
    ages = pd.Series([str(age) for age in range(20, 60)], dtype="str")
    assert list(named(ages, "ignore")) == ["c = 20 to 29", "c = 30 to 39", "c = 40 to 49", "c = 50 to 59"]
    assert named(pd.Series(["f", "m", "f"], dtype="str"), "ignore") == {"c = f": 2, "c = m": 1}


def test_rare_levels_go_together() -> None:
    found = named(pd.Series([f"l{number // 2:02}" for number in range(60)], dtype="str"), "nominal")
    assert found["c = 11 other levels"] == 22
    assert len(found) == 20


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
