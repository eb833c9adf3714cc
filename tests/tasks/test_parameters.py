"""What is recorded of parameters and of the kind of model, through whole runs and a real registry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.components.catalog import card_of, settings
from penstock.document.candidates import Tried, Winner
from penstock.flows.supervised import supervised
from penstock.settings import Settings
from penstock.spec.reading import load_spec
from penstock.tasks.parameters import of_candidate, of_pipeline, of_winner
from penstock.tracking import Tracking
from tests.documents import part
from tests.small import classification, regression

NAIVE = "gaussian-naive-bayes"


def differing(one: dict[str, Any], other: dict[str, Any]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


@pytest.mark.slow
@pytest.mark.covers("proc_store_conventions", "proc_hyperparameter_registry", "proc_model_taxonomy")
def test_two_runs_that_differ_in_one_convention_have_different_recorded_parameters(tmp_path: Path, home: Path) -> None:
    Settings.from_environment().apply()
    tracking = Tracking(Settings.from_environment().tracking_uri)
    recorded, children = [], []
    for divisor in (0, 1):
        models = [{NAIVE: {"ddof": divisor}}]
        pipeline = classification(tmp_path, rows=120, models=models, split={"folds": 2})
        document = supervised.fn(str(pipeline), engine="plain").as_json()
        run_id = document["run"]["mlflow_run"]
        recorded.append(tracking.client.get_run(run_id).data.params)
        tried = tracking.client.search_runs(
            [tracking.experiment("small")], f"tags.`mlflow.parentRunId` = '{run_id}' AND params.method = '{NAIVE}'"
        )
        children.append(min((one.data.params for one in tried), key=lambda params: float(params["var_smoothing"])))
    assert differing(*recorded) == {"winner.ddof"}
    assert differing(*children) == {"ddof"}
    assert recorded[0]["split.seed"] == str(load_spec(pipeline).split.seed)

    every = set(settings(NAIVE, {}, "classification"))
    assert every == {"var_smoothing", "ddof", "priors"}  # also those that the file does not name
    assert every <= set(children[0])
    assert {f"winner.{name}" for name in every} <= set(recorded[0])

    card = card_of(NAIVE)
    version = tracking.registry.version("small", document["verdict"]["version"])
    tagged = {name: value for name, value in version.tags.items() if name.startswith("penstock.card.")}
    assert set(tagged) == {f"penstock.card.{field}" for field in card}
    assert tagged["penstock.card.view"] == "generative"
    assert tagged["penstock.card.capacity"] == ", ".join(card["capacity"])
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "What kind of model this is" in page
    assert card["memory"] in page


@pytest.mark.covers("proc_store_conventions")
@pytest.mark.parametrize(
    ("convention", "change"),
    [
        ("split.seed", "split.seed=8"),
        ("decision.ties", "decision.ties=positive"),
    ],
)
def test_conventions_of_the_pipeline_are_recorded(tmp_path: Path, convention: str, change: str) -> None:
    pipeline = classification(tmp_path)
    assert differing(of_pipeline(load_spec(pipeline)), of_pipeline(load_spec(pipeline, [change]))) == {convention}


@pytest.mark.covers("proc_store_conventions")
@pytest.mark.parametrize(
    ("problem", "name", "convention", "values"),
    [
        ("classification", NAIVE, "ddof", (0, 1)),
        ("classification", "svm", "bias", (True, False)),
        ("regression", "ridge", "fit_intercept", (True, False)),
        ("regression", "kernel-ridge", "fit_intercept", (True, False)),
        ("clustering", "agglomerative", "ties", ("first", "random")),
    ],
)
def test_conventions_of_methods_are_recorded(problem: str, name: str, convention: str, values: tuple[Any, Any]) -> None:
    told = [of_candidate(part(Tried, {"name": name, "parameters": {convention: value}}), problem) for value in values]
    assert differing(*told) == {convention}
    unsaid = of_candidate(part(Tried, {"name": name}), problem)
    assert convention in unsaid


def test_the_members_of_an_ensemble_are_recorded_with_all_their_parameters(tmp_path: Path) -> None:
    members = [{"name": "ridge", "parameters": {"alpha": 3.0}, "weight": 0.75}]
    winner = {
        "name": "average-ensemble",
        "parameters": {"members": "0.75 ridge"},
        "preparation": {"scale": {"robust": {}}},
        "members": members,
    }
    told = of_winner(part(Winner, winner), load_spec(regression(tmp_path)).problem)
    assert (told["winner"], told["winner.members"]) == ("average-ensemble", "0.75 ridge")
    assert told["winner.preparation.scale"] == "robust"
    assert (told["winner.member 1.method"], told["winner.member 1.alpha"]) == ("ridge", 3.0)
    assert told["winner.member 1.fit_intercept"] is True
