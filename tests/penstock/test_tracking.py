"""MLflow on a real SQLite database; one for the whole module, because first contact costs seconds."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from penstock.components.schema import Column, Schema
from penstock.errors import EnvironmentFault, ModelError

if TYPE_CHECKING:
    from penstock.tracking import Tracking, Version

SCHEMA = Schema(
    columns=[
        Column(name="age", role="numeric", reason="given"),
        Column(name="plan", role="nominal", reason="given"),
        Column(name="churned", role="target", reason="given"),
    ],
    problem="classification",
    target="churned",
    classes=["no", "yes"],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Path:
    folder = tmp_path_factory.mktemp("tracking")
    shutil.copy(migrated_database, folder / "mlflow.db")
    return folder


@pytest.fixture(scope="module")
def tracking(folder: Path) -> Tracking:
    from penstock.tracking import Tracking

    return Tracking(f"sqlite:///{folder}/mlflow.db", folder / "artifacts")


@pytest.fixture
def run_id(tracking: Tracking, request: pytest.FixtureRequest) -> str:
    return tracking.start_run("churn", "a-run", {"penstock.run": request.node.name})


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    from penstock.model import save_bundle
    from penstock.store import Store

    rows = pd.DataFrame({"age": [30.0, 40.0, 50.0], "plan": ["a", "b", "b"]})
    pipeline = make_pipeline(make_column_transformer(("passthrough", ["age"])), LogisticRegression())
    rules = {"version": 1, "rules": [], "not_compiled": []}
    store = Store(tmp_path / "made")
    made = {"pipeline": pipeline.fit(rows, [0, 1, 1]), "schema": SCHEMA, "contract": rules}
    return store.path(save_bundle(store, **made, card={"at": str(tmp_path)}))


def candidate(key: str, **more: Any) -> dict[str, Any]:
    return {
        "key": key,
        "name": f"ridge {key}",
        "status": "finished",
        "parameters": {"alpha": 0.1, "solver": None},
        "metrics": {"roc_auc": {"value": 0.8, "low": 0.7, "high": 0.9, "confidence": 0.95}},
        "folds": {"roc_auc": [0.75, None, 0.85]},
        "seconds": 2.5,
        "reason": None,
        **more,
    }


def children(tracking: Tracking, run_id: str) -> list[Any]:
    experiment = tracking.client.get_run(run_id).info.experiment_id
    return list(tracking.client.search_runs([experiment], f"tags.`mlflow.parentRunId` = '{run_id}'"))


class TestRuns:
    def test_experiment_keeps_its_files_below_the_home_and_opens_on_the_right_page(
        self, tracking: Tracking, folder: Path
    ) -> None:
        experiment = tracking.client.get_experiment(tracking.experiment("pages"))
        assert experiment.artifact_location == (folder / "artifacts" / "pages").as_uri()
        assert experiment.tags["mlflow.experimentKind"] == "custom_model_development"

    def test_deleted_experiment_comes_back(self, tracking: Tracking) -> None:
        first = tracking.experiment("deleted")
        tracking.client.delete_experiment(first)
        assert tracking.experiment("deleted") == first
        assert tracking.client.get_experiment(first).lifecycle_stage == "active"

    def test_interval_becomes_three_metrics(self, tracking: Tracking, run_id: str) -> None:
        tracking.log(
            run_id,
            params={"winner": "ridge", "grid": [1, 2]},
            metrics={"r2": {"value": 0.5, "low": 0.4, "high": 0.6, "label": "R²"}, "rows": 7, "unknown": None},
            tags={"penstock.version": "3", "penstock.cached_from": None},
        )
        data = tracking.client.get_run(run_id).data
        assert data.metrics == {"r2": 0.5, "r2_low": 0.4, "r2_high": 0.6, "rows": 7.0}
        assert data.params == {"winner": "ridge", "grid": "[1, 2]"}
        assert data.tags["penstock.version"] == "3"
        assert "penstock.cached_from" not in data.tags

    def test_more_than_one_batch_and_names_that_mlflow_refuses(self, tracking: Tracking, run_id: str) -> None:
        params = {f"p{i}": "x" * 7000 for i in range(230)}
        metrics: dict[str, Any] = {f"m{i}": i for i in range(1700)} | {"precision <50K>/é": 0.5}
        tracking.log(run_id, params=params, metrics=metrics, tags={f"t{i}": i for i in range(150)})
        data = tracking.client.get_run(run_id).data
        assert len(data.params) == 230
        assert len(data.params["p0"]) == 6000
        assert len(data.metrics) == 1701
        assert data.metrics["precision _50K__é"] == 0.5
        assert data.tags["t149"] == "149"

    def test_series_come_back_by_step(self, tracking: Tracking, run_id: str) -> None:
        long = [1 / step for step in range(1, 1001)]  # more than one call takes
        tracking.log_series(run_id, {"training_loss": long, "best_epoch": [7]})
        stored = sorted(tracking.client.get_metric_history(run_id, "training_loss"), key=lambda one: one.step)
        assert [one.step for one in stored] == list(range(1, 1001))
        assert [one.value for one in stored] == long
        assert tracking.client.get_run(run_id).data.metrics["best_epoch"] == 7

    def test_files_and_texts_come_back(self, tracking: Tracking, run_id: str, tmp_path: Path) -> None:
        (tmp_path / "ids.json").write_text("[1]")
        tracking.log_text(run_id, "name: churn\n", "pipeline.yaml")
        tracking.log_file(run_id, tmp_path / "ids.json")
        tracking.log_file(run_id, tmp_path / "ids.json", name="training_ids.json")
        for name, text in {"pipeline.yaml": "name: churn\n", "ids.json": "[1]", "training_ids.json": "[1]"}.items():
            fetched = tracking.fetch(run_id, name, tmp_path / "downloads")
            assert fetched.read_text() == text
            assert tracking.fetch(run_id, name, tmp_path / "downloads") == fetched

    def test_missing_file_is_said(self, tracking: Tracking, run_id: str, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match=r"PEN508: the file 'suite\.json' of run .* is no longer") as raised:
            tracking.fetch(run_id, "suite.json", tmp_path)
        assert "bring MLflow's files back" in raised.value.remedy

    def test_dataset_is_named_by_its_digest(self, tracking: Tracking, run_id: str) -> None:
        tracking.log_dataset(run_id, name="churn", digest="ab" * 32, source="churn.csv", schema=SCHEMA, rows=9)
        (given,) = tracking.client.get_run(run_id).inputs.dataset_inputs
        assert (given.dataset.name, given.dataset.digest) == ("churn", "ab" * 18)
        assert '"num_rows": 9' in given.dataset.profile
        assert '{"name": "age", "type": "numeric"}' in given.dataset.schema

    def test_list_of_runs_leaves_candidates_out(self, tracking: Tracking) -> None:
        older, newer = (tracking.start_run("listed", name, {"penstock.run": name}) for name in ("one", "two"))
        tracking.log_candidates(older, [candidate("a")])
        tracking.log(newer, metrics={"r2": 0.5})
        tracking.end_run(newer, "FINISHED")
        two, one = tracking.runs("listed")
        assert (one["run"], one["status"], one["seconds"]) == ("one", "RUNNING", None)
        assert (two["run"], two["status"], two["metrics"]) == ("two", "FINISHED", {"r2": 0.5})
        assert two["pipeline"] == "listed"
        assert two["seconds"] >= 0
        assert {run["run"] for run in tracking.runs()} >= {"one", "two"}
        assert tracking.runs("never-run") == []


class TestCandidates:
    def test_child_holds_the_facts(self, tracking: Tracking, run_id: str) -> None:
        tracking.log_candidates(run_id, [candidate("a"), candidate("b", status="memory", reason="ended at 900 MB")])
        kept, killed = sorted(children(tracking, run_id), key=lambda child: child.data.tags["penstock.candidate"])
        assert (kept.info.status, killed.info.status) == ("FINISHED", "KILLED")
        assert kept.info.run_name == "ridge a"
        assert kept.info.end_time - kept.info.start_time == 2500
        assert kept.data.params == {"alpha": "0.1", "solver": "null"}
        assert kept.data.metrics["roc_auc"] == 0.8
        assert kept.data.metrics["roc_auc_low"] == 0.7
        history = tracking.client.get_metric_history(kept.info.run_id, "roc_auc_fold")
        assert {point.step: point.value for point in history} == {0: 0.75, 2: 0.85}
        assert "penstock.reason" not in kept.data.tags
        assert killed.data.tags["penstock.reason"] == "ended at 900 MB"
        assert killed.data.tags["penstock.run"] == tracking.client.get_run(run_id).data.tags["penstock.run"]

    def test_resumed_run_writes_only_what_is_missing(self, tracking: Tracking, run_id: str) -> None:
        tracking.log_candidates(run_id, [candidate("a"), candidate("b", status="failed")])
        before = {child.info.run_id for child in children(tracking, run_id)}
        tracking.log_candidates(run_id, [candidate("a"), candidate("b", status="failed"), candidate("c")])
        after = {child.info.run_id for child in children(tracking, run_id)}
        assert len(after - before) == 1
        assert before < after

    def test_child_cut_off_in_the_writing_is_written_anew(self, tracking: Tracking, run_id: str) -> None:
        experiment = tracking.client.get_run(run_id).info.experiment_id
        half = tracking.client.create_run(experiment, tags={"mlflow.parentRunId": run_id}).info.run_id
        tracking.log_candidates(run_id, [candidate("a")])
        (whole,) = children(tracking, run_id)
        assert whole.info.run_id != half
        assert whole.data.tags["penstock.candidate"] == "a"

    def test_child_closed_as_dead_gets_its_true_end(self, tracking: Tracking, run_id: str) -> None:
        tracking.log_candidates(run_id, [candidate("a")])
        tracking.end_run(children(tracking, run_id)[0].info.run_id, "KILLED")
        tracking.log_candidates(run_id, [candidate("a")])
        assert [child.info.status for child in children(tracking, run_id)] == ["FINISHED"]

    @pytest.mark.slow
    def test_fifty_children_all_arrive(self, tracking: Tracking, run_id: str) -> None:
        tracking.log_candidates(run_id, [candidate(str(i)) for i in range(50)])
        assert len(children(tracking, run_id)) == 50


class TestRecovery:
    def test_runs_of_dead_processes_are_closed_with_their_children(self, tracking: Tracking) -> None:
        dead, alive = (tracking.start_run("dead", name, {"penstock.run": name}) for name in ("dead-1", "alive-1"))
        experiment = tracking.experiment("dead")
        family = {"mlflow.parentRunId": dead, "penstock.run": "dead-1"}
        child = tracking.client.create_run(experiment, tags=family).info.run_id
        assert tracking.close_dead_runs(["dead-1", "dead-0"]) == 2
        states = [tracking.client.get_run(run).info.status for run in (dead, child, alive)]
        assert states == ["KILLED", "KILLED", "RUNNING"]
        assert tracking.close_dead_runs(["dead-1"]) == 0
        assert tracking.close_dead_runs(["alive-1"], experiment="another") == 0
        assert tracking.close_dead_runs(["alive-1"], experiment="dead") == 1

    def test_nothing_to_do_asks_nothing(self, tracking: Tracking, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tracking, "client", None)
        assert tracking.close_dead_runs([]) == 0


def test_four_threads_do_not_mix_up_their_runs(tracking: Tracking) -> None:
    faults: list[BaseException] = []
    ids: dict[int, str] = {}

    def work(number: int) -> None:
        try:
            ids[number] = tracking.start_run("threads", f"t{number}", {"penstock.run": f"thread-{number}"})
            for step in range(5):
                tracking.log(ids[number], params={f"p{step}": number}, metrics={f"m{step}": number})
            tracking.log_candidates(ids[number], [candidate(f"{number}-{i}") for i in range(3)])
            tracking.end_run(ids[number], "FINISHED")
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    for number in range(4):
        run = tracking.client.get_run(ids[number])
        assert run.data.params == {f"p{step}": str(number) for step in range(5)}
        assert run.data.metrics == {f"m{step}": float(number) for step in range(5)}
        keys = {child.data.tags["penstock.candidate"] for child in children(tracking, ids[number])}
        assert keys == {f"{number}-{i}" for i in range(3)}


class TestRegistry:
    def log(self, tracking: Tracking, run_id: str, file: Path, name: str, **tags: str) -> Version:
        return tracking.registry.log_model(run_id, file, name=name, schema=SCHEMA, tags=tags)

    def test_version_is_born_pending_and_the_champion_settles_it(
        self, tracking: Tracking, run_id: str, model_file: Path
    ) -> None:
        registry = tracking.registry
        assert registry.champion("gated") is None
        first = self.log(tracking, run_id, model_file, "gated", action="a1")
        second = self.log(tracking, run_id, model_file, "gated", action="a2")
        assert registry.champion("gated") is None
        assert [version.version for version in registry.pending_versions("gated")] == ["2", "1"]
        assert registry.version_by_tag("gated", "action", "a1") == first
        assert registry.version_by_tag("gated", "action", "a3") is None

        registry.tag_version("gated", first.version, {"penstock.verdict": "promote"})
        registry.set_champion("gated", first.version)
        champion = registry.champion("gated")
        assert champion is not None
        assert (champion.version, champion.run_id) == ("1", run_id)
        assert champion.tags["penstock.verdict"] == "promote"
        assert registry.pending_versions("gated") == [second]

        registry.delete_version("gated", second.version)
        assert registry.pending_versions("gated") == []
        third = self.log(tracking, run_id, model_file, "gated")
        registry.settle("gated", third.version)
        assert registry.pending_versions("gated") == []
        assert registry.champion("gated") == champion

    def test_logged_model_lies_with_its_experiment_and_carries_its_loader(
        self, tracking: Tracking, run_id: str, model_file: Path, folder: Path, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        import sklearn

        here = tmp_path / "here"
        here.mkdir()
        monkeypatch.chdir(here)
        monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
        version = self.log(tracking, run_id, model_file, "placed")
        assert not list(here.iterdir())
        assert "MLFLOW_TRACKING_URI" not in os.environ
        logged = Path(tracking.client.get_model_version_download_uri("placed", version.version).removeprefix("file://"))
        assert logged.is_relative_to(folder / "artifacts" / "churn")
        assert (logged / "data" / "model.skops").read_bytes() == model_file.read_bytes()
        assert f"scikit-learn=={sklearn.__version__}" in (logged / "requirements.txt").read_text().splitlines()

        code = logged / "code" / "penstock"
        assert (code / "model.py").is_file()
        assert not {"flows", "tasks", "tracking", "cli"} & {path.name for path in code.iterdir()}
        assert len(list(code.rglob("*.py"))) < 60
        assert (code / "components" / "schema" / "__init__.py").is_file()
        assert not [path for path in code.rglob("*") if path.is_symlink() or path.name == "__pycache__"]
        (output,) = tracking.client.get_run(run_id).outputs.model_outputs
        assert tracking.client.get_logged_model(output.model_id).status == "READY"

    def test_what_the_environment_says_is_not_taken_for_what_the_program_said(
        self, tracking: Tracking, run_id: str, model_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import mlflow

        monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
        self.log(tracking, run_id, model_file, "elsewhere")
        assert os.environ["MLFLOW_TRACKING_URI"] == "http://127.0.0.1:9"
        monkeypatch.delenv("MLFLOW_TRACKING_URI")
        assert not mlflow.is_tracking_uri_set()

    @pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is an extra")
    def test_further_libraries_are_pinned_without_their_local_part(
        self, tracking: Tracking, run_id: str, model_file: Path
    ) -> None:
        version = tracking.registry.log_model(
            run_id, model_file, name="pinned", schema=SCHEMA, libraries=["torch", "safetensors"]
        )
        logged = Path(tracking.client.get_model_version_download_uri("pinned", version.version).removeprefix("file://"))
        pins = dict(line.split("==") for line in (logged / "requirements.txt").read_text().splitlines())
        assert {"mlflow", "skops", "skrub", "torch", "safetensors"} <= set(pins)
        assert "+" not in pins["torch"]

    def test_download_is_kept_under_its_checksum(
        self, tracking: Tracking, run_id: str, model_file: Path, tmp_path: Path
    ) -> None:
        version = self.log(tracking, run_id, model_file, "fetched")
        tracking.registry.set_champion("fetched", version.version)
        kept = tracking.registry.download("fetched", "champion", tmp_path / "downloads")
        assert kept.read_bytes() == model_file.read_bytes()
        written = kept.stat().st_mtime_ns
        assert tracking.registry.download("fetched", "1", tmp_path / "downloads") == kept
        assert kept.stat().st_mtime_ns == written
        kept.write_bytes(b"altered here")
        assert (
            tracking.registry.download("fetched", "1", tmp_path / "downloads").read_bytes() == model_file.read_bytes()
        )

    def test_what_this_home_made_is_neither_fetched_nor_vetted(
        self, tracking: Tracking, run_id: str, model_file: Path, tmp_path: Path
    ) -> None:
        from penstock.tracking.registry import keep_own

        version = self.log(tracking, run_id, model_file, "own")
        keep_own(model_file, tmp_path / "downloads")
        kept = tracking.registry.download("own", version.version, tmp_path / "downloads")
        assert kept.samefile(model_file)

    @pytest.mark.slow
    def test_a_version_that_cannot_be_asked_for_a_prediction_is_not_kept(
        self, tracking: Tracking, run_id: str, model_file: Path, tmp_path: Path
    ) -> None:
        """Whoever writes both the file and its digest into the registry gets no further."""
        from penstock.tracking.registry import DIGEST_TAG

        version = self.log(tracking, run_id, model_file, "bad")
        location = tracking.client.get_model_version_download_uri("bad", version.version).removeprefix("file://")
        content = b"no model at all"
        (Path(location) / "data" / "model.skops").write_bytes(content)
        tracking.registry.tag_version("bad", version.version, {DIGEST_TAG: hashlib.sha256(content).hexdigest()})
        with pytest.raises(ModelError, match="PEN502") as raised:
            tracking.registry.download("bad", version.version, tmp_path / "downloads")
        assert raised.value.where == f"models:/bad/{version.version}"
        assert not list((tmp_path / "downloads").glob("*"))

    @pytest.mark.parametrize("content", [b"no model at all", b"", b"PK\5\6" + bytes(18)])
    def test_what_is_no_model_is_not_registered(
        self, tracking: Tracking, run_id: str, tmp_path: Path, content: bytes
    ) -> None:
        (tmp_path / "bad.skops").write_bytes(content)
        with pytest.raises(ModelError, match="PEN502: this is not a skops model file"):
            self.log(tracking, run_id, tmp_path / "bad.skops", "bad")

    def test_file_altered_in_the_registry_is_refused(
        self, tracking: Tracking, run_id: str, model_file: Path, tmp_path: Path
    ) -> None:
        version = self.log(tracking, run_id, model_file, "altered")
        location = tracking.client.get_model_version_download_uri("altered", version.version).removeprefix("file://")
        (Path(location) / "data" / "model.skops").write_bytes(b"something else")
        with pytest.raises(ModelError, match=r"PEN503.*is not the one that was registered") as raised:
            tracking.registry.download("altered", version.version, tmp_path)
        assert "do not use it" in raised.value.remedy

    def test_file_lost_from_the_registry_is_said(
        self, tracking: Tracking, run_id: str, model_file: Path, tmp_path: Path
    ) -> None:
        version = self.log(tracking, run_id, model_file, "lost")
        location = tracking.client.get_model_version_download_uri("lost", version.version).removeprefix("file://")
        (Path(location) / "data" / "model.skops").unlink()
        with pytest.raises(ModelError, match="PEN508: the file of version 1 of 'lost' is no longer"):
            tracking.registry.download("lost", version.version, tmp_path)

    @pytest.mark.parametrize("which", ["champion", "7"])
    def test_unknown_version_is_said(
        self, tracking: Tracking, run_id: str, model_file: Path, tmp_path: Path, which: str
    ) -> None:
        self.log(tracking, run_id, model_file, "known")
        with pytest.raises(ModelError, match=f"PEN507: there is no version '{which}' of a model 'nothing'") as raised:
            tracking.registry.download("nothing", which, tmp_path)
        assert raised.value.remedy.startswith("choose one of: ")
        assert "known" in raised.value.remedy

    def test_a_name_that_is_almost_right_is_told(self, tracking: Tracking, run_id: str, model_file: Path) -> None:
        self.log(tracking, run_id, model_file, "churn")
        with pytest.raises(ModelError) as raised:
            tracking.registry.version("chrun", "champion")
        assert raised.value.remedy == "did you mean 'churn'?"
        with pytest.raises(ModelError) as raised:
            tracking.registry.version("churn", "2")
        assert raised.value.remedy == "its newest versions are 1; it has a champion once a run was promoted"

    def test_version_of_someone_else_is_refused(self, tracking: Tracking, tmp_path: Path) -> None:
        tracking.client.create_registered_model("foreign")
        tracking.client.create_model_version("foreign", source=str(tmp_path))
        with pytest.raises(ModelError, match="PEN507: version 1 of 'foreign' was not registered by Penstock"):
            tracking.registry.download("foreign", "1", tmp_path)


@pytest.fixture
def server(tmp_path: Path, migrated_database: Path) -> Iterator[str]:
    """A real MLflow server, which keeps the files of its runs itself."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shutil.copy(migrated_database, tmp_path / "server.db")
    command = [sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    command += ["--backend-store-uri", f"sqlite:///{tmp_path}/server.db"]
    command += ["--artifacts-destination", str(tmp_path / "served")]
    quiet = {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false", "MLFLOW_DISABLE_TELEMETRY": "true"}
    with (tmp_path / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command, env=os.environ | quiet, cwd=tmp_path, stdout=log, stderr=log, start_new_session=True
        )
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
                break
            except OSError:
                time.sleep(0.5)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.slow
def test_through_a_server(server: str, model_file: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from penstock.tracking import Tracking

    tracking = Tracking(server)
    run_id = tracking.start_run("churn", "a-run", {"penstock.run": "r1"})
    tracking.log(run_id, metrics={"r2": {"value": 0.5, "low": 0.4, "high": 0.6}})
    tracking.log_text(run_id, "[]", "suite.json")
    tracking.log_candidates(run_id, [candidate("a"), candidate("b", status="died", reason="killed")])
    version = tracking.registry.log_model(run_id, model_file, name="served", schema=SCHEMA, tags={"action": "a1"})
    assert tracking.registry.champion("served") is None
    assert tracking.registry.version_by_tag("served", "action", "a1") == version
    tracking.registry.set_champion("served", version.version)
    assert tracking.registry.download("served", "champion", tmp_path / "kept").read_bytes() == model_file.read_bytes()
    assert tracking.fetch(run_id, "suite.json", tmp_path / "kept").read_text() == "[]"
    with pytest.raises(ModelError, match="PEN508"):
        tracking.fetch(run_id, "nothing.json", tmp_path / "kept")
    assert {child.info.status for child in children(tracking, run_id)} == {"FINISHED", "KILLED"}
    assert [run["run"] for run in tracking.runs("churn")] == ["r1"]
    assert tracking.close_dead_runs(["r1"]) == 1
    assert capfd.readouterr() == ("", "")


STRANGER = """
import importlib.util, json, sys
from pathlib import Path

uri, rows, checkout = sys.argv[1:]
sys.meta_path[:] = [finder for finder in sys.meta_path if "__editable__" not in getattr(finder, "__module__", "")]
sys.path[:] = [path for path in sys.path if Path(path).resolve() != Path(checkout)]
assert importlib.util.find_spec("penstock") is None


class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name in ("prefect", "great_expectations", "torch"):
            raise ModuleNotFoundError(name, name=name)


sys.meta_path.insert(0, NotInstalled())

import mlflow.pyfunc
import pandas as pd

mlflow.set_tracking_uri(uri)
scores = mlflow.pyfunc.load_model("models:/stranger/1").predict(pd.read_parquet(rows))

import penstock

print(json.dumps({"penstock": penstock.__file__, "scores": scores.to_dict("list")}))
"""


@pytest.mark.slow
def test_model_loads_where_the_project_is_not(tracking: Tracking, run_id: str, tmp_path: Path) -> None:
    import numpy as np
    import pandas as pd
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    import penstock
    from penstock.components.preprocessing.dates import DateEncoder
    from penstock.components.preprocessing.texts import TextEncoder
    from penstock.components.schema import conform, encode_target, infer_schema
    from penstock.model import load_bundle, save_bundle
    from penstock.store import Store

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, 40),
            "joined": pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(0, 300, 40), unit="D"),
            "note": [f"came back {' and again' * (i % 4)} on day {i}" for i in range(40)],
            "churned": np.resize(["no", "yes", "no"], 40),
        }
    )
    schema = infer_schema(
        frame, problem="classification", target_type="classes", target="churned", roles={"note": "text"}
    )
    prepare = make_column_transformer(
        ("passthrough", ["age"]), (DateEncoder(), ["joined"]), (TextEncoder(3, random_state=0), ["note"])
    )
    pipeline = make_pipeline(prepare, LogisticRegression(max_iter=10_000))
    pipeline.fit(conform(frame, schema, strict=True), encode_target(frame["churned"], schema))
    store = Store(tmp_path / "store")
    rules = {"version": 1, "rules": [], "not_compiled": []}
    path = store.path(save_bundle(store, pipeline=pipeline, schema=schema, contract=rules, card={}))
    tracking.registry.log_model(run_id, path, name="stranger", schema=schema)
    frame.to_parquet(tmp_path / "rows.parquet")

    checkout = Path(penstock.__file__).resolve().parent.parent
    answer = subprocess.run(
        [sys.executable, "-I", "-c", STRANGER, tracking.uri, str(tmp_path / "rows.parquet"), str(checkout)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    told = json.loads(answer.stdout.splitlines()[-1])
    assert Path(told["penstock"]).parent.parent.name == "code"
    assert not Path(told["penstock"]).is_relative_to(checkout)
    expected = load_bundle(path).score_frame(frame)
    pd.testing.assert_frame_equal(pd.DataFrame(told["scores"]), expected)


class TestFirstContact:
    def test_server_that_is_down(
        self, tracking: Tracking, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from penstock.tracking import Tracking

        monkeypatch.delenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", raising=False)
        before = dict(os.environ)
        with pytest.raises(EnvironmentFault, match=r"PEN904.*http://127\.0\.0\.1:9.*Connection refused") as raised:
            Tracking("http://someone:secret@127.0.0.1:9")
        assert "mlflow server" in raised.value.remedy
        assert "secret" not in str(raised.value)
        assert raised.value.__suppress_context__
        assert dict(os.environ) == before
        assert capfd.readouterr() == ("", "")

    def test_database_that_is_none(self, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
        from penstock.tracking import Tracking

        (tmp_path / "notes.txt").write_text("this is no database, " * 100)
        with pytest.raises(EnvironmentFault, match=r"PEN904.*notes\.txt.*file is not a database"):
            Tracking(f"sqlite:///{tmp_path}/notes.txt")
        assert capfd.readouterr() == ("", "")

    def test_folder_that_cannot_be_made(self, tmp_path: Path) -> None:
        from penstock.tracking import Tracking

        (tmp_path / "file").write_text("")
        with pytest.raises(EnvironmentFault, match=r"PEN904.*Not a directory"):
            Tracking(f"sqlite:///{tmp_path}/file/below/mlflow.db")

    def test_scheme_that_mlflow_does_not_know(self) -> None:
        from penstock.tracking import Tracking

        with pytest.raises(EnvironmentFault, match=r"PEN904.*file:///nowhere"):
            Tracking("file:///nowhere")

    @pytest.mark.slow
    def test_processes_that_start_at_once_on_a_fresh_home_all_pass_in_silence(self, tmp_path: Path) -> None:
        program = textwrap.dedent(
            f"""
            from pathlib import Path
            from penstock.tracking import Tracking
            tracking = Tracking("sqlite:///{tmp_path}/mlflow.db", Path("{tmp_path}/artifacts"))
            tracking.end_run(tracking.start_run("race", "one", {{"penstock.run": "r"}}), "FINISHED")
            """
        )
        command = [sys.executable, "-W", "error", "-c", program]
        started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(3)]
        said = [process.communicate()[0].decode() for process in started]
        assert said == ["", "", ""]
        assert [process.returncode for process in started] == [0, 0, 0]
