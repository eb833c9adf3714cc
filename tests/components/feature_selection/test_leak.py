"""Selection inside folds tells nothing of noise; the same selection on all rows tells tales."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from penstock.components.catalog import build
from penstock.components.preprocessing.plan import make_plan
from penstock.components.preprocessing.preparation import build_preparation, fit_steps
from penstock.components.schema import Column, Schema

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

Array = np.ndarray[Any, Any]


def noise(rows: int, columns: int, seed: int) -> tuple[pd.DataFrame, Array]:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(rows, columns)), columns=[f"x{number}" for number in range(columns)])
    return frame, rng.permutation(np.arange(rows) % 2)


def preparation(frame: pd.DataFrame, select: tuple[str, dict[str, Any]] | None) -> Any:
    """As a pipeline file would have it, for a table of numbers."""
    schema = Schema(
        columns=[Column(name=name, role="numeric", reason="said") for name in frame.columns], problem="classification"
    )
    facts = {name: {"missing": 0.0, "distinct": len(frame)} for name in frame.columns}
    plan = make_plan(
        schema, facts, impute=("median", {}), scale=("standard", {}), rare=0, text_components=1, select=select
    )
    return build_preparation(plan, seed=0)


def out_of_fold(
    frame: pd.DataFrame, y: Array, select: tuple[str, dict[str, Any]], *, leak: bool, folds: int = 5
) -> Array:
    """Probabilities for rows that the model did not learn from; with a leak, the selector did."""
    if leak:
        chosen = preparation(frame, select)
        fit_steps(chosen, frame, y)
        frame = frame.loc[:, chosen["select"].get_support()]
    probabilities = np.empty(len(y))
    for train, valid in StratifiedKFold(folds, shuffle=True, random_state=0).split(frame, y):
        prepared = preparation(frame, None if leak else select)
        matrix = fit_steps(prepared, frame.iloc[train], y[train])
        model = build("logistic-regression", {}, seed=0, problem="classification").fit(matrix, y[train])
        probabilities[valid] = model.predict_proba(prepared.transform(frame.iloc[valid]))[:, 1]
    return probabilities


@pytest.mark.covers("fs-sequential-cv", "cl_feature_selection_leak")
def test_columns_added_one_by_one_tell_tales_outside_folds_too() -> None:
    select = ("forward-selection", {"keep": 2, "folds": 2})
    right: dict[bool, list[Any]] = {True: [], False: []}
    for seed in range(2):
        frame, y = noise(40, 60, seed)
        for leak, answers in right.items():
            answers += ((out_of_fold(frame, y, select, leak=leak, folds=3) > 0.5) == y).tolist()
    assert np.mean(right[True]) > 0.7
    assert np.mean(right[False]) < 0.6


@pytest.mark.covers("proc_selection_inside_model_selection", "cl_feature_selection_leak")
def test_accuracy_on_noise_is_chance_inside_folds_and_wonderful_outside() -> None:
    frame, y = noise(60, 2000, seed=0)
    accuracy = {
        leak: np.mean((out_of_fold(frame, y, ("anova", {"keep": 20}), leak=leak) > 0.5) == y) for leak in (True, False)
    }
    assert accuracy[True] > 0.9
    assert accuracy[False] < 0.65


SELECTORS: list[tuple[str, dict[str, Any]]] = [
    ("correlation", {"keep": 10}),
    ("l1", {"alpha": 0.05}),
    ("tree-importance", {"keep": 10, "trees": 20}),
]


@pytest.mark.parametrize("select", SELECTORS, ids=lambda select: select[0])
def test_no_selector_leaks(select: tuple[str, dict[str, Any]]) -> None:
    """200 columns of noise and labels that are shuffled: the mean of a few draws is near one half."""
    honest, leaky = [], []
    for seed in range(2):
        frame, y = noise(100, 200, seed)
        honest.append(roc_auc_score(y, out_of_fold(frame, y, select, leak=False)))
        leaky.append(roc_auc_score(y, out_of_fold(frame, y, select, leak=True)))
    assert np.mean(honest) == pytest.approx(0.5, abs=0.12)
    assert np.mean(leaky) > np.mean(honest) + 0.15


@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), change=st.sampled_from(["values", "labels", "both"]))
def test_what_is_chosen_hangs_on_no_row_that_judges(seed: int, change: str) -> None:
    frame, y = noise(60, 30, seed)
    rng = np.random.default_rng(seed)
    train, valid = np.arange(40), np.arange(40, 60)
    changed, labels = frame.copy(), y.copy()
    if change != "labels":
        changed.iloc[valid] = rng.normal(scale=100, size=(20, 30))
    if change != "values":
        labels[valid] = 1 - labels[valid]
    kept = []
    for rows, classes in ((frame, y), (changed, labels)):
        prepared = preparation(rows, ("correlation", {"keep": 5}))
        fit_steps(prepared, rows.iloc[train], classes[train])
        kept.append(prepared["select"].get_support().tolist())
    assert kept[0] == kept[1]
