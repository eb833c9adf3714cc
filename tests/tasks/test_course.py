"""The seven steps: taken in order, or refused."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from penstock.components.preprocessing.plan import make_plan
from penstock.components.preprocessing.preparation import build_preparation
from penstock.components.schema import infer_schema
from penstock.context import Run
from penstock.errors import UsageError
from penstock.evidence.folds import Fold, Folds
from penstock.problems.fits import Prepared
from penstock.store import Store
from penstock.tasks.course import PIPELINE_FILE, STEPS, check_stage_order, course
from tests.stages import prepare

STAGES = [
    PIPELINE_FILE, "ingest", "validate", "split", "analyse", "learn suite", "plan", "prepare fold 1",
    "fit ridge #1 fold 1", "prepare fold 2", "fit ridge #1 fold 2", "select", "train",
    "evaluate",
]  # fmt: skip


@pytest.mark.covers("proc_supervised_pipeline_seven")
def test_the_seven_steps_are_listed_in_order_with_what_did_them() -> None:
    taken = course(STAGES, [3, 4, 5])
    assert [step.step for step in taken] == [1, 2, 3, 4, 5, 6, 7]
    assert [step.name for step in taken] == list(STEPS.values())
    assert taken[2].stages == ["plan", "prepare"]
    assert taken[3].stages == taken[4].stages == ["prepare"]
    assert taken[5].stages == ["fit", "select", "train"]
    assert taken[6].stages == ["evaluate"]


@pytest.mark.covers("proc_supervised_pipeline_seven")
@pytest.mark.parametrize("skipped", [3, 4, 5, 6, 7])
def test_a_flow_that_skips_a_step_is_refused(skipped: int) -> None:
    kinds = {3: "plan", 6: "fit|select|train", 7: "evaluate"}
    stages = [stage for stage in STAGES if not re.match(kinds.get(skipped, "$"), stage)]
    with pytest.raises(UsageError, match=f"step {skipped} .* was skipped") as caught:
        course(stages, [step for step in (3, 4, 5) if step != skipped])
    assert caught.value.code == "PEN233"
    assert "1 Analyse the problem, 2 Collect" in caught.value.remedy


@pytest.mark.covers("proc_supervised_pipeline_seven")
@pytest.mark.parametrize(
    ("stages", "preparing", "words"),
    [
        ([stage for stage in STAGES if stage != "plan"], [4, 3, 5], "step 4 .* before step 3"),
        (STAGES, [3, 5, 4], "step 5 .* before step 4"),
        ([*STAGES[:7], "fit ridge #1 fold 1", "prepare fold 1", *STAGES[11:]], [3, 4, 5],
         "step 6 .* before step 5"),
        ([*STAGES[:-2], "evaluate", "train"], [3, 4, 5], "step 7 .* before step 6"),
    ],
    ids=["3 and 4", "4 and 5", "5 and 6", "6 and 7"],
)  # fmt: skip
def test_a_flow_that_swaps_two_steps_is_refused(stages: list[str], preparing: list[int], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        course(stages, preparing)
    assert caught.value.code == "PEN233"


def prepared(store: Store) -> tuple[Prepared, np.ndarray]:
    """One fold of rows with missing values, of whose three columns one is selected."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(120, 3)), columns=["a", "b", "c"]).assign(y=lambda rows: rows["b"])
    frame.loc[::7, "a"] = np.nan
    schema = infer_schema(frame, problem="regression", target_type="quantity", target="y")
    facts = {name: {"missing": float(frame[name].isna().mean()), "distinct": 100} for name in "abc"}
    settings = {"impute": ("median", {}), "scale": ("standard", {}), "rare": 0.01, "text_components": 5}
    plan = make_plan(schema, facts, select=("mutual-information", {"keep": 1}), **settings)
    y, train, valid = frame["y"].to_numpy(), np.arange(80), np.arange(80, 120)
    folds = Folds(y, 0, [Fold(train, valid)]).save(store)
    made = prepare(store, store.put_facts(plan), store.put_frame(frame), folds, 0, 0)
    return made, build_preparation(plan, seed=0).fit_transform(frame.iloc[train], y[train])


@pytest.mark.covers("proc_supervised_pipeline_seven")
def test_correlations_are_studied_after_values_are_filled_and_before_features_are_selected(tmp_path: Path) -> None:
    store = Store(tmp_path)
    made, whole = prepared(store)
    assert made.study is not None
    study = store.facts(made.study)
    assert study.steps == [3, 4, 5]
    assert (study.features, store.facts(made.names)) == (4, ["b"])  # a, b, c, and where a is missing
    assert all(np.isfinite(pair.r) for pair in study.pairs)
    assert study.with_target[0].model_dump() == {"feature": "b", "r": pytest.approx(1)}
    np.testing.assert_array_equal(store.matrix(made.train), whole)


@pytest.mark.covers("proc_supervised_pipeline_seven")
def test_the_journal_decides(tmp_path: Path) -> None:
    run = Run(
        id="r", pipeline="p", home=tmp_path, folder=tmp_path / "run", base=tmp_path, tracking_uri="", engine="plain"
    )
    made, _ = prepared(run.store)
    for stage in STAGES[1:-2]:
        run.note({"event": "stage", "stage": stage})
    with pytest.raises(UsageError, match=r"step 7 .* was skipped"):
        check_stage_order(run, made)
    for stage in STAGES[-2:]:
        run.note({"event": "stage", "stage": stage})
    taken = check_stage_order(run, made)
    assert taken is not None
    assert len(taken.course) == 7
    run.note({"event": "stage", "stage": "fit ridge #2 fold 1"})
    with pytest.raises(UsageError, match=r"step 7 .* came before step 6"):
        check_stage_order(run, made)
