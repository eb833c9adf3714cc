from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from penstock.components.analysis.collinearity import ADVICE, HIGH_CONDITION, NEARLY, collinearity, decide

pytestmark = pytest.mark.covers("proc_collinearity_decision_tree")


def columns(rows: int, count: int, seed: int = 0) -> pd.DataFrame:
    values = np.random.default_rng(seed).normal(size=(rows, count))
    return pd.DataFrame(values, columns=[f"x{place}" for place in range(count)])


def test_designs_take_their_branches() -> None:
    plain, wide = columns(100, 5), columns(4, 6)
    singular = columns(100, 3).assign(sum=lambda made: made["x0"] + 2 * made["x1"] - 5)
    found = [collinearity(design, len(design)) for design in (plain, wide, singular)]
    assert [one and one["branch"] for one in found] == ["normal-equations", "more-rows-or-penalty", "remove-redundant"]
    assert [one and one["rank"] for one in found] == [6, 4, 4]
    for one, design in zip(found, (plain, wide, singular), strict=True):
        assert one is not None
        with_ones = np.column_stack([np.ones(len(design)), design])
        assert one["rank"] == np.linalg.matrix_rank(with_ones) == np.linalg.matrix_rank(with_ones.T @ with_ones)
        assert one["advice"] == ADVICE[one["branch"]]
    assert found[2] is not None
    assert len(found[2]["redundant"]) == 1


def test_size_decides_where_the_rank_is_full() -> None:
    assert decide(21, 1000, 20) == "normal-equations"
    assert decide(20_001, 50_000, 20_000) == "gradient-descent"
    assert decide(21, 2_000_000, 20) == "mini-batches"
    assert decide(11, 11, 10) == "normal-equations"
    assert decide(10, 10, 10) == "more-rows-or-penalty"


def test_a_nearly_collinear_pair_raises_the_condition_number() -> None:
    noise = np.random.default_rng(1).normal(scale=1e-3, size=200)
    near = columns(200, 3).assign(twin=lambda made: 3 * made["x0"] + 7 + noise)
    found = collinearity(near, 200)
    assert found is not None
    assert found["warning"]
    scaled = (near - near.mean()) / near.std(ddof=0)
    expected = np.linalg.cond(np.column_stack([np.ones(200), scaled]))
    assert found["condition"] == pytest.approx(expected, rel=1e-9)
    assert expected > HIGH_CONDITION
    assert {one["column"] for one in found["inflation"]} == {"x0", "twin"}
    assert found["advice"] == NEARLY
    r2 = np.corrcoef(near["x0"], near["twin"])[0, 1] ** 2
    assert found["inflation"][0]["factor"] == pytest.approx(1 / (1 - r2), rel=0.05)
    mild = collinearity(columns(200, 2).assign(twin=lambda made: made["x0"] + 200 * noise), 200)
    assert mild is not None
    assert (mild["warning"], mild["branch"], mild["advice"]) == (False, "normal-equations", NEARLY)
    calm = collinearity(columns(200, 3), 200)
    assert calm is not None
    assert not calm["warning"]


@pytest.mark.covers("met_condition_number")
def test_rank_and_condition_of_rows_that_are_too_few_or_columns_that_are_too_near() -> None:
    twin = columns(200, 2).assign(twin=lambda made: made["x0"] * (1 + 1e-9 * np.arange(200)))
    near = collinearity(twin.assign(twin=twin["x0"] + 1e-8 * np.random.default_rng(2).normal(size=200)), 200)
    assert near is not None
    assert near["condition"] is not None
    assert near["condition"] > 1e7
    few = collinearity(columns(5, 9), 5)
    assert few is not None
    assert (few["rank"], few["condition"], few["branch"]) == (5, None, "more-rows-or-penalty")


def test_gaps_are_filled_and_no_columns_are_nothing() -> None:
    design = columns(50, 2)
    design.iloc[:5, 0] = np.nan
    found = collinearity(design, 50)
    assert found is not None
    assert found["rank"] == 3
    assert collinearity(pd.DataFrame(index=range(5)), 5) is None
