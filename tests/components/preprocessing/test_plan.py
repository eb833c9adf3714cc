from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.components.preprocessing.plan import make_plan
from penstock.components.schema import Column, Schema
from penstock.errors import DataError, UsageError

SETTINGS: dict[str, Any] = {"impute": ("mean", {}), "scale": ("none", {}), "rare": 0.02, "text_components": 4}
UNUSED = dict.fromkeys(("clip", "expand", "encode"))
MEAN, NONE = ({"name": name, "parameters": {}} for name in ("mean", "none"))


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
        {"role": "numeric", "columns": ["a", "c"], "levels": None, "impute": MEAN, "scale": NONE, **UNUSED},
        {"role": "ordinal", "columns": ["b", "e"], "levels": [["a", "b"], ["a", "b"]], "impute": MEAN, "scale": NONE,
         **UNUSED},
    ]  # fmt: skip
    assert made["problem"] == "regression"
    assert made["text_components"] == 4


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


def treated(made: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Names of the steps, by column."""
    return {
        column: {step: group[step]["name"] for step in ("impute", "encode", "scale") if group[step]}
        for group in made["groups"]
        for column in group["columns"]
    }


def test_every_role_has_its_steps() -> None:
    table = schema(a="numeric", b="ordinal", c="nominal", d="boolean", e="date", f="text")
    made = make_plan(table, facts(a=9, b=2, c=3, d=2, e=9, f=9), **SETTINGS)
    numbers = {"impute": "mean", "scale": "none"}
    assert treated(made) == {
        "a": numbers,
        "b": numbers,
        "c": {"encode": "one-hot"},
        "d": {"impute": "mode"},
        "e": numbers,
        "f": {},
    }
    filled = make_plan(
        table,
        facts(a=9, b=2, c=3, d=2, e=9, f=9),
        impute_levels=("constant", {"value": 1}),
        encode=("target", {}),
        **SETTINGS,
    )
    assert treated(filled)["c"] == {"impute": "constant", "encode": "target", "scale": "none"}
    assert treated(filled)["d"] == {"impute": "constant"}
    values = {group["role"]: (group["impute"] or {}).get("parameters") for group in filled["groups"]}
    assert (values["nominal"], values["boolean"]) == ({"value": "1"}, {"value": 1})


def test_rare_is_a_parameter_of_one_hot_alone() -> None:
    def encoded(**changes: Any) -> Any:
        return make_plan(schema(c="nominal"), facts(c=3), **(SETTINGS | changes))["groups"][0]["encode"]["parameters"]

    assert encoded() == {"rare": 0.02}
    assert encoded(rare=0.0) == {"rare": None}
    assert encoded(encode=("one-hot", {"rare": 5})) == {"rare": 5}
    assert encoded(encode=("frequency", {})) == {}


def test_single_columns_can_be_treated_otherwise() -> None:
    made = make_plan(
        schema(a="numeric", b="numeric", c="numeric", d="nominal", e="nominal"),
        facts(a=9, b=9, c=9, d=3, e=3),
        columns={"b": {"scale": ("power", {})}, "e": {"encode": ("hashing", {"columns": 8}), "impute": ("mode", {})}},
        **SETTINGS,
    )
    assert [group["columns"] for group in made["groups"]] == [["a", "c"], ["b"], ["d"], ["e"]]
    assert treated(made)["b"] == {"impute": "mean", "scale": "power"}
    assert treated(made)["e"] == {"impute": "mode", "encode": "hashing"}


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"columns": {"incom": {"scale": ("power", {})}}}, "PEN021", "did you mean 'income'?"),
        ({"columns": {"income": {"encode": ("target", {})}}}, "PEN021", "'encode' means nothing for 'income'"),
        ({"columns": {"flag": {"scale": ("robust", {})}}}, "PEN021", "what can be chosen here: impute"),
        ({"impute_levels": ("median", {})}, "PEN022", "'median' fills numbers, but 'city' holds levels"),
        ({"impute": ("constant", {"value": "none"})}, "PEN022", "'none' cannot fill 'income'"),
        ({"impute_levels": ("constant", {"value": "none"})}, "PEN022", "{flag: {impute: mode}}"),
    ],
)
def test_a_treatment_that_does_not_suit_a_column_is_refused(changes: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_plan(
            schema(income="numeric", city="nominal", flag="boolean"),
            facts(income=9, city=3, flag=2),
            **(SETTINGS | changes),
        )
    assert caught.value.code == code
    assert words in str(caught.value)
