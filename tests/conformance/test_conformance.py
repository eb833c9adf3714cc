"""What every kind of question does, ours and those of other packages."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import penstock
from penstock import api
from penstock.components.catalog import ANY
from penstock.document.run import RunDocument
from penstock.errors import DataError
from penstock.flows.monitor import monitor
from penstock.model import load_bundle
from penstock.problems import find, names
from penstock.problems.predictions import predictions_of
from penstock.settings import Settings
from tests.conformance.examples import EXAMPLES
from tests.conformance.projects import LARGEST, ROWS, Done, read, states
from tests.conftest import Cli
from tests.e2e.harness import tracking_of


def model_of(done: Done) -> penstock.model.PenstockModel:
    return penstock.load(f"{done.name}@champion")


def folder_of(kind: str) -> str:
    """Where the modules lie that are of this kind alone."""
    return find(kind).predictions.partition(":")[0].rpartition(".")[0]


def test_every_kind_has_an_example() -> None:
    assert sorted(EXAMPLES) == sorted(names())


def test_catalog(kind: str, cli: Cli) -> None:
    status, out, err = cli("catalog", "--problem", kind, "--json")
    assert status == 0, err
    listed = {entry["name"]: entry for entry in json.loads(out)["entries"]}
    assert set(find(kind).candidates) <= {*listed}
    assert all({kind, ANY} & {*listed[name]["problems"]} for name in find(kind).candidates)


def test_schema(kind: str, cli: Cli) -> None:
    status, out, err = cli("schema")
    assert status == 0, err
    problem = json.loads(out)["properties"]["problem"]
    assert kind in problem["enum"]
    assert f"{kind}: {find(kind).summary}" in problem["description"]


def test_run(done: Done) -> None:
    document = done.document
    assert document.problem == done.problem
    assert states(document) == {"ran"}
    assert document.winner.name == next(iter(done.example.good[0]))
    scores = {name: score.value for name, score in document.metrics.items()} or document.in_sample
    assert document.metric in scores
    assert np.isfinite([*scores.values()]).all()
    assert document.question.asked == find(done.problem).asked(document.question.target)
    assert RunDocument.from_bytes(document.to_bytes()) == document


def test_units_are_set_apart(done: Done) -> None:
    data, apart = done.document.as_json()["data"], find(done.problem).sets_apart
    assert data["train_rows"] + data["test_rows"] == data["rows"] == ROWS
    assert (data["test_rows"] > 0) == apart
    assert bool(done.document.metrics) == apart
    assert all(score.low <= score.value <= score.high for score in done.document.metrics.values())


def test_the_further_tables_are_split_with_their_units(done: Done) -> None:
    found = {table.name: table for table in done.document.data.tables}
    assert found.keys() == done.example.beside.keys()
    assert all(table.training_rows + table.test_rows == table.rows for table in found.values())
    units = done.document.data.units
    assert (units is None) == (find(done.problem).unit == "row")
    assert units is None or min(units.training, units.test) > 0


def test_plan_before_anything_has_run(done: Done, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_HOME", str(tmp_path / "new"))
    told = api.plan(done.pipeline)
    assert {stage["state"] for stage in told} == {"would run"}
    assert {"ingest", "split", "train", "evaluate", "compare", "register"} <= {stage["stage"] for stage in told}
    assert not list((tmp_path / "new").glob("store/frames/*"))


def test_plan_of_what_has_run(done: Done) -> None:
    would_run = [stage["stage"] for stage in api.plan(done.pipeline) if stage["state"] != "cached"]
    assert would_run == ["report"]


def test_rerun(done: Done) -> None:
    again = done.run()
    assert states(again) == {"cached"}
    assert again.winner == done.document.winner
    assert again.metrics == done.document.metrics
    assert again.verdict == done.document.verdict
    assert again.run.cached_from == done.document.run.id


def test_an_edit_elsewhere_runs_nothing_again(done: Done) -> None:
    """No stage's key holds a module of another kind, and each holds the function of this one that it called."""
    code = {record.stage: {*record.parts["code"]} for record in done.records()}
    others = tuple(f"{folder_of(name)}." for name in names() if name != done.problem)
    assert not [module for modules in code.values() for module in modules if module.startswith(others)]
    functions = find(done.problem).functions
    for stage in ("fit", "select", "train", "evaluate", "compare", "draw"):
        assert functions[stage].partition(":")[0] in code[stage], stage


def test_score(done: Done) -> None:
    fresh = done.recent("to-score", rows=60)
    told = api.score(f"{done.name}@champion", fresh, done.folder / "scored.csv")
    assert (told["rows"], told["scored"]) == (60, 60)
    found, model = read(done.folder / "scored.csv"), model_of(done)
    expected = model.score_frame(read(fresh))
    named = [] if model.predictions.keys else ["id"]
    assert list(found.columns) == [*named, *expected.columns]
    for name in named:
        assert found[name].tolist() == read(fresh)[name].tolist()
    for name in expected.columns:
        if pd.api.types.is_numeric_dtype(expected[name]):
            assert found[name].to_numpy(float) == pytest.approx(expected[name].to_numpy(float))
        else:
            assert found[name].astype(str).tolist() == expected[name].astype(str).tolist()


def test_a_breach_of_the_contract_is_refused_or_put_aside(done: Done) -> None:
    broken = read(done.recent("fine", rows=40))
    broken.loc[7, done.example.moved] = 2 * LARGEST
    broken.to_csv(done.folder / "broken.csv", index=False)
    with pytest.raises(DataError) as caught:
        model_of(done).score_frame(broken)
    assert (caught.value.code, caught.value.exit_status) == ("PEN505", 3)
    assert done.example.moved in f"{caught.value.what} {caught.value.where}"
    told = api.score(
        f"{done.name}@champion", done.folder / "broken.csv", done.folder / "rest.csv", on_breach=["quarantine"]
    )
    assert (told["rows"], told["scored"]) == (40, 39)


def test_drift(done: Done) -> None:
    same = monitor.fn(f"{done.name}@champion", str(done.recent("same")), engine="plain")
    assert not same["drifted"], same["words"]
    problem, compared = find(done.problem), {"inputs"}
    compared |= {"predictions"} if problem.sets_apart and predictions_of(problem.name).recorded else set()
    compared |= {"performance"} if problem.answers_known else set()
    assert {family["name"] for family in same["families"]} == compared
    moved = done.recent("moved", **done.shifted(20.0))
    other = monitor.fn(f"{done.name}@champion", str(moved), engine="plain")
    assert other["drifted"]
    shifted = {one["column"] for family in other["families"] for one in family["found"] if one["drifted"]}
    assert done.example.moved in shifted


def test_report(done: Done) -> None:
    page = Path(done.document.artifacts.report).read_text()
    text = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))
    assert done.document.question.asked in text
    assert done.document.winner.name in text
    assert "goes into service as the first one" in text
    assert [score.label for score in done.document.metrics.values() if score.label.lower() not in text.lower()] == []
    assert "<script src" not in page


def test_mlflow(done: Done) -> None:
    tracking = tracking_of(done.home)
    logged = next(run for run in tracking.runs(done.name) if run["run"] == done.document.run.id)
    assert logged["status"] == "FINISHED"
    for name, score in done.document.metrics.items():
        assert logged["metrics"][name] == pytest.approx(score.value)
    assert logged["tags"]["penstock.winner"] == done.document.winner.name
    version = tracking.registry.champion(done.name)
    assert version is not None
    assert version.run_id == done.document.run.mlflow_run
    model = load_bundle(tracking.registry.download(done.name, "champion", done.folder / "download"))
    assert model.schema.problem == done.problem
    outputs = predictions_of(done.problem).outputs(model.schema)
    given = model.score_frame(read(done.recent("for-mlflow", rows=3)))
    assert outputs is None or [output.name for output in outputs] == list(given.columns)


def test_history_and_python(done: Done) -> None:
    told = api.history(done.name)[-1]
    assert told["run"] == done.document.run.id
    assert api.report(done.document.run.id) == Path(done.document.artifacts.report)
    decided = api.decisions(done.name)
    assert decided[0]["version"] == done.document.verdict.version


@pytest.mark.slow
def test_python_api_with_prefect(done: Done, prefect_api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same results, found where the plain calls have left them."""
    monkeypatch.setenv("PREFECT_API_URL", prefect_api)
    Settings.from_environment().apply()
    result = api.run(done.pipeline)
    assert states(result.document) == {"cached"}
    assert result.metrics == done.document.metrics
    assert result.winner == done.document.winner.name
    assert result.verdict == "first"
