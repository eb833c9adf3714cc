"""Shapley values of columns as they came."""

from __future__ import annotations

import importlib.util

import numpy as np
import pandas as pd
import pytest

from penstock.components.explanation import shapley
from penstock.errors import UsageError


@pytest.mark.slow
def test_of_a_sum_each_column_gets_its_own_part() -> None:
    pytest.importorskip("shap")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": rng.normal(size=80), "town": rng.choice(["Bari", "Como"], 80), "idle": rng.normal(size=80)}
    )

    frame.loc[shapley.BACKGROUND + 1, "idle"] = np.nan

    def predictions(part: pd.DataFrame) -> np.ndarray:
        return 3 * part["x"].to_numpy() + np.where(part["town"] == "Como", 1.0, 0.0)

    found = shapley.shapley_values(predictions, frame, frame, list(frame), seed=0)
    assert [one["column"] for one in found["columns"]] == ["x", "town", "idle"]
    usual = frame["x"].iloc[: shapley.BACKGROUND].mean()
    assert found["points"]["x"] == pytest.approx((3 * (frame["x"].iloc[: shapley.ROWS] - usual)).tolist())
    assert found["columns"][2]["value"] == pytest.approx(0)
    assert found["ranks"]["idle"].count(None) == 1
    assert all(0 < rank <= 1 for rank in found["ranks"]["town"])


def test_without_the_package_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapley, "find_spec", lambda name: None if name == "shap" else importlib.util.find_spec(name))
    with pytest.raises(UsageError, match=r"penstock\[explain\]") as caught:
        shapley.require_shap()
    assert caught.value.code == "PEN046"
