from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from penstock.components.contract import EXISTS, NOT_NULL, breaches, check_contract, compile_suite
from penstock.components.schema import Schema, conform, infer_schema
from penstock.expectations.learnt import learn
from penstock.expectations.suite import run_suite

CITIES = np.array([f"city{n}" for n in range(40)])


def rows(count: int, seed: int) -> pd.DataFrame:
    """Skewed numbers, rare levels, missing values, dates and texts."""
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, 41) ** 1.5
    return pd.DataFrame(
        {
            "amount": rng.lognormal(3, 1, count),
            "gain": np.where(rng.random(count) < 0.9, 0, rng.lognormal(6, 1, count)),
            "height": np.where(rng.random(count) < 0.2, np.nan, rng.normal(170, 10, count)),
            "city": rng.choice(CITIES, count, p=shares / shares.sum()),
            "active": rng.choice(["yes", "no"], count),
            "size": rng.choice(["s", "m", "l"], count),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, count), unit="D"),
            "note": [" ".join(rng.choice(CITIES, k)) for k in rng.integers(4, 12, count)],
            "left": rng.choice(["yes", "no"], count),
        }
    )


@pytest.fixture(scope="module")
def schema() -> Schema:
    return infer_schema(
        rows(500, 0), problem="classification", target_type="classes", target="left", roles={"size": ["s", "m", "l"]}
    )


def broken(train: pd.DataFrame, fresh: pd.DataFrame, schema: Schema) -> list[tuple[str, str]]:
    contract = compile_suite(learn(train, schema), schema)
    assert contract["not_compiled"] == []
    found = breaches(check_contract(conform(fresh, schema, strict=False), contract))
    return [(breach["column"], breach["rule"].removeprefix("expect_column_")) for breach in found]


def test_rules_are_json_and_for_every_feature(schema: Schema) -> None:
    rules = learn(rows(500, 0), schema)
    assert json.loads(json.dumps(rules, allow_nan=False)) == rules
    assert rules == learn(conform(rows(500, 0), schema, strict=True), schema)
    features = [column.name for column in schema.features]
    assert [rule["kwargs"]["column"] for rule in rules if rule["type"] == EXISTS] == features
    by_column = {name: sum(rule["kwargs"]["column"] == name for rule in rules) for name in features}
    assert set(by_column.values()) == {4}
    assert "left" not in by_column
    assert not any("table" in rule["type"] for rule in rules)
    assert {rule["meta"]["source"] for rule in rules} == {"learnt"}


def test_shares_follow_what_was_seen(schema: Schema) -> None:
    found = {rule["kwargs"]["column"]: rule for rule in learn(rows(5000, 0), schema) if rule["type"] == NOT_NULL}
    assert 0.97 < found["amount"]["kwargs"]["mostly"] < 1
    assert "rows_at_least" not in found["amount"]["meta"]
    assert 0.55 < found["height"]["kwargs"]["mostly"] < 0.75
    assert found["height"]["meta"]["rows_at_least"] == 50


@pytest.mark.parametrize("count", [60, 500, pytest.param(3000, marks=pytest.mark.slow)])
def test_fresh_rows_of_the_same_kind_keep_the_rules(count: int, schema: Schema) -> None:
    judged = failed = 0
    for seed in range(8):
        train, fresh = rows(count, 2 * seed + 1), rows(max(20, count // 4), 2 * seed + 2)
        rules = learn(train, schema)
        failed += len(broken(train, fresh, schema))
        judged += len(rules)
    assert failed / judged < 0.002


def test_single_fresh_rows_rarely_break_a_rule(schema: Schema) -> None:
    contract = compile_suite(learn(rows(2000, 0), schema), schema)
    fresh = conform(rows(120, 1), schema, strict=False)
    refused = sum(bool(breaches(check_contract(fresh.iloc[[row]], contract))) for row in range(len(fresh)))
    assert refused == 0


def test_real_breaks_are_caught(schema: Schema) -> None:
    train, fresh = rows(1000, 0), rows(200, 1)
    assert broken(train, fresh, schema) == []
    rng = np.random.default_rng(2)
    some = rng.random(200) < 0.3

    def after(**changes: object) -> list[tuple[str, str]]:
        return broken(train, fresh.assign(**changes), schema)

    assert after(height=fresh["height"] * 1000) == [("height", "values_to_be_between")]
    assert after(amount=fresh["amount"] * 1000) == [("amount", "values_to_be_between")]
    assert after(city=fresh["city"].mask(some, "atlantis")) == [("city", "values_to_be_in_set")]
    assert after(amount=fresh["amount"].mask(some)) == [("amount", "values_to_not_be_null")]
    assert after(height=np.nan) == [("height", "values_to_not_be_null")]
    assert after(active="perhaps") == [("active", "values_to_not_be_null")]
    assert after(size="xl") == [("size", "values_to_not_be_null")]
    assert after(since=pd.Timestamp("1900-01-01")) == [("since", "values_to_be_between")]
    assert after(note=fresh["note"] * 5) == [("note", "value_lengths_to_be_between")]


def test_great_expectations_agrees_on_what_is_broken(schema: Schema) -> None:
    rules = learn(rows(400, 0), schema)
    fresh = rows(100, 1)
    fresh["city"], fresh["amount"] = "atlantis", fresh["amount"] * 1e4
    frame = conform(fresh, schema, strict=False)
    theirs = run_suite(frame, rules, source="learnt")
    ours = check_contract(frame, compile_suite(rules, schema))
    assert theirs == ours
    assert {found["column"] for found in breaches(theirs)} == {"city", "amount"}


@pytest.mark.parametrize("values", [[5.0] * 30, [3e38, -3e38] * 15, [0.0] * 30])
def test_odd_columns_have_usable_bounds(values: list[float]) -> None:
    frame = pd.DataFrame({"x": values, "z": range(30)})
    schema = infer_schema(frame, problem="clustering", roles={"x": "numeric"})
    assert broken(frame, frame, schema) == []
    json.dumps(learn(frame, schema), allow_nan=False)


def test_dates_from_the_first_to_the_last_year_have_a_bound() -> None:
    frame = pd.DataFrame({"day": ["0001-01-01", "9999-12-31"] * 15})
    schema = infer_schema(frame, problem="clustering")
    assert broken(frame, frame, schema) == []
