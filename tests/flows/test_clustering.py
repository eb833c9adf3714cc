"""Whole clusterings, as plain functions: what is found, what is said of it, and what the gate makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
import pandas as pd
import pytest

import penstock
from penstock.api import plan
from penstock.flows.unsupervised import unsupervised
from penstock.reporting.comparison import compare
from penstock.reporting.console import show_comparison
from penstock.settings import Settings
from tests.small import clusters

SMALL = {"models": [{"k-means": {"clusters": [2, 3]}}], "search": {"strategy": "grid"}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Iterator[Path]:
    """With a home, a pipeline file, and three groups of rows that are far apart."""
    folder = tmp_path_factory.mktemp("clustering")
    home = folder / "home"
    home.mkdir()
    copy(migrated_database, home / "mlflow.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(home))
        Settings.from_environment().apply()
        clusters(folder, rows=150, data={"target": "kind", "key": "id"}, **SMALL)
        table = pd.read_csv(folder / "data.csv").assign(id=[f"r{number}" for number in range(150)])
        table.to_csv(folder / "groups.csv", index=False)
        yield folder


def run(folder: Path, table: pd.DataFrame, *overrides: str) -> dict[str, Any]:
    table.to_csv(folder / "data.csv", index=False)
    return unsupervised.fn(str(folder / "pipeline.yaml"), list(overrides), engine="plain").as_json()


def groups(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "groups.csv")


@pytest.fixture(scope="module")
def first(folder: Path) -> dict[str, Any]:
    return run(folder, groups(folder))


@pytest.fixture(scope="module")
def grown(folder: Path, first: dict[str, Any]) -> dict[str, Any]:
    """As many rows again, and other test rows."""
    rows = groups(folder)
    more = rows.assign(id=[f"s{number}" for number in range(150)], a=rows["a"] + 0.1)
    return run(folder, pd.concat([rows, more]), "split.seed=1")


@pytest.fixture(scope="module")
def without(folder: Path) -> dict[str, Any]:
    """One cloud of rows."""
    rng = np.random.default_rng(3)
    cloud = pd.DataFrame(rng.normal(size=(120, 2)), columns=["a", "b"])
    return run(folder, cloud.assign(kind="u", id=[f"t{number}" for number in range(120)]), "name=cloud")


def states(document: dict[str, Any]) -> dict[str, str]:
    return {stage["stage"]: stage["state"] for stage in document["stages"]}


@pytest.mark.covers("proc_unsupervised_contract")
def test_fitting_cannot_see_the_known_grouping(folder: Path, first: dict[str, Any]) -> None:
    """Shuffled, it changes no bit of the model: nothing that is fitted or chosen has to run again."""
    rows = groups(folder)
    shuffled = run(folder, rows.assign(kind=np.random.default_rng(3).permutation(rows["kind"])))
    assert first["winner"]["model_digest"] == shuffled["winner"]["model_digest"]
    again = states(shuffled)
    assert again["ingest"] == "ran"
    for stage in (
        "analyse",
        "plan",
        "prepare all rows",
        "find structure",
        "select",
        "evaluate",
    ):
        assert again[stage] == "cached", stage
    assert first["truth"]["adjusted_rand"] > 0.95
    assert abs(shuffled["truth"]["adjusted_rand"]) < 0.3
    assert {column["name"]: column["role"] for column in first["data"]["schema"]}["kind"] == "target"


def test_the_answer_beside_the_known_grouping(first: dict[str, Any]) -> None:
    truth = first["truth"]
    assert (truth["column"], truth["groups"], truth["clusters"]) == ("kind", 3, 3)
    assert truth["agreement"]["low"] <= truth["adjusted_rand"] <= truth["agreement"]["high"]
    page = Path(first["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "Beside a known grouping" in page
    assert 'id="figure-contingency"' in page


@pytest.mark.covers("proc_clustering_workflow")
def test_every_row_has_a_label_and_every_cluster_rows_and_a_centre_scaled_or_not(first: dict[str, Any]) -> None:
    document = first
    train = document["data"]["train_rows"]
    assert sum(cluster["size"] for cluster in document["clusters"]) == train
    assert all(cluster["size"] > 0 for cluster in document["clusters"])
    assert all({"a", "b"} <= cluster["profile"].keys() for cluster in document["clusters"])
    for scaling in ("none", "standard", "robust", "min-max"):
        sizes = document["scalings"]["clusters"][scaling]
        assert sum(sizes.values()) == train
        assert len(sizes) == 3
    assert not document["scalings"]["depends"]


def test_structure_is_found_and_the_clusters_are_described(first: dict[str, Any]) -> None:
    document = first
    assert document["structure"]["structured"]
    assert document["verdict"]["verdict"] == "first"
    assert document["metrics"]["stability"]["value"] > 0.9
    named = {cluster["name"] for cluster in document["clusters"]}
    assert len(named) == 3
    assert {"high a, low b", "high b, low a"} <= named
    assert all(cluster["stability"]["value"] > 0.9 for cluster in document["clusters"])
    member = document["clusters"][0]["typical"][0]
    assert set(member["values"]) == {"a", "b"}
    assert document["rules"]["fidelity"]["value"] > 0.9
    assert document["number"]["votes"]["3"] >= 5
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    for figure in (
        "null_comparison",
        "elbow",
        "gap",
        "dendrogram",
        "scaled_panels",
        "cluster_profile",
        "silhouette_plot",
    ):
        assert f'id="figure-{figure}"' in page, figure


@pytest.mark.slow
def test_the_gate_says_which_cluster_is_which(grown: dict[str, Any]) -> None:
    verdict = grown["verdict"]
    assert verdict["champion"] == "1"
    assert verdict["matched"]["agreement"] > 0.95
    assert len(verdict["matched"]["pairs"]) == 3
    assert all(pair["jaccard"] > 0.9 for pair in verdict["matched"]["pairs"])
    assert [check["state"] for check in verdict["checks"] if check["kind"] == "structure"] == ["passed"]
    assert verdict["verdict"] in ("held", "inconclusive")
    page = Path(grown["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "Clusters and their counterparts" in page


@pytest.mark.slow
def test_no_structure_is_an_answer(without: dict[str, Any]) -> None:
    document = without
    assert not document["structure"]["structured"]
    assert (document["winner"]["name"], document["winner"]["parameters"]) == ("k-means", {"clusters": 1})
    assert [cluster["share"] for cluster in document["clusters"]] == [1.0]
    assert document["verdict"]["verdict"] == "held"
    assert document["verdict"]["version"] == "1"
    assert "No structure" in document["verdict"]["reason"]
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "One group: no structure was found" in page
    assert "does not go into service" in page


@pytest.mark.slow
def test_two_clusterings_side_by_side(
    folder: Path, first: dict[str, Any], grown: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    found = compare(folder / "home", first["run"]["id"], grown["run"]["id"])
    assert found.matched is not None
    assert found.matched.agreement > 0.95
    assert found.matched.rows > 0
    show_comparison(found)
    assert "cluster 0 is A's" in capsys.readouterr().out
    assert "no truth" in (found.not_paired_because or "")


def test_new_rows_get_a_cluster_a_confidence_and_a_flag(folder: Path, first: dict[str, Any]) -> None:
    model = penstock.load("groups@champion")
    far = pd.DataFrame({"a": [0.0, 4.0, 500.0], "b": [0.0, 0.0, 500.0]})
    scored = model.score_frame(far, enforce=False)
    assert list(scored.columns) == ["prediction", "confidence", "outlier"]
    assert scored["outlier"].tolist()[0] is False
    assert scored["outlier"].tolist()[2] is True
    assert scored["confidence"].iloc[0] > 0.8 > scored["confidence"].iloc[1]
    assert (model.predict(far, enforce=False) == scored["prediction"]).all()
    assert model.card["assignment"]["rule"]


def test_a_plan_waits_for_what_the_rows_decide(folder: Path, first: dict[str, Any]) -> None:
    groups(folder).to_csv(folder / "data.csv", index=False)
    stages = {stage["stage"]: stage for stage in plan(folder / "pipeline.yaml", overrides=["models=auto"])}
    assert stages["choose method"]["state"] == "would run"
    assert stages["select"]["reason"] == "waits for choose method"


@pytest.mark.slow
def test_the_rows_decide_on_the_method(folder: Path, first: dict[str, Any]) -> None:
    document = run(folder, groups(folder), "models=auto", "name=auto")
    assert document["winner"]["parameters"]["clusters"] == 3
    assert document["truth"]["adjusted_rand"] > 0.95
    assert document["verdict"]["verdict"] == "first"
    assert len(document["candidates"]) > 1
    assert document["number"]["consensus"]["overall"] > 0.95
    weighed = document["selection"]["weighed"]
    assert weighed["mixture"]["clusters"] == weighed["dense"]["clusters"] == 3
    assert weighed["agreement"] > 0.9
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "The two kinds of answer that were weighed" in page
    assert "3 clusters explain the rows best" in page
