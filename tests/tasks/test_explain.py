"""What can be asked of these rows, said before anything is fitted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.schema import conform, infer_schema
from penstock.context import Run
from penstock.errors import PenstockError, UsageError
from penstock.problems.data import DataSplit, Rows
from penstock.spec.checked import load_checked_spec
from penstock.spec.evaluation import Evaluation
from penstock.store import Ref
from penstock.tasks.explain import check_evaluation
from tests.small import clusters, regression


def check(folder: Path, asked: dict[str, Any], *, classes: int = 2, count: int = 60) -> None:
    run = Run(id="r", pipeline="p", home=folder, folder=folder, base=folder, tracking_uri="", engine="plain")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=count), "same": "a", "code": [f"c{place}" for place in range(count)]})
    frame = frame.assign(town=rng.choice(["Bari", "Como"], count), y=[f"k{place % classes}" for place in range(count)])
    schema = infer_schema(
        frame, problem="classification", target_type="classes", target="y", roles={"code": "ignore", "same": "ignore"}
    )
    stored, nothing = run.store.put_frame(conform(frame, schema, strict=True)), run.store.put_facts({})
    rows = Rows(received=stored, frame=stored, schema_=run.store.put_facts(schema), reading=nothing)
    data_split = DataSplit(train=stored, test=stored, folds=nothing, facts=nothing, n_folds=2)
    check_evaluation(run, rows, data_split, Evaluation(**asked))


@pytest.mark.parametrize(
    ("asked", "more", "code", "words"),
    [
        ({"slices": ["twon"]}, {}, "PEN402", "did you mean 'town'?"),
        ({"slices": ["y"]}, {}, "PEN403", "what the model predicts"),
        ({"slices": ["same"]}, {}, "PEN044", "nothing to compare"),
        ({"fairness": ["code"]}, {}, "PEN044", "60 different values"),
        ({"fairness": ["town"]}, {"classes": 3}, "PEN045", "evaluation.slices"),
        ({"bias_variance": True}, {"count": 40}, "PEN047", "40 training rows are too few"),
    ],
    ids=["unknown", "target", "constant", "too many", "three classes", "few rows"],
)
def test_what_these_rows_cannot_give_is_refused(
    tmp_path: Path, asked: dict[str, Any], more: dict[str, Any], code: str, words: str
) -> None:
    with pytest.raises(PenstockError) as caught:
        check(tmp_path, asked, **more)
    assert caught.value.code == code
    assert words in str(caught.value)


def test_what_they_can_give_is_not(tmp_path: Path) -> None:
    check(tmp_path, {"slices": ["town", "x"], "fairness": ["town"], "bias_variance": True})


def test_what_is_only_planned_is_not_looked_at(tmp_path: Path) -> None:
    waiting = Ref(kind="pending", digest="split")
    run = Run(id="r", pipeline="p", home=tmp_path, folder=tmp_path, base=tmp_path, tracking_uri="", engine="plan")
    data_split = DataSplit(train=waiting, test=waiting, folds=waiting, facts=waiting, n_folds=0)
    rows = Rows(received=waiting, frame=waiting, schema_=waiting, reading=waiting)
    check_evaluation(run, rows, data_split, Evaluation(slices=["any"]))


def test_fairness_of_a_regression_is_refused_with_the_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not make") as caught:
        load_checked_spec(str(regression(tmp_path, evaluation={"fairness": ["a"]})))
    assert caught.value.code == "PEN045"


@pytest.mark.parametrize(
    "asked",
    [
        {"evaluation": {"curves": True}},
        {"search": {"ensembles": ["voting"]}},
        {"search": {"rule": "one-standard-error"}},
    ],
    ids=["curves", "ensembles", "rule"],
)
def test_a_clustering_has_no_predictions_to_look_at(tmp_path: Path, asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="which a clustering does not make") as caught:
        load_checked_spec(str(clusters(tmp_path, **asked)))
    assert caught.value.code == "PEN025"
