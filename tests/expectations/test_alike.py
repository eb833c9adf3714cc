from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from penstock.components.schema import infer_schema
from penstock.expectations.builtin import check
from penstock.problems import find


def alike(labels: list[str], problem: Any = "classification") -> list[dict[str, Any]]:
    frame = pd.DataFrame({"x": [n * n % 17 for n in range(60)], "y": labels * (60 // len(labels))})
    schema = infer_schema(frame, problem=problem, target_type=find(problem).target_type, target="y")
    return [found for found in check(frame, schema) if found["rule"] == "classes alike" and not found["passed"]]


def test_classes_that_differ_only_in_case_or_spaces_are_told() -> None:
    (found,) = alike(["Yes", "YES", "no", " yes "])
    assert (found["code"], found["column"], found["count"], found["severity"]) == ("CHK016", "y", 45, "warning")
    assert "'YES', 'Yes', 'yes'" in found["message"]
    assert "write them alike" in found["remedy"]


@pytest.mark.parametrize(("labels", "problem"), [(["yes", "no"], "classification"), (["A", "a"], "clustering")])
def test_other_words_and_other_problems_are_left_alone(labels: list[str], problem: str) -> None:
    assert alike(labels, problem) == []
