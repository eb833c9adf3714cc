from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.contract import (
    BETWEEN,
    EXISTS,
    IN_SET,
    LENGTHS,
    NOT_NULL,
    OF_TYPE,
    Rule,
    breaches,
    check_contract,
    compile_suite,
    words_of,
)
from penstock.components.schema import Schema, conform, infer_schema
from penstock.expectations.learnt import learn
from penstock.expectations.suite import run_suite

NOT_IN_SET = "expect_column_values_to_not_be_in_set"
UNIQUE = "expect_column_values_to_be_unique"
REGEX = "expect_column_values_to_match_regex"
NOT_REGEX = "expect_column_values_to_not_match_regex"


def rule(kind: str, column: str, meta: dict[str, Any] | None = None, **kwargs: Any) -> Rule:
    return {"type": kind, "kwargs": {"column": column, **kwargs}, "meta": meta or {}}


def random_frame(seed: int, rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "number": rng.normal(scale=2, size=rows),
            "whole": rng.integers(0, 6, rows),
            "flag": rng.choice([0.0, 1.0], rows),
            "word": pd.Series(rng.choice(["a", "bb", "ccc", "d1", "é"], rows), dtype="str"),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 50, rows), unit="D"),
        }
    )
    frame["day"] = frame["day"].astype("datetime64[us]")
    frame["day text"] = frame["day"].dt.strftime("%Y-%m-%d").mask(rng.random(rows) < 0.1, "some day").astype("str")
    for name in ("number", "flag", "word", "day", "day text"):
        frame.loc[rng.random(rows) < rng.choice([0, 0.2, 1], p=[0.3, 0.6, 0.1]), name] = None
    frame.loc[rng.random(rows) < 0.05, "number"] = rng.choice([np.inf, -np.inf])
    frame["mixed"] = pd.Series(
        [value if rng.random() < 0.7 else 3 for value in rng.choice(["a", "b"], rows)], dtype=object
    )
    return frame


def random_rules(seed: int) -> list[Rule]:
    rng = np.random.default_rng(seed)

    def mostly() -> float:
        return float(rng.choice([1.0, 0.9, 0.75, 0.5, 0.25, 0.0]))

    rules = [rule(EXISTS, name) for name in ("number", "absent")]
    rules += [rule(NOT_NULL, name, mostly=mostly()) for name in ("number", "whole", "word", "day", "absent")]
    names = ("float64", "int64", "str", "datetime64", "float", "int", "bool", "datetime64[ns]", "object")
    rules.append(rule(OF_TYPE, "mixed", type_="object"))
    for column in ("number", "whole", "word", "day", "mixed"):
        rules.append(rule(OF_TYPE, column, type_=str(rng.choice(names)), mostly=mostly()))
    low, high = sorted(rng.normal(scale=2, size=2).tolist())
    rules += [
        rule(BETWEEN, "number", min_value=low, max_value=high, mostly=mostly()),
        rule(BETWEEN, "number", min_value=low, strict_min=True, mostly=mostly()),
        rule(BETWEEN, "whole", min_value=1, max_value=4, strict_min=True, strict_max=True, mostly=mostly()),
        rule(BETWEEN, "whole", max_value=3, mostly=mostly()),
        rule(BETWEEN, "day", min_value="2024-01-10", mostly=mostly()),
        rule(BETWEEN, "day", min_value="2024-01-10T00:00:00", max_value="2024-02-01", mostly=mostly()),
        rule(BETWEEN, "day text", max_value="2024-01-20", strict_max=True, mostly=mostly()),
        rule(REGEX, "day text", regex="^2024-0[12]", mostly=mostly()),
        rule(BETWEEN, "word", min_value=1),
        rule(BETWEEN, "number", min_value=high + 1, max_value=low),
        rule(IN_SET, "word", value_set=["a", "bb"], mostly=mostly()),
        rule(IN_SET, "whole", value_set=[1, 2.0, 3], mostly=mostly()),
        rule(IN_SET, "flag", value_set=[0.0, 1.0], mostly=mostly()),
        rule(IN_SET, "mixed", value_set=["a", 3], mostly=mostly()),
        rule(NOT_IN_SET, "word", value_set=["d1"], mostly=mostly()),
        rule(NOT_IN_SET, "whole", value_set=[], mostly=mostly()),
        rule(UNIQUE, "word", mostly=mostly()),
        rule(UNIQUE, "number", mostly=mostly()),
        rule(REGEX, "word", regex="^[a-c]+$", mostly=mostly()),
        rule(REGEX, "word", regex="(a)|(d)", mostly=mostly()),
        rule(REGEX, "whole", regex="[0-3]", mostly=mostly()),
        rule(NOT_REGEX, "word", regex=r"\d", mostly=mostly()),
        rule(LENGTHS, "word", min_value=1, max_value=2, mostly=mostly()),
        rule(LENGTHS, "word", max_value=2, strict_max=True, mostly=mostly()),
        rule(LENGTHS, "whole", min_value=1, mostly=mostly()),
    ]
    return rules


ALL_COLUMNS = Schema.model_validate(
    {
        "columns": [
            {"name": name, "role": "nominal", "reason": ""}
            for name in ("number", "whole", "flag", "word", "day", "day text", "mixed", "absent")
        ],
        "problem": "clustering",
    }
)


def same_verdicts(frame: pd.DataFrame, rules: list[Rule]) -> None:
    contract = json.loads(json.dumps(compile_suite(rules, ALL_COLUMNS)))
    assert contract["not_compiled"] == []
    ours = check_contract(frame, contract)
    theirs = run_suite(frame, rules, source="written")
    for one, other in zip(ours, theirs, strict=True):
        place = (one["rule"], one["column"], one["message"], other["message"])
        assert (one["passed"], one["count"]) == (other["passed"], other["count"]), place
        assert one["share"] == pytest.approx(other["share"]), place


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1))
def test_verdicts_are_those_of_great_expectations(seed: int) -> None:
    same_verdicts(random_frame(seed, rows=int([1, 7, 60][seed])), random_rules(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 15))
def test_verdicts_are_those_of_great_expectations_on_many_frames(seed: int) -> None:
    same_verdicts(random_frame(seed, rows=int(np.random.default_rng(seed).integers(0, 80))), random_rules(seed))


def people(rows: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "plan": rng.choice(["basic", "plus", "pro"], rows),
            "active": rng.choice(["yes", "no"], rows),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, rows), unit="D"),
            "left": rng.choice(["yes", "no"], rows, p=[0.3, 0.7]),
        }
    )


@pytest.fixture
def schema() -> Schema:
    return infer_schema(people(200), problem="classification", target_type="classes", target="left")


def test_what_scoring_cannot_check_is_listed_with_the_reason(schema: Schema) -> None:
    rules = [
        rule(BETWEEN, "age", min_value=0),
        rule(IN_SET, "left", value_set=["yes", "no"]),
        rule("expect_column_mean_to_be_between", "age", min_value=20),
        rule(OF_TYPE, "plan", type_="CategoricalDtypeType"),
        {"type": "expect_table_row_count_to_be_between", "kwargs": {"min_value": 5}},
    ]
    contract = compile_suite(rules, schema)
    assert contract["rules"] == rules[:1]
    reasons = [left["reason"] for left in contract["not_compiled"]]
    assert "not there when scoring" in reasons[0]
    assert "when training" in reasons[1]
    assert "not known to numpy" in reasons[2]
    assert "when training" in reasons[3]


def test_breaches_are_told_in_words(schema: Schema) -> None:
    train = people(500)
    contract = compile_suite(learn(train, schema), schema)
    fresh = people(100, seed=1)
    assert breaches(check_contract(conform(fresh, schema, strict=False), contract)) == []
    fresh["age"] = fresh["age"] * 1000
    found = breaches(check_contract(conform(fresh, schema, strict=False), contract))
    assert [(breach["code"], breach["column"], breach["count"]) for breach in found] == [("CHK023", "age", 100)]
    breach = found[0]
    assert "100 of 100 values lie outside of" in breach["message"]
    assert "train a new model" in breach["remedy"]
    assert (breach["source"], breach["severity"], breach["share"]) == ("learnt", "error", 1.0)
    assert len(breach["examples"]) == 5
    assert all(isinstance(example, str) for example in breach["examples"])


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (rule(BETWEEN, "x", min_value=-6.6000000000000005, max_value=20.6), "lie outside of -6.6 to 20.6"),
        (rule(BETWEEN, "x", min_value=0, max_value=None), "lie below 0"),
        (rule(BETWEEN, "x", max_value=1234567.25), "lie above 1234567.25"),
        (rule(LENGTHS, "x", min_value=2, max_value=9), "are not 2 to 9 characters long"),
        (rule(LENGTHS, "x", max_value=1365), "are longer than 1365 characters"),
        (rule(LENGTHS, "x", min_value=2), "are shorter than 2 characters"),
        (rule(REGEX, "x"), "do not match any"),
    ],
)
def test_rules_are_told_in_words_for_people(broken: Rule, words: str) -> None:
    assert words_of(broken)[1] == words


def test_written_rules_speak_of_the_rows_as_received(schema: Schema) -> None:
    written = [rule(IN_SET, "active", {"source": "written", "severity": "warning"}, value_set=["yes", "no"])]
    contract = compile_suite(written, schema)
    received = people(20)
    frame = conform(received, schema, strict=False)
    assert breaches(check_contract(frame, contract, received=received)) == []
    found = breaches(check_contract(frame, contract, received=received.assign(active="maybe")))
    assert [breach["severity"] for breach in found] == ["warning"]
    assert "the rule in the suite's file" in found[0]["remedy"]
    assert "are none of yes, no" in found[0]["message"]


def test_shares_are_not_judged_on_too_few_rows() -> None:
    contract = {"rules": [rule(NOT_NULL, "x", {"rows_at_least": 3}, mostly=0.9)], "not_compiled": []}
    assert check_contract(pd.DataFrame({"x": [np.nan] * 2}), contract) == []
    assert len(breaches(check_contract(pd.DataFrame({"x": [np.nan] * 3}), contract))) == 1


def test_a_rule_that_cannot_be_judged_is_a_breach() -> None:
    contract = {"rules": [rule(REGEX, "w", regex="("), rule(BETWEEN, "w", min_value=3)], "not_compiled": []}
    found = breaches(check_contract(pd.DataFrame({"w": ["a", "b"]}), contract))
    assert [breach["count"] for breach in found] == [2, 2]
    assert all("cannot be checked" in breach["message"] for breach in found)
