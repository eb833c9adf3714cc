from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.schema import Column, Schema, conform, encode_target, infer_schema
from penstock.errors import DataError
from penstock.expectations.builtin import CHECKS, check

ROWS = 40
ROLES = {"size": ["s", "m", "l"], "day": "date", "active": "boolean"}


def clean() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "height": rng.normal(170, 10, ROWS).round(3),
            "size": rng.choice(["s", "m", "l"], ROWS),
            "day": [f"2024-01-{n % 28 + 1:02d}" for n in range(ROWS)],
            "active": rng.choice(["yes", "no"], ROWS),
            "y": rng.choice(["a", "b"], ROWS),
        }
    )


def failures(frame: pd.DataFrame, schema: Schema | None = None) -> dict[str, dict[str, Any]]:
    schema = schema or infer_schema(frame, problem="classification", target_type="classes", target="y", roles=ROLES)
    findings = check(frame, schema)
    assert json.loads(json.dumps(findings, allow_nan=False)) == findings
    assert {found["code"] for found in findings} == {one.code for one in CHECKS}
    return {found["code"]: found for found in findings if not found["passed"]}


def test_clean_rows_pass_every_check() -> None:
    assert failures(clean()) == {}


def test_codes_are_numbered_without_a_gap() -> None:
    assert sorted(one.code for one in CHECKS) == [f"CHK{n:03d}" for n in range(1, len(CHECKS) + 1)]


def only(found: dict[str, dict[str, Any]], code: str) -> dict[str, Any]:
    assert [*found] == [code]
    assert found[code]["source"] == "built-in"
    assert found[code]["remedy"]
    return found[code]


def test_unknown_levels() -> None:
    frame = clean()
    frame.loc[[3, 5], "size"] = ["huge", "tiny"]
    found = only(failures(frame), "CHK001")
    assert (found["severity"], found["column"], found["count"]) == ("error", "size", 2)
    assert found["share"] == 2 / ROWS
    assert found["examples"] == ["huge", "tiny"]
    assert "'s', 'm', 'l'" in found["message"]


def test_unreadable_dates_and_booleans() -> None:
    frame = clean()
    frame.loc[[3, 5], "day"] = "soon"
    found = only(failures(frame), "CHK002")
    assert (found["severity"], found["column"], found["count"], found["examples"]) == ("error", "day", 2, ["soon"] * 2)
    assert "2024-12-31" in found["remedy"]
    frame = clean()
    frame.loc[3, "active"] = "perhaps"
    found = only(failures(frame), "CHK002")
    assert (found["column"], found["count"]) == ("active", 1)


def test_infinite_values() -> None:
    frame = clean()
    schema = infer_schema(frame, problem="classification", target_type="classes", target="y", roles=ROLES)
    frame.loc[[0, 1], "height"] = [np.inf, -np.inf]
    found = only(failures(frame, schema), "CHK003")
    assert (found["severity"], found["column"], found["count"]) == ("error", "height", 2)


def test_infinite_quantities() -> None:
    frame = clean()
    schema = infer_schema(frame, problem="regression", target_type="quantity", target="height", roles=ROLES)
    frame.loc[0, "height"] = np.inf
    assert only(failures(frame, schema), "CHK003")["column"] == "height"


def test_duplicate_rows() -> None:
    frame = clean()
    frame.loc[10] = frame.loc[2]
    frame.loc[11] = frame.loc[2]
    found = only(failures(frame), "CHK004")
    assert (found["severity"], found["column"], found["count"]) == ("warning", None, 2)
    assert found["examples"] == ["row 11", "row 12"]


def test_a_key_does_not_make_rows_different() -> None:
    frame = clean().assign(id=[f"r{n}" for n in range(ROWS)])
    frame.loc[10, "height":"y"] = frame.loc[2, "height":"y"]
    schema = infer_schema(frame, problem="classification", target_type="classes", target="y", key="id", roles=ROLES)
    assert only(failures(frame, schema), "CHK004")["count"] == 1


def test_duplicate_columns() -> None:
    frame = clean()
    frame.insert(3, "tall", frame["height"])
    found = only(failures(frame), "CHK005")
    assert (found["severity"], found["column"]) == ("warning", "tall")
    assert "copy of column 'height'" in found["message"]


def test_constant_columns() -> None:
    frame = clean().assign(country="it", nothing=np.nan)
    schema = infer_schema(
        frame, problem="classification", target_type="classes", target="y", roles={**ROLES, "nothing": "numeric"}
    )
    findings = [found for found in check(frame, schema) if not found["passed"]]
    assert [(found["code"], found["severity"], found["column"]) for found in findings] == [
        ("CHK006", "warning", "country"),
        ("CHK006", "warning", "nothing"),
    ]
    assert "only one value, 'it'" in findings[0]["message"]
    assert "no value at all" in findings[1]["message"]


@pytest.mark.covers("proc_contradictory_examples")
def test_three_contradictory_pairs_are_three() -> None:
    frame = pd.DataFrame({"x": np.arange(20.0) ** 2, "w": ["u", "v"] * 10, "y": ["a", "b"] * 10})
    frame = pd.concat([frame, frame[:3].assign(y=["b", "a", "b"])], ignore_index=True)
    schema = infer_schema(frame, problem="classification", target_type="classes", target="y")
    found = only(failures(frame, schema), "CHK007")
    assert (found["severity"], found["column"], found["count"]) == ("warning", "y", 3)
    assert found["share"] == 6 / 23
    assert found["examples"] == ["row 1", "row 2", "row 3", "row 21", "row 22"]


def test_one_row_against_two_of_another_label_are_two_pairs() -> None:
    frame = pd.DataFrame({"x": [1.0, 1.0, 1.0, 2.0, 3.0, np.nan], "y": ["a", "b", "b", "a", "b", None]})
    schema = infer_schema(frame, problem="classification", target_type="classes", target="y")
    found = failures(frame, schema)
    assert (found["CHK007"]["count"], found["CHK004"]["count"]) == (2, 1)


def test_missing_targets() -> None:
    frame = clean()
    frame.loc[:9, "y"] = None
    found = only(failures(frame), "CHK008")
    assert (found["severity"], found["column"], found["count"], found["share"]) == ("warning", "y", 10, 0.25)
    frame.loc[:25, "y"] = None
    found = only(failures(frame), "CHK008")
    assert (found["severity"], found["count"]) == ("error", 26)


def test_identifier_like_columns() -> None:
    frame = clean().assign(code=[f"c-{n}" for n in range(ROWS)], number=range(100, 100 + ROWS))
    frame["visits"] = [1, 1, *range(3, ROWS + 1)]
    findings = [
        found
        for found in check(
            frame, infer_schema(frame, problem="classification", target_type="classes", target="y", roles=ROLES)
        )
    ]
    failed = [found for found in findings if not found["passed"]]
    assert [(found["code"], found["column"]) for found in failed] == [("CHK009", "code"), ("CHK009", "number")]
    assert "declare it as `key`" in failed[0]["remedy"]


def test_a_column_that_looks_like_a_group_is_said_and_nothing_more() -> None:
    frame = clean().assign(patient_id=[f"P{n % 22}" for n in range(ROWS)])
    found = only(failures(frame), "CHK010")
    assert (found["severity"], found["column"]) == ("warning", "patient_id")
    assert "1.8 rows for each of 22 values" in found["message"]
    assert "name the column as `group`" in found["remedy"]
    for declared in ({"group": "patient_id"}, {"roles": ROLES | {"patient_id": "nominal"}}):
        options: dict[str, Any] = {"roles": ROLES} | declared
        assert (
            failures(frame, infer_schema(frame, problem="classification", target_type="classes", target="y", **options))
            == {}
        )


def test_weights_far_from_one() -> None:
    frame = clean().assign(w=1000.0)
    schema = infer_schema(
        frame, problem="classification", target_type="classes", target="y", roles=ROLES | {"w": "weight"}
    )
    found = only(failures(frame, schema), "CHK011")
    assert (found["severity"], found["column"]) == ("warning", "w")
    assert "1000 on average" in found["message"]
    assert failures(frame.assign(w=2.0), schema) == {}


def test_unreadable_moments_are_errors_too() -> None:
    frame = clean()
    schema = infer_schema(
        frame, problem="classification", target_type="classes", target="y", roles=ROLES | {"day": "time"}
    )
    frame.loc[3, "day"] = "soon"
    assert only(failures(frame, schema), "CHK002")["column"] == "day"


def test_clustering_has_no_checks_on_a_target() -> None:
    frame = clean().drop(columns="y")
    assert failures(frame, infer_schema(frame, problem="clustering", roles=ROLES)) == {}


def test_canonical_rows_can_be_checked_as_well() -> None:
    frame = clean()
    schema = infer_schema(frame, problem="classification", target_type="classes", target="y", roles=ROLES)
    assert failures(conform(frame, schema, strict=True), schema) == {}


@pytest.mark.covers("proc_dataset_contract")
def test_each_breach_of_the_tabular_contract_has_its_own_name() -> None:
    frame = clean()
    schema = infer_schema(frame, problem="classification", target_type="classes", target="y", roles=ROLES)
    assert [*failures(frame.assign(height=frame["height"].where(frame.index > 0, np.inf)), schema)] == ["CHK003"]
    assert [*failures(frame.assign(y=frame["y"].where(frame.index > 0)), schema)] == ["CHK008"]
    codes = []
    for broken in (frame.drop(columns="height"), frame.drop(columns="y"), frame.assign(y="c")):
        with pytest.raises(DataError) as caught:
            encode_target(conform(broken, schema, strict=True)["y"], schema)
        codes.append((caught.value.code, caught.value.where))
    assert codes == [("PEN107", "column 'height'"), ("PEN127", "column 'y'"), ("PEN124", "column 'y'")]


def test_columns_that_the_schema_ignores_are_left_alone() -> None:
    schema = infer_schema(clean(), problem="classification", target_type="classes", target="y", roles=ROLES)
    more = schema.model_copy(update={"columns": [*schema.columns, Column(name="gone", role="ignore", reason="")]})
    assert failures(clean(), more) == {}
