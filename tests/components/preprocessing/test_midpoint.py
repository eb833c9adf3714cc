"""Ordered levels between 0 and 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.preprocessing.midpoint import MidpointScaler
from penstock.components.preprocessing.preparation import build_preparation, feature_names


def test_scikit_learn_agrees() -> None:
    assert len(check_estimator(MidpointScaler(), on_skip=None)) > 30


@pytest.mark.covers("prep-ordinal-midpoint", "proc_ordinal_code", "ex_ordinal_code")
def test_the_middle_of_each_levels_part() -> None:
    codes = np.arange(4.0)[:, None]
    model = build("midpoint", {}, seed=0, problem="clustering").fit(codes)
    assert model.transform(codes)[:, 0].tolist() == [1 / 8, 3 / 8, 5 / 8, 7 / 8]


@pytest.mark.covers("prep-ordinal-midpoint")
def test_all_declared_levels_count_though_training_rows_lack_some(mixed: dict[str, Any]) -> None:
    given = mixed["classification"]
    plan = given.plan(columns={"mood": {"scale": ("midpoint", {})}})
    prepared = build_preparation(plan, seed=0)
    without_high = (given.frame["mood"] != "high").to_numpy()
    prepared.fit(given.frame[without_high], given.y[without_high])
    shown = prepared.transform(given.frame)[:, feature_names(prepared).index("mood")]
    known = given.frame["mood"].notna().to_numpy()
    expected = given.frame["mood"][known].map({"low": 1 / 6, "mid": 3 / 6, "high": 5 / 6}).to_numpy(dtype=float)
    assert shown[known] == pytest.approx(expected)
