from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from penstock.errors import UsageError
from penstock.expectations.suite import great_expectations, run_suite
from penstock.expectations.written import read_suite


def write(folder: Path, content: str, name: str = "suite.yaml") -> Path:
    path = folder / name
    path.write_text(content)
    return path


def test_a_list_of_rules(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
- {type: expect_column_values_to_be_between, kwargs: {column: day, min_value: 2024-01-01}}
- type: expect_column_values_to_be_in_set
  kwargs: {column: plan, value_set: [a, b], mostly: 0.9}
  severity: warning
""",
    )
    rules = read_suite(path)
    assert rules == [
        {
            "type": "expect_column_values_to_be_between",
            "kwargs": {"column": "day", "min_value": "2024-01-01"},
            "meta": {"source": "written", "severity": "error"},
        },
        {
            "type": "expect_column_values_to_be_in_set",
            "kwargs": {"column": "plan", "value_set": ["a", "b"], "mostly": 0.9},
            "meta": {"source": "written", "severity": "warning"},
        },
    ]
    frame = pd.DataFrame({"day": ["2023-12-31", "2024-01-01"], "plan": ["a", "c"]})
    findings = run_suite(frame, rules, source="written")
    assert [(found["passed"], found["count"], found["severity"]) for found in findings] == [
        (False, 1, "error"),
        (False, 1, "warning"),
    ]


def test_a_suite_saved_by_the_library(tmp_path: Path) -> None:
    gx, _ = great_expectations()
    suite = gx.ExpectationSuite(
        name="mine",
        expectations=[
            gx.expectations.ExpectColumnValuesToNotBeNull(column="age", mostly=0.5, severity="warning"),
            gx.expectations.ExpectColumnValuesToBeBetween(column="age", min_value=0, max_value=120),
        ],
    )
    path = write(tmp_path, json.dumps(suite.to_json_dict()), "suite.json")
    rules = read_suite(path)
    assert {(rule["type"], rule["meta"]["severity"]) for rule in rules} == {
        ("expect_column_values_to_not_be_null", "warning"),
        ("expect_column_values_to_be_between", "error"),
    }
    assert len(run_suite(pd.DataFrame({"age": [3.0]}), rules, source="written")) == 2


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        ("- {type: expect_column_value_to_be_unique, kwargs: {column: a}}", "PEN014", "_values_to_be_unique'?"),
        ("- {type: unexpected_rows_expectation, kwargs: {}}", "PEN014", "choose one of: expect_"),
        ("- {type: expect_query_results_to_match_comparison}", "PEN014", ""),
        ("- {type: expect_column_to_exist, kwargs: {colum: a}}", "PEN015", "did you mean 'column'?"),
        ("- {type: expect_column_to_exist}", "PEN015", "add 'column' to its kwargs"),
        ("- {type: expect_column_to_exist, kwargs: [a]}", "PEN015", "for example"),
        ("- {type: expect_column_to_exist, kwargs: {column: a}, sevrity: error}", "PEN015", "did you mean 'severity'?"),
        ("- {type: expect_column_values_to_be_between, kwargs: {column: a}}", "PEN015", "correct its kwargs"),
        (
            "- {type: expect_column_values_to_be_between, kwargs: {column: a, min_value: 1, mostly: 2}}",
            "PEN015",
            "correct its kwargs",
        ),
        (
            "- {type: expect_column_values_to_be_between, kwargs: {column: a, min_value: soon}}",
            "PEN015",
            "correct its kwargs",
        ),
        (
            "- {type: expect_column_values_to_be_between, kwargs: {column: a, min_value: '12'}}",
            "PEN015",
            "write dates as 2024-12-31",
        ),
        ("- {type: expect_column_values_to_match_regex, kwargs: {column: a, regex: '('}}", "PEN015", "correct it"),
        (
            "- {type: expect_column_to_exist, kwargs: {column: a, row_condition: 'b > 1', condition_parser: pandas}}",
            "PEN015",
            "write a rule for all rows",
        ),
        (
            "- {type: expect_column_to_exist, kwargs: {column: a}, meta: {rows_at_least: many}}",
            "PEN015",
            "rows_at_least: 50",
        ),
        ("- expect_column_to_exist", "PEN015", "for example: - {type:"),
        ("rules: []", "PEN015", "for example: - {type:"),
        ("[]", "PEN015", "for example: - {type:"),
        ("- {type: [}", "PEN015", "quotes and brackets"),
    ],
)
def test_files_that_make_no_sense_are_refused(content: str, code: str, words: str, tmp_path: Path) -> None:
    path = write(tmp_path, content)
    with pytest.raises(UsageError) as caught:
        read_suite(path)
    assert caught.value.code == code
    assert caught.value.exit_status == 2
    assert str(path) in caught.value.where
    assert words in caught.value.remedy
    assert len(caught.value.remedy) <= 500


def test_a_share_may_wait_for_enough_rows(tmp_path: Path) -> None:
    content = (
        "- {type: expect_column_values_to_not_be_null, kwargs: {column: a, mostly: 0.5}, meta: {rows_at_least: 4}}"
    )
    rules = read_suite(write(tmp_path, content))
    missing = pd.DataFrame({"a": [None] * 4}, dtype="float64")
    assert [found["passed"] for found in run_suite(missing, rules, source="written")] == [False]
    assert run_suite(missing[:3], rules, source="written") == []


def test_the_rule_is_named_by_its_number(tmp_path: Path) -> None:
    good = "- {type: expect_column_to_exist, kwargs: {column: a}}\n"
    with pytest.raises(UsageError) as caught:
        read_suite(write(tmp_path, good * 2 + "- {type: expect_nothing}\n"))
    assert caught.value.where.endswith("rule 3")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, "[]", "checks.yaml")
    with pytest.raises(UsageError) as caught:
        read_suite(tmp_path / "check.yaml")
    assert (caught.value.code, caught.value.remedy) == ("PEN007", "did you mean 'checks.yaml'?")
    (tmp_path / "latin.yaml").write_bytes(b"- caf\xe9")
    with pytest.raises(UsageError) as caught:
        read_suite(tmp_path / "latin.yaml")
    assert (caught.value.code, caught.value.remedy) == ("PEN015", "save it as UTF-8")


LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f"{LAUGHS}expectations: *a9\n", "aliases stand for more"),
        ("expectations: &a [*a]\n", "aliases stand for more"),
        ("[" * 5000, "cannot read"),
        ("- {type: expect_column_to_exist, kwargs: {column: 2024-02-31}}\n", "cannot read"),
    ],
)
def test_a_file_that_fills_memory_or_cannot_be_read_is_said(tmp_path: Path, content: str, words: str) -> None:
    with pytest.raises(UsageError, match=f"PEN015(.|\\n)*{words}"):
        read_suite(write(tmp_path, content))
    alike = "- &r {type: expect_column_to_exist, kwargs: {column: a}}\n- *r\n"
    assert len(read_suite(write(tmp_path, alike))) == 2
