"""For whom a model does worse, and whom its decisions favour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import demographic_parity_difference, equalized_odds_difference

from penstock.components.evaluation.metrics import METRICS
from penstock.components.explanation.fairness import fairness, require_two_classes
from penstock.components.explanation.slices import require_sliceable, slice_of_rows, slice_scores
from penstock.components.schema import Column, infer_schema
from penstock.errors import DataError, UsageError

R2 = METRICS["r2"]


def rows(count: int = 600, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Predictions are off by much more in the south."""
    rng = np.random.default_rng(seed)
    region = rng.choice(["north", "south", "west"], count, p=[0.4, 0.2, 0.4])
    y = rng.normal(size=count)
    prediction = y + rng.normal(size=count) * np.where(region == "south", 0.9, 0.3)
    frame = pd.DataFrame({"region": region, "age": rng.uniform(18, 90, count), "y": y})
    return frame, y, prediction


def column(name: str, role: Any = "nominal", **more: Any) -> Column:
    return Column(name=name, role=role, reason="", **more)


def test_the_slice_that_is_worse_is_marked_and_no_other() -> None:
    frame, y, prediction = rows()
    cut = {
        "region": slice_of_rows(frame["region"], frame["region"], column("region")),
        "age": slice_of_rows(frame["age"], frame["age"], column("age", "numeric")),
    }
    found = slice_scores(R2, y, prediction, cut, seed=0)
    assert [(one["column"], one["slice"]) for one in found if one["worse"]] == [("region", "south")]
    assert [one["column"] for one in found].count("age") == 4
    for one in found:
        part = (cut[one["column"]] == one["slice"]).to_numpy()
        assert one["rows"] == part.sum()
        assert one["value"] == pytest.approx(R2.function(y[part], prediction[part]))
        assert one["low"] < one["value"] < one["high"]
        assert one["value"] + one["behind"] == pytest.approx(R2.function(y, prediction))


def test_slices_that_differ_by_chance_are_rarely_marked() -> None:
    marked = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=200)
        names = pd.Series(rng.choice(list("abcdefgh"), 200))
        found = slice_scores(R2, y, y + rng.normal(scale=0.5, size=200), {"names": names}, seed=seed)
        marked += any(one["worse"] for one in found)
    assert marked <= 5


def test_few_rows_get_no_verdict_and_one_class_no_score() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    prediction = np.column_stack([1 - 0.5 * rng.random(100), 0.5 * rng.random(100)])
    names = pd.Series(np.where(np.arange(100) < 30, "only no", "both"))
    names[[40, 41, 42, 60, 61, 62]] = "few"
    found = {one["slice"]: one for one in slice_scores(METRICS["roc_auc"], y, prediction, {"n": names}, seed=0)}
    assert found["only no"]["value"] is None
    assert found["few"]["value"] is not None
    assert found["few"]["p"] is None
    assert not found["few"]["worse"]


def test_numbers_are_cut_at_the_quartiles_of_the_learning_rows() -> None:
    learnt = pd.Series(np.arange(101.0))
    found = slice_of_rows(pd.Series([-5.0, 25.0, 26.0, 60.0, 500.0, np.nan]), learnt, column("x", "numeric"))
    assert found.tolist() == ["up to 25", "up to 25", "25 to 50", "50 to 75", "above 75", "(missing)"]
    dates = pd.Series(pd.date_range("2024-01-01", periods=101))
    later = slice_of_rows(pd.Series(pd.to_datetime(["2023-01-01", None])), dates, column("d", "date"))
    assert later.tolist() == ["up to 2024-01-26", "(missing)"]
    kept = slice_of_rows(pd.Series(["12", "99"]), pd.Series(map(str, range(101))), column("x", "ignore"))
    assert kept.tolist() == ["up to 25", "above 75"]
    few = slice_of_rows(pd.Series([1.0, 2.0, np.nan]), pd.Series([1.0, 2.0]), column("x", "numeric"))
    assert few.tolist() == ["1", "2", "(missing)"]
    truth = slice_of_rows(pd.Series([1.0, 0.0]), pd.Series([1.0, 0.0]), column("x", "boolean", levels=["no", "yes"]))
    assert truth.tolist() == ["yes", "no"]


def test_columns_that_cannot_cut_rows_are_refused() -> None:
    frame, _, _ = rows(120)
    frame = frame.assign(one="a", code=[f"c{number}" for number in range(120)])
    schema = infer_schema(frame, problem="regression", target="y", roles={"code": "ignore", "one": "ignore"})
    for name, code, words in (
        ("regoin", "PEN043", "did you mean 'region'?"),
        ("y", "PEN043", "is the target"),
        ("one", "PEN044", "has one value"),
        ("code", "PEN044", "120 different values"),
    ):
        with pytest.raises(DataError) as caught:
            require_sliceable(frame, schema, [name], "evaluation.slices")
        assert caught.value.code == code
        assert words in str(caught.value)
    require_sliceable(frame, schema, ["region", "age"], "evaluation.slices")


def decisions(gap: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray, pd.Series[Any]]:
    """`gap`: how much likelier a positive decision is for group b, whatever the truth."""
    rng = np.random.default_rng(seed)
    names = pd.Series(rng.choice(["a", "b"], 800))
    y = rng.integers(2, size=800)
    p = 0.3 + 0.3 * y + gap * (names == "b").to_numpy()
    return y, (rng.random(800) < p).astype(int), names


def test_differences_are_those_of_fairlearn_with_what_chance_would_show() -> None:
    y, decision, names = decisions(0.25)
    found = fairness(y, decision, names, seed=0)
    parity, odds = found["demographic_parity"], found["equalised_odds"]
    assert parity["value"] == pytest.approx(demographic_parity_difference(y, decision, sensitive_features=names))
    assert odds["value"] == pytest.approx(equalized_odds_difference(y, decision, sensitive_features=names))
    assert parity["low"] < 0.25 < parity["high"]
    assert parity["beyond"]
    assert odds["beyond"]
    assert parity["chance"] < 0.1
    by_group = {group["group"]: group for group in found["groups"]}
    assert by_group["b"]["selected"] - by_group["a"]["selected"] == pytest.approx(parity["value"])
    assert by_group["a"]["rows"] + by_group["b"]["rows"] == 800


@pytest.mark.slow
def test_fair_decisions_are_within_chance() -> None:
    beyond = [fairness(*decisions(0.0, seed), seed=seed)["demographic_parity"]["beyond"] for seed in range(8)]
    assert sum(beyond) <= 2


@pytest.mark.parametrize(("problem", "classes"), [("regression", None), ("classification", 3)])
def test_fairness_is_of_two_classes(problem: str, classes: int | None) -> None:
    with pytest.raises(UsageError, match=r"evaluation\.slices") as caught:
        require_two_classes(["gender"], problem, classes)
    assert caught.value.code == "PEN045"
    require_two_classes([], problem, classes)
    require_two_classes(["gender"], "classification", 2)
