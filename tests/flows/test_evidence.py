"""One run that asks for all evidence there is: tests between candidates, ensembles, slices, fairness, curves."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.datasets import make_moons

from penstock.errors import PenstockError
from penstock.flows.supervised import supervised
from penstock.settings import Settings
from penstock.tracking import Tracking
from tests.small import classification

NEIGHBOURS = [1, 5, 15, 45]


def moons(folder: Path) -> Path:
    """Two columns; labels of the members of club b are half noise, and they are decided for more often."""
    X, y = make_moons(900, noise=0.3, random_state=0)
    rng = np.random.default_rng(0)
    club = rng.choice(["a", "b"], 900, p=[0.7, 0.3])
    y = np.where((club == "b") & (rng.random(900) < 0.5), rng.integers(2, size=900), y)
    X[:, 0] += 0.5 * (club == "b")
    frame = pd.DataFrame(X, columns=["east", "north"]).assign(club=club, won=np.where(y == 1, "yes", "no"))
    frame.to_csv(folder / "data.csv", index=False)
    document = {
        "name": "moons",
        "problem": "classification",
        "data": {"source": "data.csv", "target": "won", "positive": "yes", "columns": {"club": "ignore"}},
        "split": {"folds": 4, "test": 0.4},
        "models": [{"k-nearest-neighbours": {"n_neighbors": NEIGHBOURS}}, {"logistic-regression": {"C": 1.0}}],
        "search": {
            "strategy": "grid", "metric": "accuracy", "prune": False, "ensembles": ["voting", "greedy"],
        },
        "evaluation": {"slices": ["club", "east"], "fairness": ["club"], "curves": True, "bias_variance": True},
        "limits": {"workers": 1},
    }  # fmt: skip
    (folder / "pipeline.yaml").write_text(yaml.safe_dump(document))
    return folder / "pipeline.yaml"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("evidence")
    shutil.copy(migrated_database, folder / "mlflow.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(folder))
        Settings.from_environment().apply()
        yield folder


@pytest.fixture(scope="module")
def document(home: Path) -> dict[str, Any]:
    return supervised.fn(str(moons(home)), engine="plain").as_json()


@pytest.fixture(scope="module")
def page(document: dict[str, Any]) -> str:
    return Path(document["artifacts"]["report"]).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.covers("proc_validation_curve")
def test_the_best_point_of_the_stored_curve_is_the_chosen_value(document: dict[str, Any]) -> None:
    """The winner of the grid among single candidates, whatever the ensembles do."""
    curve = document["curves"]["validation_curve"]
    if document["winner"]["name"].endswith("-ensemble"):
        assert curve is None
        pytest.fail("an ensemble won: the curve is of a single method")
    assert curve["parameter"] == "n_neighbors"
    assert curve["from_candidates"]
    assert [point["value"] for point in curve["points"]] == NEIGHBOURS
    best = max(curve["points"], key=lambda point: point["valid"])
    assert best["value"] == curve["best"] == curve["chosen"] == document["winner"]["parameters"]["n_neighbors"]
    assert curve["points"][0]["train"] == 1.0  # which one neighbour always gets
    stored = {one["parameters"].get("n_neighbors"): one["score"] for one in document["candidates"]}
    assert all(point["valid"] == pytest.approx(stored[point["value"]]) for point in curve["points"])


@pytest.mark.slow
def test_candidates_are_tested_against_the_winner(document: dict[str, Any], page: str) -> None:
    finished = [candidate for candidate in document["candidates"] if candidate["status"] == "finished"]
    assert len(finished) >= len(NEIGHBOURS) + 2
    for candidate in finished:
        assert candidate["over_folds"]["low"] < candidate["score"] < candidate["over_folds"]["high"]
        if candidate["label"] == document["winner"]["label"]:
            assert candidate["against"] is None
        else:
            assert candidate["against"]["decisions"]["p"] <= candidate["against"]["decisions"]["adjusted"]
    dummy = next(candidate for candidate in finished if candidate["name"] == "dummy")
    assert not dummy["against"]["alike"]
    assert "Behind the winner" in page
    assert "McNemar" in page


@pytest.mark.slow
def test_ensembles_are_listed_or_said_to_be_left_out(document: dict[str, Any]) -> None:
    named = {candidate["name"]: candidate for candidate in document["candidates"]}
    for kind in ("voting", "greedy"):
        candidate = named[f"{kind}-ensemble"]
        assert candidate["rank"] if candidate["status"] == "finished" else "alone" in candidate["reason"]


@pytest.mark.slow
def test_the_club_with_wrong_labels_is_worse(document: dict[str, Any], page: str) -> None:
    slices = {(one["column"], one["slice"]): one for one in document["explanation"]["slices"]}
    assert slices["club", "b"]["worse"]
    assert not slices["club", "a"]["worse"]
    assert sum(one["rows"] for (name, _), one in slices.items() if name == "club") == document["data"]["test_rows"]
    assert sum(name == "east" for name, _ in slices) == 4
    assert "club b" in page


@pytest.mark.slow
def test_fairness_of_a_column_that_is_no_feature(document: dict[str, Any], page: str) -> None:
    found = document["explanation"]["fairness"]["club"]
    assert [group["group"] for group in found["groups"]] == ["a", "b"]
    parity = found["demographic_parity"]
    assert parity["low"] <= parity["value"] <= parity["high"]
    assert "Decisions by club: demographic parity difference" in page
    assert [one["column"] for one in document["explanation"]["importance"]] == ["east", "north"] or [
        one["column"] for one in document["explanation"]["importance"]
    ] == ["north", "east"]


@pytest.mark.slow
def test_bias_and_variance(document: dict[str, Any], page: str) -> None:
    found = document["bias_variance"]
    assert found["rounds"] == 20
    squared, decisions = found["squared"], found["decisions"]
    assert squared["bias"] + squared["variance"] == pytest.approx(squared["loss"])
    assert decisions["loss"] == pytest.approx(
        decisions["bias"] + decisions["variance_hurts"] - decisions["variance_helps"]
    )
    trade_off = found["trade_off"]
    assert trade_off[0]["variance"] > trade_off[-1]["variance"]  # few neighbours swing, many do not
    assert "Of the squared error" in page


@pytest.mark.slow
@pytest.mark.covers("plot_boundary_panels", "plot_validation_curve", "plot_bull_eye")
def test_every_picture_is_in_the_page_with_a_caption(page: str) -> None:
    for name in (
        "importance", "partial_dependence", "slices", "fairness", "learning_curve", "validation_curve",
        "boundary_panels", "bias_variance",
    ):  # fmt: skip
        assert f'id="figure-{name}"' in page
    section = page[page.index('<section id="explanation"') : page.index('<section id="plots"')]
    assert section.count("<figure") == section.count("<figcaption") == 8


@pytest.mark.slow
def test_mlflow_has_the_numbers_and_the_ensembles(document: dict[str, Any], home: Path) -> None:
    tracking = Tracking(f"sqlite:///{home / 'mlflow.db'}")
    run = tracking.client.get_run(document["run"]["mlflow_run"])
    metrics = run.data.metrics
    assert metrics["slice.club.b.accuracy"] < metrics["slice.club.a.accuracy"]
    assert {"importance.east", "validation_curve.15", "fairness.club.equalised_odds", "bias_variance.variance"} <= set(
        metrics
    )
    children = tracking.client.search_runs([run.info.experiment_id], f"tags.`mlflow.parentRunId` = '{run.info.run_id}'")
    assert {child.info.run_name for child in children} == {candidate["label"] for candidate in document["candidates"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("evaluation", "search", "code", "words"),
    [
        ({"slices": ["plann"]}, {}, "PEN402", "did you mean 'plan'?"),
        ({}, {"ensembles": ["voting"], "fits": 6}, "PEN042", "leave out ensembles"),
    ],
    ids=["unknown slice", "one candidate"],
)
def test_what_cannot_be_done_is_said_before_anything_is_fitted(
    tmp_path: Path, home: Path, evaluation: Any, search: Any, code: str, words: str
) -> None:
    pipeline = classification(tmp_path, rows=55, name="refused", evaluation=evaluation, search=search)
    with pytest.raises(PenstockError) as caught:
        supervised.fn(str(pipeline), engine="plain")
    assert caught.value.code == code
    assert words in str(caught.value)
