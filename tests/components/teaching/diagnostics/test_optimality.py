"""Conditions that hold at an optimum and nowhere else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from penstock.components.diagnostics import find
from penstock.errors import DataError


def table(classes: bool) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4)) @ rng.normal(size=(4, 4))
    value = X @ [1.0, -0.5, 0.2, 0.0] + rng.normal(size=120)
    frame = pd.DataFrame(X, columns=list("abcd"))
    return frame.assign(y=np.where(value > 0, "yes", "no") if classes else value)


NUMBERS = {"PCA", "whitening", "lasso", "least squares"}
CLASSES = {"PCA", "whitening", "logistic regression", "support vectors"}


@pytest.mark.covers("proc_optimality_checks")
@pytest.mark.parametrize(("classes", "methods"), [(False, NUMBERS), (True, CLASSES)], ids=["numbers", "classes"])
def test_every_condition_holds_at_the_fit_and_fails_beside_it(classes: bool, methods: set[str]) -> None:
    found = find("optimality")(table(classes), {"target": "y"})
    assert set(found.table.index.get_level_values("method")) == methods
    assert found.table["holds"].all(), found.table
    assert found.facts["failed"] == 0
    moved = find("optimality")(table(classes), {"target": "y", "perturb": 0.1})
    failed = moved.table.loc[~moved.table["holds"]]
    assert set(failed.index.get_level_values("method")) == methods
    assert len(moved.findings) == len(failed) + 1
    unmoved = moved.table.loc[moved.table["holds"]].index.tolist()
    assert set(unmoved) <= {
        ("least squares", "X'X positive definite"),
        ("lasso", "slope <= penalty elsewhere"),
        ("support vectors", "weights balance"),
    }


def test_columns_that_are_alike_leave_a_flat_direction() -> None:
    frame = table(False).assign(e=lambda rows: rows["a"] + rows["b"])
    found = find("optimality")(frame, {"target": "y"})
    assert not found.table.loc[("least squares", "X'X positive definite"), "holds"]


def test_a_target_of_many_words_is_refused() -> None:
    frame = table(True).assign(y=[f"w{number % 5}" for number in range(120)])
    with pytest.raises(DataError, match="5 classes") as caught:
        find("optimality")(frame, {"target": "y"})
    assert caught.value.code == "PEN049"


@pytest.mark.covers("proc_optimality_checks")
def test_costs_under_which_the_library_would_come_to_no_end() -> None:
    found = find("optimality")(table(True), {"target": "y", "C": 1e6})
    assert found.table.loc[("support vectors", "every row meets its condition"), "holds"]
