"""Whole runs, as plain functions: what the recipes promise, and what the certificate says of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mlflow
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from penstock.components import splitting
from penstock.context import Run
from penstock.errors import DataError, PenstockError
from penstock.flows.supervised import supervised
from penstock.model import load_bundle
from penstock.problems.data import DataSplit
from penstock.settings import Settings
from penstock.spec.checked import load_checked_spec
from penstock.tasks.ingest import ingest, take
from penstock.tasks.nested import split_outer
from penstock.tasks.split import split
from tests.small import classification, regression

ALPHAS = [0.1, 10.0, 1000.0]
GRID: dict[str, Any] = {
    "models": [{"ridge": {"alpha": ALPHAS}}],
    "search": {"strategy": "grid", "fits": 20, "prune": False},
    "validation": {"leakage": "warn"},
}


def run(pipeline: Path, *overrides: str) -> dict[str, Any]:
    Settings.from_environment().apply()
    return supervised.fn(str(pipeline), list(overrides), engine="plain").as_json()


def cut_rows(pipeline: Path, home: Path) -> tuple[Run, DataSplit]:
    """The split of a pipeline's rows, and of those inside its folds."""
    spec = load_checked_spec(str(pipeline))
    run = Run(
        id="r", pipeline="p", home=home, folder=home / "run", base=pipeline.parent, tracking_uri="", engine="plain"
    )
    rows = ingest(run, spec.data, spec.problem, take(run, spec.data, "UTC"), None, 0)
    data_split = split(run, rows, spec.split)
    split_outer(run, data_split, rows.schema_, spec.split)
    return run, data_split


class Finished:
    """A run of cross-validation and test, one of the same rows with other test targets, and one with another winner."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.pipeline = regression(folder / "project", rows=150, **GRID)
        self.raw = pd.read_csv(folder / "project" / "data.csv")
        ids = splitting.row_ids(self.raw, key=None, source="data.csv")
        self.test = splitting.test_rows(ids, share=0.2, seed=0, classes=None, groups=None).mask
        self.document = run(self.pipeline)
        self.other_winner = run(self.pipeline, "models=[{ridge: {alpha: [500.0]}}]")
        changed = self.raw.assign(y=np.where(self.test, -self.raw["y"], self.raw["y"]))
        changed.to_csv(folder / "project" / "data.csv", index=False)
        self.other_targets = run(self.pipeline)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Iterator[Finished]:
    folder = tmp_path_factory.mktemp("splits")
    (folder / "home").mkdir()
    shutil.copy(migrated_database, folder / "home" / "mlflow.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(folder / "home"))
        yield Finished(folder)


def candidates(document: dict[str, Any]) -> dict[float, dict[str, Any]]:
    return {one["parameters"]["alpha"]: one for one in document["candidates"] if one["name"] == "ridge"}


@pytest.mark.slow
@pytest.mark.covers("proc_recipe2_cv_test")
def test_a_run_finds_what_a_grid_search_with_refit_finds(finished: Finished) -> None:
    train, test = finished.raw[~finished.test], finished.raw[finished.test]
    names = ["a", "b", "c"]
    peer = GridSearchCV(
        make_pipeline(StandardScaler(), Ridge()),
        {"ridge__alpha": ALPHAS},
        cv=KFold(3, shuffle=True, random_state=0),
        scoring="r2",
    ).fit(train[names].to_numpy(), train["y"])
    found = candidates(finished.document)
    means = [found[alpha]["score"] for alpha in ALPHAS]
    np.testing.assert_allclose(means, peer.cv_results_["mean_test_score"], rtol=1e-9)
    assert finished.document["winner"]["parameters"]["alpha"] == peer.best_params_["ridge__alpha"]
    model = load_bundle(Path(finished.document["artifacts"]["model"]))
    np.testing.assert_allclose(model.pipeline[-1].coef_, peer.best_estimator_[-1].coef_, rtol=1e-9)
    on_test = r2_score(test["y"], peer.predict(test[names].to_numpy()))
    assert finished.document["metrics"]["r2"]["value"] == pytest.approx(on_test, rel=1e-9)


@pytest.mark.slow
@pytest.mark.covers("proc_same_partition_all_candidates")
def test_every_candidate_sees_the_same_folds(finished: Finished) -> None:
    records = [json.loads(path.read_text()) for path in (finished.home / "store" / "actions").glob("??/*.json")]
    fits = [record["parts"]["inputs"]["request"] for record in records if record["stage"] == "fit"]
    by_fold: dict[int, set[str]] = {}
    for inputs in fits:
        rows = json.dumps([inputs["folds"], inputs["prepared"]["train"], inputs["prepared"]["valid"]])
        by_fold.setdefault(inputs["settings"]["fold"], set()).add(rows)
    assert len(fits) >= 3 * (len(ALPHAS) + 1)
    assert {fold: len(seen) for fold, seen in by_fold.items()} == {0: 1, 1: 1, 2: 1}


@pytest.mark.slow
@pytest.mark.covers("proc_test_isolation")
def test_other_test_targets_change_nothing_but_the_final_scores(finished: Finished) -> None:
    first, second = finished.document, finished.other_targets
    assert second["metrics"] != first["metrics"]
    assert second["winner"]["parameters"] == first["winner"]["parameters"]
    for part in ("naive", "corrected", "nested", "fits"):
        assert second["selection"][part] == first["selection"][part]
    assert [one["folds"] for one in second["candidates"]] == [one["folds"] for one in first["candidates"]]
    assert second["certificate"] == first["certificate"]
    models = [load_bundle(Path(document["artifacts"]["model"])).pipeline for document in (first, second)]
    np.testing.assert_array_equal(*(model.predict(finished.raw) for model in models))


@pytest.mark.slow
@pytest.mark.covers("proc_test_isolation")
def test_a_second_winner_on_the_same_test_rows_is_counted(finished: Finished) -> None:
    assert finished.document["selection"]["winners_evaluated"] == 1
    assert finished.other_winner["selection"]["winners_evaluated"] == 2
    page = Path(finished.other_winner["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "have now evaluated 2 winners" in page


@pytest.mark.slow
def test_the_certificate_is_in_the_document_the_report_and_mlflow(finished: Finished) -> None:
    certificate = finished.document["certificate"]
    assert certificate["found"] == []
    shuffled = certificate["checks"][-1]
    assert (shuffled["code"], shuffled["outcome"]) == ("LEK014", "passed")
    assert shuffled["numbers"]["chance"] == 0
    page = Path(finished.document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert 'id="leakage"' in page
    assert certificate["summary"] in page
    assert 'id="figure-split_diagram"' in page
    client = mlflow.MlflowClient(f"sqlite:///{finished.home}/mlflow.db")
    logged = client.get_run(finished.document["run"]["mlflow_run"])
    assert logged.data.tags["penstock.leakage"] == "clean"
    assert logged.data.metrics["leakage_findings"] == 0
    kept = Path(client.download_artifacts(logged.info.run_id, "leakage.json"))
    assert json.loads(kept.read_text())["checks"] == certificate["checks"]


@pytest.mark.slow
@pytest.mark.covers("proc_recipe1_tr_val_te", "proc_holdout_refit")
def test_the_winner_of_a_held_out_part_is_fitted_again_on_all_learning_rows(tmp_path: Path, home: Path) -> None:
    pipeline = regression(tmp_path, rows=150, split={"recipe": "train-validation-test"}, **GRID)
    document = run(pipeline, "validation.leakage=off")
    assert document["certificate"] is None
    assert 'id="leakage"' not in Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    raw = pd.read_csv(tmp_path / "data.csv")
    ids = splitting.row_ids(raw, key=None, source="data.csv")
    test = splitting.test_rows(ids, share=0.2, seed=0, classes=None, groups=None).mask
    X, y = raw.loc[~test, ["a", "b", "c"]].to_numpy(), raw.loc[~test, "y"].to_numpy()
    ((train, valid),) = splitting.folds(
        len(y), recipe="train-validation-test", folds=5, validation=0.25, stratify=True, seed=0, classes=None,
        groups=None,
    )  # fmt: skip
    alpha = document["winner"]["parameters"]["alpha"]
    pre_refit = make_pipeline(StandardScaler(), Ridge(alpha=alpha)).fit(X[train], y[train])
    assert candidates(document)[alpha]["score"] == pytest.approx(pre_refit.score(X[valid], y[valid]), rel=1e-9)
    refit = make_pipeline(StandardScaler(), Ridge(alpha=alpha)).fit(X, y)
    model = load_bundle(Path(document["artifacts"]["model"])).pipeline
    np.testing.assert_allclose(model[-1].coef_, refit[-1].coef_, rtol=1e-9)
    assert document["data"]["train_rows"] == len(train) + len(valid) == len(y)
    learnt = next(path for path in home.glob("store/**/*.json") if _trained_on(path) is not None)
    assert _trained_on(learnt) == len(y)


def _trained_on(path: Path) -> int | None:
    """How many ids the record of the training stage names."""
    found = json.loads(path.read_text())
    if not isinstance(found, dict) or found.get("stage") != "train":
        return None
    digest = found["made"]["ids"]["digest"]
    (rows,) = path.parents[2].glob(f"**/{digest}*.parquet")
    return len(pd.read_parquet(rows))


@pytest.mark.slow
def test_leaks_stop_a_run_before_its_search(tmp_path: Path, home: Path) -> None:
    pipeline = classification(tmp_path, validation={"leakage": "stop"})
    table = pd.read_csv(tmp_path / "data.csv")
    table.assign(answer=table["left"].map({"yes": 7.5, "no": 1.5})).to_csv(tmp_path / "data.csv", index=False)
    with pytest.raises(DataError) as caught:
        run(pipeline)
    assert (caught.value.code, caught.value.exit_status) == ("PEN219", 3)
    assert "LEK007" in caught.value.what
    assert "LEK008" in caught.value.what
    assert "'answer'" in caught.value.what
    assert "validation.leakage" in caught.value.remedy
    journal = next(home.glob("runs/*/journal.jsonl")).read_text(encoding="utf-8")
    assert "certify rows" in journal
    assert "fit" not in journal


@pytest.mark.slow
def test_leaks_are_told_where_they_do_not_stop(tmp_path: Path, home: Path) -> None:
    ignored = {"columns": {"plan": "ignore", "since": "ignore"}}
    pipeline = classification(tmp_path, rows=120, data=ignored, validation={"leakage": "warn"})
    table = pd.read_csv(tmp_path / "data.csv")
    table.assign(left_reason=table["left"].map({"yes": 7.5, "no": 1.5})).to_csv(tmp_path / "data.csv", index=False)
    document = run(pipeline)
    assert document["certificate"]["found"] == ["LEK007", "LEK008", "LEK009"]
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "voids the score" in page
    assert "look at it" in page


@pytest.mark.slow
def test_ratings_within_users(tmp_path: Path, home: Path) -> None:
    pipeline = regression(tmp_path, rows=160, split={"within": "user_id"}, validation={"leakage": "warn"})
    table = pd.read_csv(tmp_path / "data.csv")
    users = np.random.default_rng(0).integers(1, 121, 160)
    table.assign(user_id=[f"u{number}" for number in users]).to_csv(tmp_path / "data.csv", index=False)
    known = run(pipeline)
    assert known["data"]["only_in_test"]["user_id"]["members"] == 0
    assert known["data"]["split"]["within"] == "user_id"
    answers = {answer["code"]: answer for answer in known["certificate"]["checks"]}
    assert answers["LEK004"]["outcome"] == "not applicable"
    (tmp_path / "pipeline.yaml").write_text(pipeline.read_text().replace("  within: user_id\n", ""))
    bare, data_split = cut_rows(pipeline, home)
    assert bare.store.facts(data_split.facts).only_in_test["user_id"].members > 0


BAD: dict[str, tuple[dict[str, Any], Any, str, int, str]] = {
    "fewer rows in a class than folds": (
        {"split": {"folds": 20}},
        lambda f: f.assign(left=["yes"] * 7 + ["no"] * (len(f) - 7)),
        "PEN116", 3, "stratify: false",
    ),
    "fewer groups than folds": (
        {"split": {"folds": 9}, "data": {"group": "ward"}}, lambda f: f.assign(ward=np.arange(len(f)) % 8),
        "PEN117", 3, "set fewer folds",
    ),
    "one group in every fold": (
        {"data": {"group": "ward"}}, lambda f: f.assign(ward="all"), "PEN117", 3, "leave out `group`",
    ),
    "time tied at the cut": (
        {"data": {"columns": {"since": "time"}}}, lambda f: f.assign(since="2024-05-01"), "PEN215", 3, "finer time",
    ),
    "one value of the target in a fold": (
        {"data": {"columns": {"since": "time"}}},
        lambda f: f.sort_values("left").assign(since=pd.date_range("2024-01-01", periods=len(f)).astype(str)),
        "PEN211", 3, "fewer folds",
    ),
    "nested with too few rows": (
        {"split": {"recipe": "nested-cross-validation", "folds": 5}},
        lambda f: f.assign(left=["yes"] * 10 + ["no"] * (len(f) - 10)), "PEN180", 3, "cuts the rows only once",
    ),
    "an unknown column to split within": (
        {"split": {"within": "usr"}}, lambda f: f.assign(user=np.arange(len(f)) % 9), "PEN107", 3,
        "did you mean 'user'?",
    ),
    "within a column with gaps": (
        {"split": {"within": "plan"}}, lambda f: f.assign(plan=f["plan"].where(f["plan"] != "pro")), "PEN182", 3,
        "give every row its member",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_splits_that_cannot_be_made_are_refused(name: str, tmp_path: Path, home: Path) -> None:
    changes, edit, code, status, remedy = BAD[name]
    pipeline = classification(tmp_path, rows=60, search={"fits": 60}, **changes)
    edit(pd.read_csv(tmp_path / "data.csv")).to_csv(tmp_path / "data.csv", index=False)
    with pytest.raises(PenstockError) as caught:
        cut_rows(pipeline, home)
    assert (caught.value.code, caught.value.exit_status) == (code, status), str(caught.value)
    assert remedy in caught.value.remedy


def test_rows_in_any_order_are_split_by_time_alike(tmp_path: Path, home: Path) -> None:
    sides = []
    for shuffled in (False, True):
        folder = tmp_path / str(shuffled)
        pipeline = classification(folder, rows=120, data={"columns": {"since": "time"}}, split={"folds": 2})
        table = pd.read_csv(folder / "data.csv").sort_values("since")
        (table.sample(frac=1, random_state=0) if shuffled else table).to_csv(folder / "data.csv", index=False)
        run, data_split = cut_rows(pipeline, home)
        sides.append(set(run.store.frame(data_split.test)["id"]))
    assert sides[0] == sides[1]
