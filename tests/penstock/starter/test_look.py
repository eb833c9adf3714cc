from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.errors import DataError, PenstockError
from penstock.starter.look import budget, look

ROWS = 100


def table(**columns: Any) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame({"x": rng.normal(size=ROWS), **columns, "y": rng.choice(["no", "yes"], ROWS)})


def test_the_roles_and_the_problem_come_with_reasons() -> None:
    found = look(table(size=["small", "medium", "large", "small"] * 25), "y")
    assert (found.problem, found.metric, found.stratify) == ("classification", "roc_auc", True)
    assert "'y' holds 2 different words" in found.why
    assert [(column.name, column.role) for column in found.columns] == [("x", "numeric"), ("size", "ordinal")]
    assert not found.corrections


def test_nothing_is_learnt_from_the_target_but_its_kind() -> None:
    one, other = table(), table()
    other["y"] = other["y"].sample(frac=1, random_state=1).to_numpy()
    assert look(one, "y") == look(other, "y")


def test_without_a_target_rows_alike_are_looked_for() -> None:
    found = look(table())
    assert (found.problem, found.metric, found.target) == ("clustering", None, None)


def test_a_problem_that_was_asked_for_is_kept() -> None:
    rows = table().assign(y=[1, 2, 3, 4, 5] * 20)
    assert look(rows, "y").problem == "classification"
    assert look(rows, "y", "regression").problem == "regression"


@pytest.mark.parametrize(
    ("values", "role", "words"),
    [
        (["?", "1.5", "2", "2.5"] * 25, "nominal", "25 of 100 values are no numbers: '?'"),
        ([*map(str, range(ROWS - 1)), "many"], "ignore", "1 of 100 values are no numbers: 'many'"),
        ([1.0, np.inf] * 50, "nominal", "holds 50 infinite value(s)"),
        ([f"2024-01-{n % 28 + 1}" for n in range(99)] + ["soon"], "nominal", "1 values are no dates: 'soon'"),
        (list(range(500, 500 + ROWS)), "id", "it counts the rows"),
    ],
    ids=["numbers and words", "nearly numbers", "infinite", "nearly dates", "row numbers"],
)
def test_what_would_stop_or_mislead_a_run_is_corrected_and_said(values: list[Any], role: str, words: str) -> None:
    found = look(table(v=values), "y")
    assert found.corrections["v"].role == role
    assert words in found.corrections["v"].why


def test_the_fault_is_told_in_full_whatever_the_name() -> None:
    name = "Q2: how much: really"
    found = look(table(**{name: ["?", "1.5", "2", "2.5"] * 25}), "y")
    assert found.corrections[name].why.startswith("25 of 100 values are no numbers: '?'. ")


def test_classes_that_differ_only_in_case_are_found() -> None:
    assert "'YES', 'yes' differ only in case" in look(table().assign(y=["yes", "YES", "no", "no"] * 25), "y").why


def test_a_name_for_each_row_becomes_the_key_and_rows_that_belong_together_the_group() -> None:
    rows = table(visit_no=[f"v{n}" for n in range(ROWS)], patient_id=[f"p{n % 30}" for n in range(ROWS)])
    found = look(rows, "y")
    assert (found.key, found.group) == ("visit_no", "patient_id")


def test_the_larger_groups_are_taken() -> None:
    rows = table(customer_id=[n % 50 for n in range(ROWS)], household_id=[n % 25 for n in range(ROWS)])
    assert look(rows, "y").group == "household_id"


def test_a_published_split_is_kept_from_the_features_and_offered() -> None:
    found = look(table(part=["train", "train", "Test", "train"] * 25), "y")
    assert found.published == {"column": "part", "test": "Test"}
    assert found.corrections["part"].role == "ignore"
    assert look(table(part=["test", "exam"] * 50), "y").published is None


def test_classes_too_rare_for_every_fold_are_not_stratified() -> None:
    assert not look(table().assign(y=["a"] * 50 + ["b"] * 45 + ["c"] * 5), "y").stratify


@pytest.mark.parametrize(("rows", "features", "fits"), [(1000, 10, 60), (40_000, 20, 40), (60_000, 30, 20)])
def test_the_budget_suits_the_size(rows: int, features: int, fits: int) -> None:
    assert budget(rows, features, "classification") == fits
    assert budget(rows, features, "clustering") == 30


@pytest.mark.parametrize(
    ("target", "problem", "code", "words"),
    [
        ("yy", None, "PEN107", "did you mean 'y'?"),
        (None, "classification", "PEN004", "add `--target`"),
        ("y", "clasification", "PEN009", "did you mean 'classification'?"),
        ("y", "regression", "PEN119", "problem: classification"),
    ],
)
def test_what_nobody_could_learn_is_refused(target: str | None, problem: str | None, code: str, words: str) -> None:
    with pytest.raises(PenstockError) as caught:
        look(table(), target, problem)
    assert caught.value.code == code
    assert words in caught.value.remedy


def test_a_target_without_two_classes_is_refused() -> None:
    with pytest.raises(DataError) as caught:
        look(table().assign(y="yes"), "y")
    assert caught.value.code == "PEN111"
