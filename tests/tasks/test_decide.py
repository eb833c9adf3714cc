"""What is refused before the search begins, and what decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.context import Run
from penstock.errors import UsageError
from penstock.problems.data import DataSplit, Rows
from penstock.spec.checked import load_checked_spec
from penstock.spec.pipeline import Spec
from penstock.tasks.decide import objective, require_decidable
from penstock.tasks.ingest import ingest, take
from penstock.tasks.split import split
from tests.small import classification, regression


def begun(pipeline: Path) -> tuple[Run, Spec, Rows, DataSplit]:
    """From the source to the split."""
    spec = load_checked_spec(str(pipeline))
    home = pipeline.parent / "home"
    base = pipeline.parent
    run = Run(id="x", pipeline=spec.name, home=home, folder=home / "runs", base=base, tracking_uri="", engine="plain")
    rows = ingest(run, spec.data, spec.problem, take(run, spec.data, "UTC"), None, 0)
    return run, spec, rows, split(run, rows, spec.split)


def three_classes(folder: Path, **changes: Any) -> Path:
    """With the plan as the target."""
    return classification(folder, rows=120, data={"target": "plan", "positive": None}, **changes)


@pytest.mark.parametrize(
    ("rows", "decision", "code", "what", "remedy"),
    [
        (120, {"costs": {"yess": {"no": 3}}}, "PEN030", "'yess' is not a class", "did you mean 'yes'?"),
        (120, {"calibrate": "isotonic"}, "PEN034", "needs 50 rows of every class", "`calibrate: sigmoid`"),
        (30, {"calibrate": "sigmoid"}, "PEN034", "needs 10 rows of every class", "`calibrate: none`"),
        (60, {"coverage": 0.99}, "PEN035", "needs 100 rows", "ask for 0.9"),
    ],
    ids=["costs", "isotonic", "sigmoid", "coverage"],
)
def test_what_the_rows_cannot_give(tmp_path: Path, rows: int, decision: Any, code: str, what: str, remedy: str) -> None:
    run, spec, ingested, data_split = begun(classification(tmp_path, rows=rows, decision=decision))
    with pytest.raises(UsageError) as caught:
        require_decidable(run, spec.decision, ingested, data_split)
    assert caught.value.code == code
    assert what in caught.value.what
    assert remedy in caught.value.remedy
    assert caught.value.where.startswith("decision.")


@pytest.mark.parametrize(
    ("decision", "code", "what"),
    [
        ({"threshold": 0.3}, "PEN033", "a threshold decides between two classes, and the target has 3"),
        ({"costs": {"false_positive": 2}}, "PEN030", "a false positive is an error between two classes"),
    ],
    ids=["threshold", "costs"],
)
def test_what_is_for_two_classes(tmp_path: Path, decision: Any, code: str, what: str) -> None:
    run, spec, rows, data_split = begun(three_classes(tmp_path, decision=decision))
    with pytest.raises(UsageError) as caught:
        require_decidable(run, spec.decision, rows, data_split)
    assert caught.value.code == code
    assert what in caught.value.what


def test_costs_decide_unless_another_metric_is_named(tmp_path: Path) -> None:
    costs = {"costs": {"basic": {"pro": 7}}}
    run, spec, rows, data_split = begun(three_classes(tmp_path, decision=costs))
    require_decidable(run, spec.decision, rows, data_split)
    assert objective(run, None, spec.decision, rows) == "neg_cost:0,1,7,1,0,1,1,1,0"
    assert objective(run, "neg_cost", spec.decision, rows) == "neg_cost:0,1,7,1,0,1,1,1,0"
    assert objective(run, "roc_auc_ovr", spec.decision, rows) == "roc_auc_ovr"


@pytest.mark.parametrize("name", ["f1", "f_beta:2", "roc_auc"])
def test_a_metric_of_two_classes_is_refused_for_three(tmp_path: Path, name: str) -> None:
    run, spec, rows, _ = begun(three_classes(tmp_path))
    with pytest.raises(UsageError, match="does not fit 3 classes") as caught:
        objective(run, name, spec.decision, rows)
    assert caught.value.code == "PEN011"


def test_a_coverage_of_a_regression_is_fine(tmp_path: Path) -> None:
    run, spec, rows, data_split = begun(regression(tmp_path, rows=60, decision={"coverage": 0.9}))
    require_decidable(run, spec.decision, rows, data_split)
    assert objective(run, None, spec.decision, rows) is None
