"""Missing values, far values, contradictory labels, kinds of columns: each on numbers that can be checked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import median_abs_deviation

from penstock.components.analysis.kinds import kinds, task
from penstock.components.analysis.labels import classes, contradictions
from penstock.components.analysis.missing import missing
from penstock.components.analysis.outliers import fences, outliers, robust_z
from penstock.components.schema import Schema, conform, infer_schema
from penstock.errors import DataError
from penstock.problems import find, proposals


def canonical(frame: pd.DataFrame, problem: Any = "clustering", **more: Any) -> tuple[pd.DataFrame, Schema]:
    schema = infer_schema(frame, problem=problem, target_type=find(problem).target_type, **more)
    return conform(frame, schema, strict=True), schema


def test_missing_shares_patterns_and_what_goes_together() -> None:
    frame = pd.DataFrame(
        {"full": np.arange(40.0), "a": np.arange(40.0), "b": np.arange(40.0) ** 2, "c": np.arange(40.0)}
    )
    frame.loc[:9, ["a", "b"]] = np.nan
    frame.loc[10:11, "b"] = np.nan
    frame.loc[20:25, "c"] = np.nan
    found = missing(*canonical(frame))
    assert [(one["column"], one["rows"], one["share"]) for one in found["columns"]] == [
        ("b", 12, 0.3), ("a", 10, 0.25), ("c", 6, 0.15),
    ]  # fmt: skip
    assert (found["complete_rows"], found["rows"], found["cells"]) == (22, 40, 28 / 160)
    assert [(one["columns"], one["rows"]) for one in found["patterns"]] == [
        ([], 22), (["b", "a"], 10), (["c"], 6), (["b"], 2),
    ]  # fmt: skip
    (pair,) = found["together"]
    assert (pair["column"], pair["other"], pair["if_other"], pair["else_"]) == ("b", "a", 1.0, 2 / 30)
    assert pair["correlation"] == pytest.approx(frame["a"].isna().corr(frame["b"].isna()))


def test_nothing_missing() -> None:
    found = missing(*canonical(pd.DataFrame({"a": [1.0, 2.0, 3.5]})))
    assert (found["columns"], found["patterns"], found["together"], found["complete_rows"]) == ([], [], [], 3)


def test_far_values_by_both_rules_with_examples() -> None:
    values = [*np.linspace(10, 20, 99), 500.0]
    frame = pd.DataFrame({"_row_id": [f"r{n}" for n in range(100)], "x": values, "flat": [1.5] * 60 + [9.25] * 40})
    canon, schema = canonical(frame)
    (found,) = outliers(canon, schema.features)
    z = (np.array(values) - np.median(values)) / median_abs_deviation(values, scale="normal")
    assert (found["column"], found["robust_z"], found["iqr"]) == ("x", int((np.abs(z) > 3.5).sum()), 1)
    first, third = np.quantile(values, [0.25, 0.75])
    assert (found["low"], found["high"]) == (first - 1.5 * (third - first), third + 1.5 * (third - first))
    assert [(one["value"], one["row"]) for one in found["examples"]] == [(500.0, "r99")]
    assert found["furthest"] == pytest.approx(z[-1], rel=1e-4)  # scipy's 1.4826 has more digits


def test_without_a_key_far_values_name_the_number_of_the_row_as_checks_do() -> None:
    values = [*np.linspace(10, 20, 99), 500.0]
    learning = pd.DataFrame({"_row_id": [f"c0a35f51e6e5-{3 * place}" for place in range(100)], "x": values})
    (found,) = outliers(*canonical_features(learning))
    assert found["examples"][0]["row"] == "298"
    (found,) = outliers(*canonical_features(learning.drop(columns="_row_id")))
    assert found["examples"][0]["row"] == "100"


def canonical_features(frame: pd.DataFrame) -> Any:
    canon, schema = canonical(frame)
    return canon, schema.features


def test_equal_values_leave_nothing_to_measure_with() -> None:
    assert not robust_z(np.array([1.0] * 6 + [100.0] * 4)).any()
    assert fences(np.array([1.0] * 9 + [100.0])) == (1.0, 100.0)


def test_contradictory_classes_bound_the_accuracy() -> None:
    frame = pd.DataFrame({"x": [1.5, 1.5, 1.5, 2.5, 2.5, 3.5], "y": ["a", "a", "b", "a", "b", "b"]})
    canon, schema = canonical(frame, "classification", target="y")
    found = contradictions(canon, schema)
    assert found is not None
    assert (found["rows"], found["groups"], found["pairs"], found["measure"]) == (5, 2, 3, "accuracy")
    assert found["ceiling"] == pytest.approx((2 + 1 + 1) / 6)
    assert len(found["examples"]) == 5


def test_contradictory_quantities_bound_r2() -> None:
    frame = pd.DataFrame({"x": [1.5, 1.5, 2.5, 3.5], "y": [1.0, 3.0, 5.0, 7.0]})
    found = contradictions(*canonical(frame, "regression", target="y"))
    assert found is not None
    assert (found["rows"], found["pairs"]) == (2, None)
    assert found["ceiling"] == pytest.approx(1 - 2 / 20)
    assert contradictions(*canonical(frame.drop(columns="y"))) is None


def test_rare_classes_are_marked() -> None:
    frame = pd.DataFrame({"x": np.arange(1000.0), "y": ["a"] * 950 + ["b"] * 40 + ["c"] * 10})
    found = classes(*canonical(frame, "classification", target="y"))
    assert [(one["class"], one["rows"], one["rare"]) for one in sorted(found, key=lambda one: one["class"])] == [
        ("a", 950, False), ("b", 40, True), ("c", 10, True),
    ]  # fmt: skip


@pytest.mark.covers("proc_variable_typing")
def test_every_column_has_one_kind_one_encoder_and_one_family() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "height": rng.normal(170, 10, 60),
            "rooms": rng.integers(1, 9, 60),
            "member": rng.choice(["yes", "no"], 60),
            "town": rng.choice(["Bari", "Como", "Rome"], 60),
            "mood": rng.choice(["low", "mid", "high"], 60),
            "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 700, 60), unit="D"),
        }
    )
    canon, schema = canonical(frame, roles={"mood": ["low", "mid", "high"]})
    found = {one["column"]: (one["kind"], one["encoder"], one["family"]) for one in kinds(canon, schema)}
    assert found == {
        "height": ("real", "number, scaled", "Gaussian"),
        "rooms": ("count", "number, scaled", "Gaussian"),
        "member": ("binary", "0 or 1", "Bernoulli"),
        "town": ("nominal", "one column a level", "categorical"),
        "mood": ("ordinal", "place among the levels, scaled", "categorical"),
        "since": ("date", "parts of the date, scaled", None),
    }


def _task(frame: pd.DataFrame, problem: str, **more: Any) -> dict[str, Any]:
    return task(*canonical(frame, problem, **more), find(problem).goal, proposals())


@pytest.mark.covers("proc_task_contract")
def test_the_task_is_inferred_from_the_target_and_a_contradiction_is_refused() -> None:
    rng = np.random.default_rng(0)
    real = pd.Series(rng.normal(size=100))
    targets = {
        "binary": pd.Series(["yes", "no"] * 50),
        "three": pd.Series(rng.integers(0, 3, 100)),
        "real": real,
    }
    for problem, target, code in (("classification", real, "PEN114"), ("regression", targets["binary"], "PEN119")):
        with pytest.raises(DataError) as refused:
            canonical(pd.DataFrame({"x": real, "y": target}), problem, target="y")
        assert refused.value.code == code
    suggested = {
        name: _task(pd.DataFrame({"x": real, "y": target}), problem, target="y")["suggested"]
        for (name, target), problem in zip(targets.items(), ["classification", "regression", "regression"], strict=True)
        if name != "three"
    }
    assert suggested == {"binary": "classification", "real": "regression"}
    assert _task(pd.DataFrame({"x": real}), "density")["suggested"] == "clustering"
    declared = _task(pd.DataFrame({"x": real, "y": targets["three"]}), "classification", target="y")
    assert declared["suggested"] == "classification"
    assert (declared["problem"], declared["inputs"], declared["target"], declared["goal"]) == (
        "classification", ["x"], "y", "prediction",
    )  # fmt: skip
