"""What is said of columns that hold no kernel, before anything is fitted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.preprocessing.plan import Plan
from penstock.context import Run
from penstock.errors import DataError
from penstock.tasks.check import require_kernel

KERNEL = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]])
NAMES = ["a", "b", "c"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(
        id="r", pipeline="p", home=tmp_path, folder=tmp_path, base=tmp_path, tracking_uri="", engine="plain",
        memory_mb=1,
    )  # fmt: skip


def judged(run: Run, values: Any, role: str = "numeric", missing: float = 0.0) -> None:
    groups = [{"role": "numeric", "columns": NAMES[:2]}, {"role": role, "columns": NAMES[2:]}]
    facts = {"columns": {name: {"missing": missing} for name in NAMES}}
    frame = run.store.put_frame(pd.DataFrame(values, columns=NAMES))
    plan = run.store.put_facts({"problem": "any", "groups": groups, "left_out": {}, "text_components": 0}).holding(Plan)
    require_kernel(run, plan, run.store.put_facts(facts), frame)


def test_a_kernel_passes_also_where_a_column_holds_only_0_and_1(run: Run) -> None:
    judged(run, KERNEL)
    judged(run, np.eye(3), role="boolean")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (KERNEL + np.triu(KERNEL, 1) / 10, "not symmetric"),
        (np.where(KERNEL == 0, -0.9, KERNEL), "least eigenvalue is -0"),
        (KERNEL * [1, 3, 1], "rows 0 and 1 .* differ, and both are most alike to 'b'"),
        (np.where(KERNEL == 0.5, 1.0, KERNEL), "differ"),
    ],
)
def test_columns_that_are_no_kernel_are_said(run: Run, values: Any, words: str) -> None:
    with pytest.raises(DataError, match=words) as caught:
        judged(run, values)
    assert caught.value.code == "PEN237"
    assert caught.value.where == "the training rows"
    for remedy in ("root of both diagonals", "scale nothing else", "write all digits"):
        assert remedy in caught.value.remedy


def test_columns_that_are_no_numbers_and_gaps_are_said(run: Run) -> None:
    with pytest.raises(DataError, match="has to hold kernel values, and 1 hold something else: 'c'") as caught:
        judged(run, KERNEL, role="nominal")
    assert (caught.value.code, caught.value.where) == ("PEN223", "data.columns")
    assert "c: ignore" in caught.value.remedy
    with pytest.raises(DataError, match="kernel values are missing in 3") as caught:
        judged(run, KERNEL, missing=0.1)
    assert (caught.value.code, caught.value.where) == ("PEN224", "column 'a'")
    assert "every value is needed" in caught.value.remedy
