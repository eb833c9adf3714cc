"""What the kinds of other packages are made to try: no test set, and predictions of another length than the input."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from penstock.components.catalog import build, find
from penstock.components.schema import Column, Schema
from penstock.model import PenstockModel
from penstock.spec.pipeline import Spec
from tests.conformance.examples import EXAMPLES


def spec(problem: str, **more: Any) -> Spec:
    return Spec.model_validate({"name": "a", "problem": problem, "data": {"source": "a.csv"}, **more})


def test_a_kind_without_a_test_set_has_none_to_cut() -> None:
    assert spec("ranges").split.test is None
    assert spec("ranges", split={"seed": 3, "test": None}).split.seed == 3
    for key, value in (("test", 0.2), ("within", "user"), ("given", {"column": "part", "test": "test"})):
        with pytest.raises(ValueError, match=f"a ranges sets no rows apart as a test; leave split.{key} out"):
            spec("ranges", split={key: value})
    with pytest.raises(ValueError, match="a density is evaluated by test rows"):
        spec("density", split={"test": None})


def test_steps_of_every_preparation_are_for_kinds_of_other_packages_too() -> None:
    assert find("standard", "scaler", "ranges").name == "standard"
    assert build("standard", {}, seed=0, problem="ranges").with_mean


def test_predictions_may_be_of_another_length_than_what_they_are_asked_for() -> None:
    example = EXAMPLES["baskets"]
    tables = {"purchases": example.rows(80, 0), "users": example.beside["users"](80, 0)}
    popular = build("popular", {}, seed=0, problem="baskets").fit(tables)
    columns = [Column(name="user", role="group", reason="a test")]
    model = PenstockModel(popular, Schema(columns=columns, problem="baskets"), {"rules": []}, {})
    told = model.score_frame(pd.DataFrame({"user": ["u3", "u3", "new"]}), enforce=False)
    assert told["user"].tolist() == 3 * ["u3"] + 3 * ["new"]
    assert told["place"].tolist() == [1, 2, 3, 1, 2, 3]
    assert told["item"].tolist()[3:] == tables["purchases"]["item"].value_counts().index[:3].tolist()
