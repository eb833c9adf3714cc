from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.preprocessing.plan import make_plan
from penstock.components.preprocessing.preparation import build_preparation
from penstock.components.preprocessing.unseen import unseen_levels
from penstock.components.schema import Column, Schema
from penstock.errors import DataError

BRANDS = ["Fiat", "Toyota", "Ford"]


def plan(**changes: Any) -> dict[str, Any]:
    schema = Schema(
        columns=[Column(name="brand", role="nominal", reason="said"), Column(name="x", role="numeric", reason="said")],
        problem="clustering",
    )
    facts = {name: {"missing": 0.0, "distinct": 3} for name in ("brand", "x")}
    settings: dict[str, Any] = {"impute": ("median", {}), "scale": ("none", {}), "rare": 0, "text_components": 1}
    return make_plan(schema, facts, **settings, **changes)


def table(*brands: str | None) -> pd.DataFrame:
    return pd.DataFrame({"brand": pd.Series(brands, dtype="str"), "x": np.arange(float(len(brands)))})


@pytest.mark.covers("proc_one_hot", "ex_one_hot_brand")
def test_a_level_is_a_column_and_what_a_new_one_becomes_is_declared() -> None:
    encoder = build_preparation(plan(), seed=0).fit(table(*BRANDS))
    names = [str(name).partition("__")[2] for name in encoder.get_feature_names_out()]
    code = dict(zip(names, encoder.transform(table("Toyota"))[0], strict=True))
    assert [code[f"brand = {brand}"] for brand in BRANDS] == [0, 1, 0]

    judging = table("Ford", "Lada", "Lada", None, "Seat")
    assert unseen_levels(plan(), table(*BRANDS), judging, "fold 2") == {"brand": 3}
    assert encoder.transform(judging)[1].tolist() == [1.0, 0, 0, 0]  # the number, and none of the three brands
    with pytest.raises(DataError) as caught:
        unseen_levels(plan(unseen="refuse"), table(*BRANDS), judging, "fold 2")
    assert (caught.value.code, caught.value.where) == ("PEN153", "column 'brand'")
    assert "3 validation row(s) of fold 2 have a level of 'brand'" in caught.value.what
    assert "'Lada', 'Seat'" in caught.value.what
    assert "unseen: accept" in caught.value.remedy


def test_levels_that_are_known_or_missing_are_no_matter() -> None:
    assert unseen_levels(plan(unseen="refuse"), table(*BRANDS), table("Fiat", None), "fold 1") == {}
