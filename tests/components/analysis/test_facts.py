from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from penstock.components.analysis.facts import MAX_BINS, MAX_LEVELS, describe, summary
from penstock.components.schema import conform, infer_schema


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "height": [1.0, 2.0, 3.0, 4.0, np.nan],
            "size": ["s", "l", "s", None, "huge"],
            "plan": ["b", "a", "a", "c", "b"],
            "active": ["yes", "no", "no", None, "no"],
            "day": ["2024-01-05", "2024-01-01", None, "2024-03-01", "2024-01-01"],
            "note": ["two words", "one two three", None, "a", "b"],
            "empty": [None] * 5,
            "y": ["u", "v", "v", "v", None],
        }
    )


ROLES = {"size": ["s", "m", "l"], "note": "text", "day": "date", "plan": "nominal"}


@pytest.mark.covers("met_summary_statistics")
def test_each_role_has_its_facts(frame: pd.DataFrame) -> None:
    schema = infer_schema(frame, problem="classification", target_type="classes", target="y", roles=ROLES)
    facts = describe(frame, schema)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert facts == describe(conform(frame, schema, strict=True), schema)
    columns = facts["columns"]
    assert facts["rows"] == 5
    assert "y" not in columns
    height = columns["height"]
    assert (height["role"], height["missing"], height["distinct"]) == ("numeric", 0.2, 4)
    assert (height["min"], height["max"], height["mean"]) == (1.0, 4.0, 2.5)
    assert height["sd"] == pytest.approx(np.std([1, 2, 3, 4], ddof=1))
    assert height["skewness"] == pytest.approx(0.0)
    assert height["quartiles"] == [1.75, 2.5, 3.25]
    assert sum(height["histogram"]["counts"]) == 4
    assert len(height["histogram"]["edges"]) == len(height["histogram"]["counts"]) + 1
    assert columns["size"]["levels"] == [
        {"level": "s", "count": 2},
        {"level": "m", "count": 0},
        {"level": "l", "count": 1},
    ]
    assert columns["size"]["missing"] == 0.4
    assert columns["plan"]["levels"] == [
        {"level": "a", "count": 2},
        {"level": "b", "count": 2},
        {"level": "c", "count": 1},
    ]
    assert columns["active"]["levels"] == [{"level": "no", "count": 3}, {"level": "yes", "count": 1}]
    assert (columns["day"]["first"], columns["day"]["last"]) == ("2024-01-01T00:00:00", "2024-03-01T00:00:00")
    assert (columns["note"]["mean_words"], columns["note"]["most_words"]) == (1.75, 3)
    assert (columns["note"]["histogram"]["counts"], columns["note"]["max"]) == ([2, 1, 1], 3)
    assert (columns["empty"]["role"], columns["empty"]["missing"]) == ("ignore", 1.0)
    assert facts["target"] == {"name": "y", "missing": 0.2, "classes": {"v": 3, "u": 1}}


def test_a_quantity_is_summarised(frame: pd.DataFrame) -> None:
    schema = infer_schema(frame, problem="regression", target_type="quantity", target="height", roles=ROLES)
    target = describe(frame, schema)["target"]
    assert (target["missing"], target["mean"]) == (0.2, 2.5)


def test_clustering_has_no_target(frame: pd.DataFrame) -> None:
    schema = infer_schema(frame.drop(columns="y"), problem="clustering", roles=ROLES)
    assert describe(frame, schema)["target"] is None


@pytest.mark.slow
def test_facts_are_bounded() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"c{n}": [f"w{k}" for k in rng.integers(0, 500, 2000)] for n in range(37)})
    frame["x"] = rng.normal(size=2000)
    facts = describe(frame, infer_schema(frame, problem="clustering"))
    assert len(facts["columns"]["c0"]["levels"]) == MAX_LEVELS
    assert len(facts["columns"]["x"]["histogram"]["counts"]) == MAX_BINS
    assert len(json.dumps(facts)) < 100_000


@pytest.mark.parametrize(
    "values",
    [[1e308, -1e308], [7.0], [3.0] * 3, [1.0, 1.0 + 2e-16], [0.0, 5e-324], [2.0**53, 2.0**53 + 2], [np.inf, 1.0]],
)
def test_odd_numbers_stay_json(values: list[float]) -> None:
    facts = summary(pd.Series(values, dtype="float64"))
    json.dumps(facts, allow_nan=False)
    assert sum(facts["histogram"]["counts"]) == np.isfinite(values).sum()
