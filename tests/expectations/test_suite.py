from __future__ import annotations

import logging
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.expectations import suite
from penstock.expectations.suite import great_expectations, run_suite

FINDING = {
    "code": str,
    "source": str,
    "rule": str,
    "column": str | None,
    "passed": bool,
    "severity": str,
    "count": int,
    "share": float,
    "examples": list,
    "message": str,
    "remedy": str,
}


def rule(kind: str, **kwargs: Any) -> dict[str, Any]:
    return {"type": kind, "kwargs": kwargs}


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "age": [20.0, 30.0, 200.0, np.nan, 300.0],
            "plan": ["a", "b", "c", "d", "d"],
            "day": ["2024-01-01", "2023-01-01", "2024-05-01", "someday", None],
        }
    )


def test_findings_come_in_the_order_of_the_rules(frame: pd.DataFrame) -> None:
    rules = [
        rule("expect_column_values_to_be_between", column="age", min_value=0, max_value=120, mostly=0.9),
        rule("expect_column_to_exist", column="plan"),
        rule("expect_column_values_to_not_be_null", column="age", mostly=0.8),
        rule("expect_column_values_to_be_in_set", column="plan", value_set=["a", "b", "c"]),
        rule("expect_column_mean_to_be_between", column="age", max_value=100),
        rule("expect_table_row_count_to_equal", value=5),
        rule("expect_column_values_to_be_between", column="day", min_value="2024-01-01"),
    ]
    findings = run_suite(frame, rules, source="written")
    for found in findings:
        assert found.keys() == FINDING.keys()
        assert all(isinstance(found[key], kind) for key, kind in FINDING.items())
    assert [found["rule"] for found in findings] == [asked["type"] for asked in rules]
    verdicts = [(found["passed"], found["count"], found["share"]) for found in findings]
    assert verdicts == [
        (False, 2, 0.5),
        (True, 0, 0.0),
        (True, 1, 0.2),
        (False, 2, 0.4),
        (False, 5, 1.0),
        (True, 0, 0.0),
        (False, 1, pytest.approx(1 / 3)),
    ]
    assert findings[0]["examples"] == ["200.0", "300.0"]
    assert findings[0]["message"] == "column 'age': 2 of 4 values lie outside of 0 to 120; at most 10.00% may"
    assert findings[3]["examples"] == ["d", "d"]
    assert findings[4]["examples"] == ["137.5"]
    assert findings[5]["column"] is None
    assert "column 'day': 1 of 3 values lie below 2024-01-01;" in findings[6]["message"]


def test_absent_columns_and_senseless_rules_fail_alone(frame: pd.DataFrame) -> None:
    rules = [
        rule("expect_column_values_to_be_between", column="height", min_value=0),
        rule("expect_column_values_to_be_between", column="plan", min_value=0),
        rule("expect_column_values_to_be_unique", column="age"),
    ]
    findings = run_suite(frame, rules, source="champion")
    assert [found["passed"] for found in findings] == [False, False, True]
    assert "no such column" in findings[0]["message"]
    assert "cannot be checked" in findings[1]["message"]
    assert {found["source"] for found in findings} == {"champion"}
    assert "train a new model" in findings[0]["remedy"]


def test_no_rules_no_findings(frame: pd.DataFrame) -> None:
    assert run_suite(frame, [], source="written") == []
    few = {**rule("expect_column_to_exist", column="age"), "meta": {"rows_at_least": 6}}
    assert run_suite(frame, [few], source="written") == []


def test_the_library_is_quiet(
    frame: pd.DataFrame, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listening = logging.StreamHandler(sys.stderr)  # as Prefect has one
    monkeypatch.setattr(logging.root, "handlers", [listening])
    run_suite(frame, [rule("expect_column_values_to_be_between", column="plan", min_value=0)], source="written")
    assert capfd.readouterr() == ("", "")
    of_library = logging.getLogger("great_expectations")
    monkeypatch.setattr(of_library, "handlers", [])  # as after a run that has given it back
    monkeypatch.setattr(of_library, "propagate", True)
    great_expectations()
    assert os.environ["GX_ANALYTICS_ENABLED"] == "false"
    logging.getLogger("great_expectations.data_context.types.base").error("a level of its own")
    assert capfd.readouterr() == ("", "")


def test_importing_the_modules_does_not_import_the_library() -> None:
    modules = "builtin, learnt, suite, written"
    code = f"import sys; from penstock.expectations import {modules}; sys.exit('great_expectations' in sys.modules)"
    assert subprocess.run([sys.executable, "-W", "error", "-c", code], check=False).returncode == 0


def test_long_suites_are_run_in_parts_that_change_nothing(frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library compares all rules of a validation with each other."""
    rules = [
        rule("expect_column_values_to_be_between", column="age", min_value=0, max_value=bound)
        for bound in (10, 120, 250, 400, 500)
    ]
    whole = run_suite(frame, rules, source="written")
    monkeypatch.setattr(suite, "RULES_AT_ONCE", 2)
    assert run_suite(frame, rules, source="written") == whole
    assert [found["count"] for found in whole] == [4, 2, 1, 0, 0]
