from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.components.preprocessing.plan import make_plan
from penstock.components.schema import Column, Schema
from penstock.errors import DataError

SETTINGS: dict[str, Any] = {"impute": "mean", "scale": "none", "rare": 0.02, "text_components": 4}


def schema(**roles: str) -> Schema:
    columns = [
        Column(name=name, role=role, levels=["a", "b"] if role == "ordinal" else None, reason="said")  # type: ignore[arg-type]
        for name, role in roles.items()
    ]
    return Schema(columns=columns, problem="regression", target="y")


def facts(**distinct: int) -> dict[str, dict[str, Any]]:
    return {name: {"missing": 0.0, "distinct": count} for name, count in distinct.items()}


def test_columns_are_grouped_by_role_and_only_features_are_used() -> None:
    made = make_plan(
        schema(y="target", id="key", a="numeric", b="ordinal", c="numeric", d="ignore", e="ordinal"),
        facts(a=3, b=2, c=9, e=2),
        **SETTINGS,
    )
    assert made["groups"] == [
        {"role": "numeric", "columns": ["a", "c"], "levels": None},
        {"role": "ordinal", "columns": ["b", "e"], "levels": [["a", "b"], ["a", "b"]]},
    ]
    assert made["problem"] == "regression"
    assert {key: made[key] for key in SETTINGS} == SETTINGS


def test_the_plan_is_json_and_holds_the_chosen_steps() -> None:
    made = make_plan(
        schema(a="numeric"), facts(a=3), select=("mutual-information", {"keep": 2}), extract=("pca", {}), **SETTINGS
    )
    assert json.loads(json.dumps(made)) == made
    assert made["select"] == {"name": "mutual-information", "parameters": {"keep": 2}}
    assert made["extract"] == {"name": "pca", "parameters": {}}


def test_columns_that_tell_nothing_are_left_out_with_the_reason() -> None:
    known = facts(a=5, constant=1, empty=0, half=1)
    known["half"]["missing"] = 0.5
    made = make_plan(schema(a="numeric", constant="nominal", empty="date", half="boolean"), known, **SETTINGS)
    assert [group["columns"] for group in made["groups"]] == [["a"], ["half"]]
    assert made["left_out"] == {
        "constant": "it has the same value in all training rows",
        "empty": "every value is missing in the training rows",
    }


def test_a_table_in_which_nothing_varies_is_refused() -> None:
    with pytest.raises(DataError) as caught:
        make_plan(schema(a="numeric", b="nominal"), facts(a=1, b=1), **SETTINGS)
    assert caught.value.code == "PEN125"
    assert "no feature varies" in str(caught.value)
    assert "'a', 'b'" in caught.value.where
