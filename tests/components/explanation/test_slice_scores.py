"""For whom a model does worse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.evaluation.metrics import METRICS
from penstock.components.evaluation.slices import slice_of_rows
from penstock.components.explanation.slice_scores import slice_scores
from penstock.components.schema import Column

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


@pytest.mark.slow
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


def test_a_slice_without_an_error_is_not_certain() -> None:
    y = np.arange(80) % 2
    prediction = np.eye(2)[np.where(np.arange(80) < 20, y, np.arange(80) % 3 % 2)]
    names = pd.Series(np.where(np.arange(80) < 20, "right", "mixed"))
    found = {one["slice"]: one for one in slice_scores(METRICS["accuracy"], y, prediction, {"n": names}, seed=0)}
    assert (found["right"]["value"], found["right"]["high"]) == (1.0, 1.0)
    assert found["right"]["low"] == pytest.approx(1 - (1 - 0.025 ** (1 / 10)) / 2)
