"""No false alarms: tables that are known to be clean pass every check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from penstock.components.leakage.registry import certify
from penstock.sources.bundled import bundled_frame
from tests.components.leakage.conftest import sides_of

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[3] / "examples"
SATISFACTION = ["very low", "low", "medium", "high", "very high"]


def example(name: str) -> pd.DataFrame:
    return pd.read_csv(EXAMPLES / name / f"{name}.csv")


CLEAN: dict[str, tuple[Any, dict[str, Any]]] = {
    "churn": (
        lambda: example("churn"),
        {"problem": "classification", "target": "churned", "key": "snapshot_id", "group": "customer_id",
         "roles": {"satisfaction": SATISFACTION, "last_support_note": "text"}},
    ),
    "segments": (lambda: example("segments"), {"problem": "clustering", "key": "customer"}),
    "visits": (
        lambda: example("visits"),
        {"problem": "classification", "target": "missed", "key": "visit_id", "group": "patient_id"},
    ),
    "breast_cancer": (lambda: bundled_frame("breast_cancer"), {"problem": "classification", "target": "target"}),
    "diabetes": (lambda: bundled_frame("diabetes"), {"problem": "regression", "target": "target"}),
    "digits": (lambda: bundled_frame("digits").iloc[:900, 44:], {"problem": "classification", "target": "target"}),
    "iris": (lambda: bundled_frame("iris"), {"problem": "classification", "target": "target"}),
    "linnerud": (lambda: bundled_frame("linnerud"), {"problem": "regression", "target": "Weight"}),
    "wine": (lambda: bundled_frame("wine"), {"problem": "classification", "target": "target"}),
}  # fmt: skip
# Their rows stand class by class, and the certificate says so, as something that is good to know.
SORTED = {"iris": ["LEK012"], "wine": ["LEK012"]}


@pytest.mark.parametrize("name", CLEAN)
def test_clean_data_pass(name: str) -> None:
    read, options = CLEAN[name]
    certificate = certify(sides_of(read(), **options))
    found = [run for run in certificate["checks"] if run["outcome"] == "found"]
    assert [run["code"] for run in found] == SORTED.get(name, []), found
    assert {run["severity"] for run in found} <= {"note"}
    assert certificate["passed"] >= 3
