"""What a run puts on record: the question it answers, what cleaning dropped, both values of every loss."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from penstock.components.evaluation.metrics import shown
from penstock.components.schema import Column, Schema
from penstock.errors import PenstockError
from penstock.flows.supervised import supervised
from penstock.home.runs import read_document
from penstock.model import load_bundle
from penstock.problems.data import SplitFacts
from penstock.settings import Settings
from penstock.spec.reading import load_spec
from penstock.tasks.cleaning import cleaning
from penstock.tracking import Tracking
from tests.documents import part
from tests.small import classification, clusters, regression


def run(pipeline: Path) -> dict[str, Any]:
    return supervised.fn(str(pipeline), engine="plain").as_json()


def tags() -> dict[str, str]:
    settings = Settings.from_environment()
    return dict(Tracking(settings.tracking_uri, settings.artifact_root).runs()[0]["tags"])


@pytest.mark.slow
@pytest.mark.covers("proc_data_science_process")
def test_question_inputs_and_target_are_on_record_before_any_stage(tmp_path: Path, home: Path) -> None:
    pipeline = classification(tmp_path / "project", question="Who leaves us within a year?")
    (tmp_path / "project" / "data.csv").write_text("no,rows\n")
    with pytest.raises(PenstockError):
        run(pipeline)
    found = tags()
    assert found["penstock.question"] == "Who leaves us within a year?"
    assert found["penstock.inputs"] == "the columns of data.csv, without “left”"
    assert found["penstock.target"] == "left"


@pytest.mark.covers("proc_data_science_process")
def test_every_pipeline_has_a_question(tmp_path: Path) -> None:
    asked = [load_spec(make(tmp_path / make.__name__)).asked for make in (classification, regression, clusters)]
    assert asked == [
        "Which class of “left” does a row belong to, going by its other columns?",
        "Which value of “y” does a row have, going by its other columns?",
        "Which groups of similar rows are there?",
    ]


@pytest.mark.slow
@pytest.mark.covers(
    "proc_loss_then_out_of_sample",
    "proc_cleaning_with_counts",
    "proc_data_science_process",
    "proc_supervised_pipeline_seven",
)
def test_a_run_tells_its_question_both_losses_and_what_it_dropped(tmp_path: Path, home: Path) -> None:
    pipeline = classification(tmp_path / "project", data={"columns": {"c": "ignore"}}, search={"fits": 6})
    source = tmp_path / "project" / "data.csv"
    frame = pd.read_csv(source).assign(same="x")
    frame.loc[:6, "left"] = np.nan
    frame.to_csv(source, index=False)
    document = run(pipeline)
    page = Path(document["artifacts"]["report"]).read_text()

    assert document["question"] == {
        "asked": "Which class of “left” does a row belong to, going by its other columns?",
        "inputs": ["a", "b", "plan", "since"],
        "target": "left",
    }
    assert '<p class="lede">Which class of “left” does a row belong to' in page

    # The same loss, in sample and out of sample, of the model that ships.
    bundle = load_bundle(Path(document["artifacts"]["model"]))
    learnt = document["in_sample"]
    assert learnt.keys() == document["metrics"].keys() == {one.name for one in shown(2)}
    assert document["metrics"]["neg_log_loss"]["value"] != learnt["neg_log_loss"]
    assert "On training rows" in page
    assert f"{learnt['accuracy']:.3f}" in page
    assert "on the rows that the model was trained on" in page
    assert bundle.schema.target == "left"

    # The steps are taken in order, as the run's journal and what prepared the folds have them.
    assert [(step["step"], step["stages"]) for step in document["course"]] == [
        (1, ["pipeline file"]),
        (2, ["ingest", "validate", "split", "analyse", "learn suite"]),
        (3, ["plan", "prepare"]),
        (4, ["prepare"]),
        (5, ["prepare"]),
        (6, ["fit", "prune", "select", "train"]),
        (7, ["evaluate"]),
    ]
    assert document["prepared"]["with_target"][0]["feature"] in ("a", "b")
    assert "The 7 steps, in order" in page
    assert "prepared features" in page

    dropped = document["cleaning"]
    assert dropped["before"] == {"rows": 240, "columns": 8}
    assert dropped["after"] == {"rows": 233, "columns": 6}
    assert dropped["rows"] == {"no value of the target 'left'": 7}
    assert dropped["columns"].keys() == {"c", "same"}
    assert dropped["columns"]["same"] == "it has the same value in all training rows"
    assert dropped["set_aside"] == {}
    assert "240 rows by 8 columns became 233 rows by 6 columns" in page
    assert read_document(home, document["run"]["id"]).as_json()["cleaning"] == dropped

    # On what it left, cleaning drops nothing.
    frame.dropna(subset="left").drop(columns=[*dropped["columns"]]).to_csv(source, index=False)
    settings = yaml.safe_load(pipeline.read_text())
    del settings["data"]["columns"]
    settings["name"] = "cleaned"
    pipeline.write_text(yaml.safe_dump(settings))
    again = run(pipeline)["cleaning"]
    assert again["before"] == again["after"] == dropped["after"]
    assert again["rows"] == again["columns"] == {}


def test_rows_that_are_fit_but_not_used_are_set_aside() -> None:
    schema = Schema(problem="regression", target="y", columns=[Column(name="y", role="target", reason="")])
    found = cleaning(schema, {}, part(SplitFacts, {"rows": 90, "without_target": 10, "in_gap": 5}), source_rows=1000)
    assert (found.before.rows, found.after.rows) == (100, 90)
    assert list(found.set_aside.values()) == [900, 5]
