"""Whole reductions and densities, as plain functions: evaluated by unseen rows, registered, compared at the gate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

import penstock
from penstock.api import plan
from penstock.errors import ModelError, PenstockError
from penstock.flows.unsupervised import unsupervised
from penstock.reporting.comparison import compare
from penstock.settings import Settings

ROWS = 120


def table(rows: int = ROWS, seed: int = 0, *, far: bool = False) -> pd.DataFrame:
    """Two hidden columns in five, and two known groups that differ in the first; `far`: one row in forty is far out."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(2, size=rows)
    hidden = np.column_stack([rng.normal(3 * kind, 0.5), rng.normal(size=rows)])
    mixed = hidden @ [[1, 0.5, -0.5, 0, 1], [0, 1, 1, 1, -0.5]] + 0.1 * rng.normal(size=(rows, 5))
    if far:
        mixed[::40] += 15 * rng.choice([-1, 1], size=mixed[::40].shape)
    found = pd.DataFrame(mixed, columns=list("abcde"))
    return found.assign(kind=np.where(kind, "tall", "small"), id=[f"r{seed}-{number}" for number in range(rows)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("held_out")
    home = folder / "home"
    home.mkdir()
    copy(migrated_database, home / "mlflow.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(home))
        Settings.from_environment().apply()
        yield folder


def run(folder: Path, problem: str, models: list[Any], rows: pd.DataFrame, *overrides: str) -> dict[str, Any]:
    rows.to_csv(folder / "data.csv", index=False)
    spec = {
        "name": problem,
        "problem": problem,
        "data": {"source": "data.csv", "key": "id", "target": "kind"},
        "split": {"folds": 2},
        "models": models,
        "search": {"strategy": "grid"},
    }
    (folder / "pipeline.yaml").write_text(yaml.safe_dump(spec))
    return unsupervised.fn(str(folder / "pipeline.yaml"), list(overrides), engine="plain").as_json()


FEWER: list[Any] = [{"pca": {"components": [1, 2, 5]}}]
USUAL: list[Any] = [{"gaussian-mixture-density": {"components": [1, 2]}}]


@pytest.fixture(scope="module")
def reduced(folder: Path) -> dict[str, Any]:
    return run(folder, "reduction", FEWER, table())


@pytest.fixture(scope="module")
def dense(folder: Path) -> dict[str, Any]:
    return run(folder, "density", USUAL, table(far=True), "evaluation.pictures=[t-sne]")


def page_of(document: dict[str, Any]) -> str:
    return Path(document["artifacts"]["report"]).read_text(encoding="utf-8")


@pytest.mark.slow
def test_hidden_cells_decide_on_the_number_of_columns(reduced: dict[str, Any]) -> None:
    """All five columns would bring back everything that they are given, and tell nothing of a cell that is hidden."""
    assert reduced["winner"]["parameters"]["components"] == 2
    assert reduced["metric"] == "reconstruction"
    scores = {one["parameters"]["components"]: one["score"] for one in reduced["candidates"]}
    assert scores[2] > scores[1] > scores[5]
    assert abs(scores[5]) < 0.01
    assert set(reduced["metrics"]) == {"reconstruction", "explained_variance", "trustworthiness"}
    assert all(facts["low"] <= facts["value"] <= facts["high"] for facts in reduced["metrics"].values())
    assert reduced["selection"]["corrected"]["value"] <= reduced["selection"]["naive"] + 0.01
    assert reduced["verdict"]["verdict"] == "first"
    assert [(check["kind"], check["state"]) for check in reduced["verdict"]["checks"]] == [("floor", "passed")]
    behind = next(one for one in reduced["candidates"] if one["parameters"]["components"] == 5)
    assert not behind["against"]["alike"]


def test_the_page_of_a_reduction(reduced: dict[str, Any]) -> None:
    page = page_of(reduced)
    for figure in ("reduced_map", "variances", "reconstructions", "known_map"):
        assert f'id="figure-{figure}"' in page, figure
    assert "What the new columns are made of" in page
    assert {part["feature"] for part in reduced["reduction"]["loadings"][0]["made_of"]} == set("abcde")
    assert "looks like a clustering" not in page


@pytest.mark.slow
def test_a_reduction_gives_new_rows_their_columns(reduced: dict[str, Any]) -> None:
    model = penstock.load("reduction@champion")
    rows = table(6, seed=5)
    scored = model.score_frame(rows, enforce=False)
    assert list(scored.columns) == ["component_1", "component_2"]
    assert np.isfinite(scored.to_numpy()).all()
    assert model.score_frame(rows.iloc[:0]).shape == (0, 2)
    with pytest.raises(ModelError, match="predicts nothing") as caught:
        model.predict(rows)
    assert "score_frame" in (caught.value.remedy or "")


@pytest.mark.slow
def test_a_density_flags_what_is_rare(dense: dict[str, Any]) -> None:
    assert dense["metric"] == "log_likelihood"
    assert dense["density"]["flagged"] >= 1
    assert dense["density"]["rarest"][0]["outlier"]
    scored = penstock.load("density@champion").score_frame(
        pd.DataFrame({"a": [1.5, 90.0], "b": [0.7, -90.0], "c": [-0.7, 90.0], "d": [0.0, 90.0], "e": [1.5, 90.0]}),
        enforce=False,
    )
    assert scored["outlier"].tolist() == [False, True]
    assert scored["log_density"].iloc[0] > scored["log_density"].iloc[1]
    page = page_of(dense)
    for figure in ("density_histogram", "density_map", "picture_t-sne"):
        assert f'id="figure-{figure}"' in page, figure
    assert "Nothing was fitted to this picture, and nothing is evaluated by it" in page
    assert "The rarest test rows" in page


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["reduction", "density"])
def test_fitting_cannot_see_the_known_groups(
    problem: str, folder: Path, reduced: dict[str, Any], dense: dict[str, Any]
) -> None:
    """Shuffled, they change no bit of the model, and what is said of them is another thing."""
    before = reduced if problem == "reduction" else dense
    rows = table(far=problem == "density")
    shuffled = rows.assign(kind=np.random.default_rng(1).permutation(rows["kind"]))
    after = run(folder, problem, FEWER if problem == "reduction" else USUAL, shuffled)
    assert before["winner"]["model_digest"] == after["winner"]["model_digest"]
    states = {stage["stage"]: stage["state"] for stage in after["stages"]}
    assert states["ingest"] == "ran"
    assert {states[name] for name in ("plan", "select", "evaluate")} == {"cached"}
    assert before["known"] != after["known"]
    if problem == "reduction":
        assert before["known"]["neighbours"]["value"] > 0.9 > after["known"]["neighbours"]["value"]
    else:
        assert [one["group"] for one in before["known"]["usual"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "models"),
    [("reduction", [{"pca": {"components": [2]}}]), ("density", [{"kernel-density": {"bandwidth": [0.3]}}])],
)
def test_what_is_no_better_than_each_column_by_itself_is_held(problem: str, models: list[Any], folder: Path) -> None:
    """Also as the first: columns that tell nothing of each other."""
    rows = pd.DataFrame(np.random.default_rng(0).normal(size=(ROWS, 5)), columns=list("abcde"))
    alone = rows.assign(kind="u", id=[f"u{number}" for number in range(ROWS)])
    found = run(folder, problem, models, alone, f"name=alone-{problem}")
    assert found["verdict"]["verdict"] == "held"
    assert "it is no better than" in found["verdict"]["reason"]
    floor = next(check for check in found["verdict"]["checks"] if check["kind"] == "floor")
    assert (floor["state"], floor["limit"]) == ("failed", 0.0)
    assert floor["high"] <= 0 < floor["rows"]
    assert "does not go into service" in page_of(found)


@pytest.mark.slow
@pytest.mark.parametrize(("problem", "models"), [("reduction", FEWER), ("density", USUAL)])
def test_the_gate_compares_in_one_space(
    problem: str, models: list[Any], folder: Path, reduced: dict[str, Any], dense: dict[str, Any]
) -> None:
    """The champion scaled the columns by other rows; in its own units it could not be compared."""
    more = pd.concat([table(), table(seed=1).assign(a=lambda rows: 2 * rows["a"])])
    grown = run(folder, problem, models, more, "split.seed=3")
    verdict = grown["verdict"]
    assert verdict["champion"] == "1"
    assert verdict["difference"]["low"] <= verdict["difference"]["value"] <= verdict["difference"]["high"]
    assert 0 < verdict["rows"] < len(more)
    first = reduced if problem == "reduction" else dense
    found = compare(folder / "home", first["run"]["id"], grown["run"]["id"])
    assert "units of its own preparation" in (found.not_paired_because or "")
    if problem == "reduction":
        other = run(folder, problem, models, more, "split.seed=3", "preparation.scale=quantile")
        assert other["verdict"]["verdict"] == "inconclusive"
        assert "another way" in other["verdict"]["reason"]


@pytest.mark.slow
def test_every_strategy_but_ensembles_and_predictions(folder: Path, reduced: dict[str, Any]) -> None:
    rows = table()
    found = run(
        folder, "reduction", [{"pca": {"components": [1, 2]}}], rows, "search.strategy=halving", "search.batch=2"
    )
    assert found["winner"]["parameters"]["components"] == 2
    for override, code in (
        ("evaluation.pictures=[sne]", "PEN003"),
        ("evaluation.curves=true", "PEN025"),
        ("search.rule=one-standard-error", "PEN025"),
        ("search.metric=r2", "PEN011"),
        ("models=auto", "PEN323"),
        ("preparation.scale=[standard,robust]", "PEN020"),
        ("data.columns={a: weight}", "PEN165"),
        ("data.columns={b: ignore, c: ignore, d: ignore, e: ignore}", "PEN345"),
    ):
        with pytest.raises(PenstockError) as caught:
            run(folder, "reduction", FEWER, rows, override)
        assert caught.value.code == code, override
        assert caught.value.remedy
    assert "puts few columns in the place of many" in caught.value.what


@pytest.mark.slow
def test_a_plan_of_a_reduction(folder: Path, reduced: dict[str, Any]) -> None:
    run(folder, "reduction", FEWER, table())
    stages = {stage["stage"]: stage for stage in plan(folder / "pipeline.yaml", overrides=["split.seed=9"])}
    assert stages["select"]["state"] == "would run"
    assert stages["ingest"]["state"] == "cached", "all rows are the same rows, whatever the seed"
