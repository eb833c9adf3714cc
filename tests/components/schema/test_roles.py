from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.schema import Column, conform, infer_column, infer_schema, require_columns, target_type_of
from penstock.errors import DataError

ROWS = 60


def column(name: str, values: Any) -> Column:
    found = infer_column(pd.Series(values, name=name))
    assert found.reason
    return found


@pytest.mark.parametrize(
    ("name", "values", "scale"),
    [
        ("income", [0.0, 12.5, 900.0], "ratio"),
        ("balance", [-3.0, 12.5, 900.0], "interval"),
        ("temperature", [3.0, 12.5, 21.0], "interval"),
        ("Temp_C", [3.0, 12.5, 21.0], "interval"),
        ("Latitude", [51.5, 48.1, 40.4], "interval"),
        ("Year_Built", [1960, 1995, 2003], "interval"),
        ("built", [1960, 1995, 2003], "interval"),
        ("temporary_workers", [3, 12, 21], "ratio"),
    ],
)
def test_a_number_is_on_a_ratio_scale_where_zero_can_mean_none(name: str, values: list[float], scale: str) -> None:
    found = column(name, values)
    assert (found.role, found.scale) == ("numeric", scale)
    assert f"{scale} scale" in found.reason


def test_few_whole_numbers_stay_numeric_and_say_so() -> None:
    found = column("pclass", [1, 2, 3] * 20)
    assert found.role == "numeric"
    assert "only 3 different whole ones: if they are codes, declare nominal or ordinal" in found.reason


@pytest.mark.parametrize(
    "name", ["id", "row_no", "PassengerId", "customerID", "Unnamed: 0", "record number", "order-nr", "uuid"]
)
def test_numbers_of_their_own_under_such_a_name_are_ids(name: str) -> None:
    assert column(name, np.arange(ROWS)[::-1]).role == "id"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("x", np.arange(ROWS)),
        ("house_number", np.arange(ROWS)),
        ("row_no", [*range(ROWS - 1), 0]),
        ("row_no", [*range(ROWS - 1), np.nan]),
        ("row_no", np.arange(ROWS) + 0.5),
    ],
)
def test_other_numbers_are_features(name: str, values: Any) -> None:
    assert column(name, values).role == "numeric"


def test_texts_of_their_own_are_ids_whatever_their_name() -> None:
    words = [f"c{n}x" for n in range(ROWS)]
    assert column("code", words).role == "id"
    assert column("code", [*words[:-1], None]).role == "ignore"


@pytest.mark.parametrize(
    ("name", "values", "suggests"),
    [
        ("customer_id", [f"C{n % 25}" for n in range(ROWS)], "group"),
        ("patient", [n % 25 for n in range(ROWS)], "group"),
        ("patient", [n % 25 + 0.5 for n in range(ROWS)], None),
        ("patient", ["Ann", "Bob", "Cem"] * 20, None),
        ("store_id", [n % 3 for n in range(ROWS)], None),
        ("price", [n % 25 for n in range(ROWS)], None),
        ("timestamp", pd.date_range("2024-01-01", periods=ROWS), "time"),
        ("created_at", ["2024-01-01 10:00", "2024-01-02 11:30"] * 30, "time"),
        ("visit", ["2024-01-01", None] * 30, None),
        ("birth_date", ["1984-01-01", "1990-02-02"] * 30, None),
        ("fnlwgt", np.linspace(100, 900, ROWS), "weight"),
        ("sample_weight", np.linspace(0, 2, ROWS), "weight"),
        ("sample_weight", np.linspace(-1, 2, ROWS), None),
        ("weight", np.linspace(50, 90, ROWS), None),
    ],
)
def test_what_a_name_says_is_suggested_and_used_as_a_feature_until_declared(
    name: str, values: Any, suggests: str | None
) -> None:
    found = column(name, values)
    assert found.suggests == suggests
    assert found.role in ("nominal", "numeric", "date", "ignore")


def test_an_ordered_category_brings_its_order() -> None:
    kind = pd.CategoricalDtype(["z", "y", "x"], ordered=True)
    found = column("v", pd.Series(["x", "z"] * 30, dtype=kind))
    assert (found.role, found.levels) == ("ordinal", ["z", "y", "x"])


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "income": np.linspace(0, 900, ROWS),
            "temperature": np.linspace(3, 21, ROWS),
            "customer": [f"C{n % 25}" for n in range(ROWS)],
            "visit": ["2024-01-01", "2024-01-02"] * 30,
            "w": [1, 2] * 30,
            "row_no": range(ROWS),
            "mood": ["low", "mid", "high"] * 20,
            "grade": [1, 2, 3] * 20,
            "y": ["a", "b"] * 30,
        }
    )


def test_every_role_is_declared_in_one_line() -> None:
    roles = {
        "income": "ratio",
        "temperature": "interval",
        "customer": "group",
        "visit": "time",
        "w": "weight",
        "row_no": "id",
        "mood": ["low", "mid", "high"],
        "grade": [1, 2, 3],
    }
    schema = infer_schema(frame(), problem="classification", target_type="classes", target="y", roles=roles)
    found = {one.name: (one.role, one.scale, one.levels) for one in schema.columns}
    assert found == {
        "income": ("numeric", "ratio", None),
        "temperature": ("numeric", "interval", None),
        "customer": ("group", None, None),
        "visit": ("time", None, None),
        "w": ("weight", None, None),
        "row_no": ("id", None, None),
        "mood": ("ordinal", None, ["low", "mid", "high"]),
        "grade": ("ordinal", None, ["1", "2", "3"]),
        "y": ("target", None, None),
    }
    assert [one.name for one in schema.features] == ["income", "temperature", "mood", "grade"]
    assert (schema.named("group"), schema.named("weight"), schema.named("key")) == ("customer", "w", None)
    done = conform(frame(), schema, strict=True)
    assert {name: str(done[name].dtype) for name in ("visit", "w", "row_no", "customer")} == {
        "visit": "datetime64[us]",
        "w": "float64",
        "row_no": "str",
        "customer": "str",
    }
    # at scoring, only features are needed
    assert [*conform(frame()[["income", "temperature", "mood", "grade"]], schema, strict=False)]


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0, None] * 30, "30 are missing"),
        ([1, -2] * 30, "30 are below zero"),
        ([None, -2] * 30, "30 are missing and 30 are below zero"),
        ([0] * ROWS, "all are 0"),
    ],
)
def test_weights_that_cannot_weigh_are_refused(weights: list[Any], words: str) -> None:
    rows = frame().assign(w=weights)
    with pytest.raises(DataError, match=words) as caught:
        infer_schema(rows, problem="classification", target_type="classes", target="y", roles={"w": "weight"})
    assert caught.value.code == "PEN163"
    assert "columns: {w: ignore}" in caught.value.remedy


@pytest.mark.parametrize(
    ("values", "target_type"),
    [
        (["a", "b"] * 30, "classes"),
        ([True, False] * 30, "classes"),
        ([0.5, 1.5] * 30, "classes"),
        ([1, 2, 3] * 20, "classes"),
        (range(ROWS), "quantity"),
        (np.linspace(0, 1, ROWS), "quantity"),
        ([f"{n}.5" for n in range(ROWS)], "quantity"),
        ([1, 2, 3, 4, 5, 6] * 10, "quantity"),
    ],
)
def test_the_type_of_a_target_is_found_from_it_alone(values: Any, target_type: str) -> None:
    found, reason = target_type_of(pd.Series(values, name="y"))
    assert found == target_type
    assert "'y'" in reason


def test_a_quantity_with_a_few_slips_is_no_matter_of_classes() -> None:
    prices = pd.Series([*(f"{n}.5" for n in range(60)), "ask us"], name="price")
    found, reason = target_type_of(prices)
    assert (found, reason) == ("quantity", "'price' holds numbers, but for 1 value(s)")
    with pytest.raises(DataError, match="'ask us'") as caught:
        infer_schema(
            pd.DataFrame({"x": range(61), "price": prices}),
            problem="regression",
            target_type=found,
            target="price",
        )
    assert caught.value.code == "PEN119"
    assert "leave them empty" in caught.value.remedy
    grades = pd.Series(["1", "2", "3"] * 20 + ["absent"], name="grade")
    assert target_type_of(grades)[0] == "classes"


@pytest.mark.parametrize(
    ("values", "advice"),
    [
        (["31/12/2024", "2024-1-2", "Jan 05, 2024"], "dates"),
        (["05.01.2024", "06.01.2024 10:30"], "dates"),
        (["$3,000", "$2,100.50"], "numbers"),
        (["50.3%", "2 %"], "numbers"),
        (["12 EUR", "-3 EUR"], "numbers"),
        (["1\u00a0234,50", "783,50"], "numbers in another form"),
        (["36'399.00", "-1\u2019234"], "numbers in another form"),
        (["\u22125.5", "\u221212"], "numbers in another form"),
        (["(12.86)", "(35.45)"], "numbers in another form"),
        (["555 123 4567", "555 123 4568"], None),
        (["00123", "00124"], None),
        (["192.168.1.1", "10.0.0.1"], None),
        (["12-34", "15-16"], None),
        (["red 1", "blue 2"], None),
    ],
)
def test_dates_and_numbers_in_another_form_are_told(values: list[str], advice: str | None) -> None:
    found = column("q", values * 20)
    assert found.role == "nominal"
    assert ("look like" in found.reason) == (advice is not None)
    assert advice is None or f"they look like {advice}" in found.reason


def test_a_table_cut_by_the_wrong_mark_is_told_so() -> None:
    with pytest.raises(DataError) as caught:
        infer_schema(
            pd.DataFrame({"x z y": ["1 2 0", "2 3 1"]}), problem="classification", target_type="classes", target="y"
        )
    assert caught.value.code == "PEN127"
    assert "all of 'x z y' was taken for one name" in caught.value.remedy
    assert '--reading "delimiter= "' in caught.value.remedy


@pytest.mark.parametrize(
    ("header", "written"),
    [("x z,y", ","), ('"x z";"y"', ";"), ("y|x z", "|"), ("x z\ty", "\\t"), ("x:y:z", ":"), ("x, y", ",")],
)
def test_the_mark_that_parts_the_header_is_named(header: str, written: str) -> None:
    with pytest.raises(DataError) as caught:
        require_columns(pd.DataFrame({header: [1, 2]}), ["y"])
    assert f'--reading "delimiter={written}"' in caught.value.remedy


@pytest.mark.parametrize("header", ["my-y", "why"])
def test_a_name_within_a_name_is_no_wrong_mark(header: str) -> None:
    with pytest.raises(DataError, match="choose one of"):
        require_columns(pd.DataFrame({header: [1, 2]}), ["y"])


@pytest.mark.parametrize(
    "values", [[f"1000000000000000000{n:06d}" for n in range(ROWS)], ["9007199254740993"] * ROWS, ["7" * 5000] * ROWS]
)
def test_numbers_of_more_digits_than_a_number_keeps_are_codes(values: list[str]) -> None:
    found = column("acct", values)
    assert found.role in ("id", "nominal")
    assert "look like" not in found.reason


def test_numbers_in_another_form_name_no_rows() -> None:
    found = column("amount", [f"({n}.5)" for n in range(ROWS)])
    assert found.role == "ignore"
    assert "they look like numbers in another form" in found.reason


def test_a_column_without_a_name_is_no_group() -> None:
    ages = [18 + n % 25 for n in range(ROWS)]
    assert column("Unnamed: 1", ages).suggests is None
    assert column("  ", ages).suggests is None
    assert column("Unnamed: 0", range(ROWS)).role == "id"
    assert column("возраст", range(7, ROWS + 7)).role == "numeric"


@pytest.mark.parametrize(
    ("words", "alike"),
    [
        (["Yes", "YES", "no", "yes"], "'YES', 'Yes', 'yes' differ only in case or spaces"),
        (["very  good", "very good", "bad"], "'very  good', 'very good' differ only in case or spaces"),
        (["yes", "no"], None),
    ],
)
def test_classes_that_differ_only_in_case_or_spaces_are_told(words: list[str], alike: str | None) -> None:
    why = target_type_of(pd.Series(words * 20, name="y"))[1]
    assert (alike in why) if alike else ("differ only" not in why)


def test_where_nothing_is_left_to_learn_from_every_column_has_its_reason() -> None:
    frame = pd.DataFrame({"code": [f"c{n}" for n in range(ROWS)], "y": ["a", "b"] * 30})
    with pytest.raises(DataError) as caught:
        infer_schema(frame, problem="classification", target_type="classes", target="y", key="code")
    assert (caught.value.code, caught.value.where) == (
        "PEN123",
        "'code': declared as the key; 'y': declared as the target",
    )
