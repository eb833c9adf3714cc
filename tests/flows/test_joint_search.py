"""Models and preparations searched together: the same on one worker or two, each preparation made once."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest

from penstock.api import plan
from penstock.components.catalog import entries
from penstock.components.search import Candidate
from penstock.context import Run
from penstock.errors import NoCandidateError, UsageError
from penstock.flows.lifecycle import open_run
from penstock.flows.preparations import Preparations
from penstock.flows.prepare_data import prepare_data
from penstock.flows.search import search_models, select_winner
from penstock.flows.supervised import supervised
from penstock.problems.data import DataSplit
from penstock.problems.fits import Fit
from penstock.problems.training import TrainRequest
from penstock.settings import Settings
from penstock.spec.checked import load_checked_spec
from penstock.spec.pipeline import Spec
from penstock.store import Ref
from penstock.tasks.select import survivors
from penstock.tasks.train import train
from penstock.tracking import Tracking
from tests.conftest import PLUGIN
from tests.small import classification

STRATEGIES = ["random", "grid", "halving", "tpe"]
JOINT: dict[str, Any] = {
    "models": [{"logistic-regression": {"C": [0.1, 1.0], "penalty": "l2", "class_weight": None}}],
    "preparation": {"scale": ["standard", "robust"]},
    "features": {"select": ["none", {"mutual-information": {"keep": [2, 4]}}]},
    "split": {"folds": 2},
    "search": {"fits": 26, "batch": 4},
}


class Found(NamedTuple):
    winner: Ref
    evidence: Ref
    model: str
    fits: list[Fit]
    prepared: list[str]


def search(run: Run, pipeline: Path, *overrides: str) -> Found:
    """Everything up to the trained model."""
    spec = load_checked_spec(str(pipeline), list(overrides))
    before = len(run.journal("stage"))
    ground = prepare_data(run, spec, None)
    preparations = Preparations(run, spec, ground)
    fits = search_models(run, spec, ground.data_split, preparations)
    selection = select_winner(run, spec, fits, ground.data_split, spec.search.metric)
    ground, _ = preparations.of_winner(selection)
    request = TrainRequest(
        rows=ground.rows,
        data_split=ground.data_split,
        plan=ground.plan,
        suite=ground.suite,
        winner=selection.winner,
        name=spec.name,
        seed=spec.split.seed,
    )
    model = train(run, spec.problem, request)
    made = [event["stage"] for event in run.journal("stage")[before:] if event["stage"].startswith("prepare")]
    return Found(selection.winner, selection.evidence, model.model.digest, fits, made)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> dict[int, dict[str, Found]]:
    """By the number of workers and the strategy; each number in a home of its own."""
    results: dict[int, dict[str, Found]] = {}
    for workers in (1, 2):
        folder = tmp_path_factory.mktemp("joint")
        shutil.copy(migrated_database, folder / "mlflow.db")
        pipeline = classification(folder, rows=150, limits={"workers": workers}, **JOINT)
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("PENSTOCK_HOME", str(folder))
            Settings.from_environment().apply()
            with open_run(load_checked_spec(str(pipeline)), str(pipeline), None, "plain") as run:
                results[workers] = {
                    strategy: search(run, pipeline, f"search.strategy={strategy}") for strategy in STRATEGIES
                }
    return results


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_worker_or_two_give_the_same_winner_and_digests(found: dict[int, dict[str, Found]], strategy: str) -> None:
    one, two = found[1][strategy], found[2][strategy]
    assert (one.winner.digest, one.evidence.digest, one.model) == (two.winner.digest, two.evidence.digest, two.model)
    assert [fit.candidate for fit in one.fits] == [fit.candidate for fit in two.fits]
    assert [fit.status for fit in one.fits] == [fit.status for fit in two.fits]
    assert len({fit.candidate.label.partition("(")[2] for fit in one.fits}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_preparation_is_made_once_for_a_fold_and_shared(found: dict[int, dict[str, Found]], strategy: str) -> None:
    for one in (found[1][strategy], found[2][strategy]):
        assert len(one.prepared) == len(set(one.prepared)) <= 6 * 2
        assert len(one.fits) > 6


@pytest.mark.slow
@pytest.mark.covers("proc_grid_or_random_search", "proc_refit_rule")
def test_the_whole_run_knows_what_was_chosen(tmp_path: Path, home: Path) -> None:
    changes = {**JOINT, "search": {"strategy": "halving", "fits": 10, "batch": 4}}
    pipeline = classification(tmp_path, rows=150, **changes)
    Settings.from_environment().apply()
    waiting = plan(pipeline)
    document = supervised.fn(str(pipeline), engine="plain").as_json()

    winner = document["winner"]
    first = document["candidates"][0]
    assert (winner["label"], winner["preparation"]) == (first["label"], first["preparation"])
    assert set(winner["preparation"]) == {"scale", "select"}
    assert f"({next(iter(winner['preparation']['scale']))}, " in winner["label"]
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert winner["label"] in page
    assert "preparation: scale" in page

    halved = document["selection"]["halved"]
    assert halved > 0
    assert f"{halved} candidates fell out of successive halving" in page

    told = {stage["stage"]: stage for stage in waiting}
    assert told["search"]["state"] == "would go on"
    assert (
        f"up to {document['selection']['candidates']} candidates: the first round is listed" in told["search"]["reason"]
    )
    assert not any("33%" in stage["stage"] for stage in waiting)
    assert {stage["state"] for stage in plan(pipeline) if stage["stage"].startswith(("plan", "prepare", "fit"))} == {
        "cached"
    }

    tracking = Tracking(Settings.from_environment().tracking_uri)
    logged = tracking.client.get_run(document["run"]["mlflow_run"]).data
    assert logged.params["winner.preparation.scale"] == next(iter(winner["preparation"]["scale"]))
    parent = f"tags.`mlflow.parentRunId` = '{document['run']['mlflow_run']}'"
    tried = tracking.client.search_runs([tracking.experiment("small")], parent)
    assert len(tried) == len(document["candidates"])  # every candidate is recorded
    assert all({"method", "preparation.scale", "preparation.select"} <= set(one.data.params) for one in tried)
    ids = pd.read_parquet(tracking.fetch(document["run"]["mlflow_run"], "training_ids.parquet", tmp_path / "fetched"))
    assert len(ids) == 150 - document["data"]["test_rows"]

    journal = Path(document["artifacts"]["journal"]).read_text(encoding="utf-8").splitlines()
    stages = map(json.loads, journal)
    assert {"plan (scale standard, select none)", "prepare (scale standard, select none) fold 1"} <= {
        event["stage"] for event in stages if event["event"] == "stage"
    }


def test_a_plan_says_which_candidates_are_only_possible(tmp_path: Path, home: Path) -> None:
    changes = {**JOINT, "search": {"strategy": "tpe", "fits": 26, "batch": 4}}
    stages = plan(classification(tmp_path, rows=60, **changes))
    told = next(stage for stage in stages if stage["stage"] == "search")
    assert told["reason"] == ("up to 13 candidates: the first batch of 4 is listed; what follows hangs on its scores")
    labels = {stage["stage"].partition(" fold")[0] for stage in stages if stage["stage"].startswith("fit")}
    assert len(labels) == 4


@pytest.fixture
def misbehaving(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    entries.cache_clear()
    monkeypatch.syspath_prepend(str(PLUGIN))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PLUGIN), os.environ.get("PYTHONPATH", "")]))
    yield
    entries.cache_clear()


@pytest.mark.slow
def test_a_preparation_that_fails_takes_only_its_candidates_along(
    misbehaving: None, tmp_path: Path, home: Path
) -> None:
    pipeline = classification(
        tmp_path,
        rows=80,
        models=[{"logistic-regression": {"C": [1.0]}}],
        preparation={"scale": ["standard", "test-unscalable"]},
        split={"folds": 2},
        search={"strategy": "grid", "fits": 6},
    )
    Settings.from_environment().apply()
    with open_run(load_checked_spec(str(pipeline)), str(pipeline), None, "plain") as run:
        found = search(run, pipeline)
        winner = run.store.facts(found.winner)
    fates = {fit.candidate.label: (fit.status, fit.reason) for fit in found.fits}
    assert fates["logistic-regression #1 (standard)"] == ("finished", None)
    status, reason = fates["logistic-regression #2 (test-unscalable)"]
    assert status == "failed"
    assert "its preparation failed: 'prepare' failed in its worker: ValueError: this scaler always fails" in str(reason)
    assert winner.preparation == {"scale": {"standard": {}}}


def test_limits_that_leave_no_candidate_end_the_run() -> None:
    reason = "ended after 1 s: over the time limit of 1 s"
    asked = Candidate(name="mlp", parameters={}, preparation={"scale": {"robust": {}}}, number=1)
    fits = [
        Fit(candidate=Candidate(name="dummy", parameters={}, number=0), status="finished"),
        Fit(candidate=asked, status="time", reason=reason),
    ]
    with pytest.raises(NoCandidateError, match="none of 1 candidate") as caught:
        survivors(fits)
    assert caught.value.code == "PEN301"
    assert f"mlp #1 (robust): {reason}" in caught.value.what
    assert "raise limits.seconds or limits.memory_mb" in caught.value.remedy
    assert "mend what the reasons name" in caught.value.remedy


@pytest.mark.slow
def test_a_limit_too_small_for_any_work_is_said_as_such(tmp_path: Path, home: Path) -> None:
    Settings.from_environment().apply()
    with pytest.raises(NoCandidateError, match="did not fit into a worker's memory") as caught:
        supervised.fn(str(classification(tmp_path, limits={"memory_mb": 1})), engine="plain")
    assert (caught.value.code, caught.value.where) == ("PEN312", "limits.memory_mb")
    assert "raise limits.memory_mb" in caught.value.remedy


WRONG: list[tuple[str, str, str, str]] = [
    ("preparation.encode=[one-hot, target]", "PEN019", "no column is nominal", "leave 'preparation.encode' out"),
    (
        "preparation.columns.a.encode=[one-hot, target]",
        "PEN021",
        "'encode' means nothing for 'a'",
        "leave 'encode' out",
    ),
    ("preparation.impute=[median, {constant: {value: [none]}}]", "PEN022", "'none' cannot fill 'a'", "give a number"),
]


@pytest.mark.slow
def test_what_the_columns_do_not_allow_is_refused_before_any_fit(tmp_path: Path, home: Path) -> None:
    columns = {"columns": {"plan": "ignore", "since": "ignore"}}
    pipeline = str(classification(tmp_path, rows=60, data=columns, search={"fits": 6}))
    Settings.from_environment().apply()
    with open_run(load_checked_spec(pipeline), pipeline, None, "plain") as run:
        for override, code, what, remedy in WRONG:
            spec = load_checked_spec(pipeline, [override])
            with pytest.raises(UsageError, match=what) as caught:
                search_models(run, spec, *begun(run, spec))
            assert caught.value.code == code
            assert remedy in caught.value.remedy
        assert not [event for event in run.journal("stage") if event["stage"].startswith("fit")]


def begun(run: Run, spec: Spec) -> tuple[DataSplit, Preparations]:
    ground = prepare_data(run, spec, None)
    return ground.data_split, Preparations(run, spec, ground)
