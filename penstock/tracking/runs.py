"""Runs: what was tried, with which parameters, how well it did, and how it ended."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from penstock.components.schema import Schema
from penstock.errors import ModelError, shorten
from penstock.store import write_atomically
from penstock.tracking.connection import connect, mlflow, shown
from penstock.tracking.registry import Registry, gone
from penstock.tracking.values import batches, measured, now, readable

RUN_TAG = "penstock.run"
KIND_TAG = "penstock.kind"
TRAINING, MONITOR = "training", "monitor"
CANDIDATE_TAG = "penstock.candidate"
REASON_TAG = "penstock.reason"
PARENT_TAG = "mlflow.parentRunId"
# Without this tag MLflow's page opens on a view for language models.
EXPERIMENT_TAGS = {"mlflow.experimentKind": "custom_model_development"}

LONGEST_DIGEST = 36  # in MLflow

MLFLOW_RUN = re.compile(r"[a-zA-Z0-9][\w-]{0,255}")

CANDIDATE_STATUS = {
    "finished": "FINISHED",
    "failed": "FAILED",
    "time": "KILLED",
    "memory": "KILLED",
    "died": "KILLED",
    "killed": "KILLED",
    "pruned": "KILLED",
}


class Tracking:
    """Penstock's runs in one MLflow; `registry` holds the models."""

    def __init__(self, tracking_uri: str, artifact_root: Path | None = None) -> None:
        self.uri = tracking_uri
        self.artifact_root = artifact_root
        self.client = connect(tracking_uri)
        self.registry = Registry(self.client)

    def experiment(self, name: str) -> str:
        """The experiment's id; made when missing, brought back when deleted."""
        found = self.client.get_experiment_by_name(name)
        if found is None:
            location = (self.artifact_root.absolute() / name).as_uri() if self.artifact_root else None
            try:
                return str(self.client.create_experiment(name, artifact_location=location, tags=EXPERIMENT_TAGS))
            except mlflow.MlflowException as error:
                if error.error_code != "RESOURCE_ALREADY_EXISTS":
                    raise
                found = self.client.get_experiment_by_name(name)  # another process was quicker
        if found.lifecycle_stage == "deleted":
            self.client.restore_experiment(found.experiment_id)
        return str(found.experiment_id)

    def experiments(self) -> dict[str, str]:
        """Ids by name."""
        return {found.name: str(found.experiment_id) for found in self._experiments()}

    def page(self, experiment: str, run_id: str) -> str | None:
        """Where a browser sees a run; None where no server shows it."""
        if not self.uri.startswith("http"):
            return None
        return f"{shown(self.uri).rstrip('/')}/#/experiments/{self.experiment(experiment)}/runs/{run_id}"

    def start_run(self, experiment: str, run_name: str, tags: Mapping[str, str]) -> str:
        run = self.client.create_run(self.experiment(experiment), run_name=run_name, tags=readable(tags))
        return str(run.info.run_id)

    def end_run(self, run_id: str, status: str) -> None:
        """`status`: FINISHED, FAILED or KILLED."""
        self.client.set_terminated(run_id, status=status)

    def is_running(self, run_id: str | None) -> bool:
        return run_id is not None and self.client.get_run(run_id).info.status == "RUNNING"

    def log(
        self,
        run_id: str,
        *,
        params: Mapping[str, Any] | None = None,
        metrics: Mapping[str, Any] | None = None,
        tags: Mapping[str, Any] | None = None,
    ) -> None:
        """A metric is a number or an interval `{value, low, high}`, which becomes three metrics."""
        self._write(run_id, params or {}, measured(metrics or {}, now()), tags or {})

    def log_series(self, run_id: str, series: Mapping[str, Sequence[float]]) -> None:
        """Metrics with a value for each step, the first step being 1."""
        at = now()
        values = [one for name, found in series.items() for step, value in enumerate(found, 1)
                  for one in measured({name: value}, at, step)]  # fmt: skip
        self._write(run_id, {}, values, {})

    def log_text(self, run_id: str, text: str, file: str) -> None:
        self.client.log_text(run_id, text, file)

    def log_file(self, run_id: str, path: Path, name: str | None = None) -> None:
        """`name`: what the file is called in the run, if not as on disk."""
        if name is None:
            self.client.log_artifact(run_id, str(path))
            return
        with tempfile.TemporaryDirectory(prefix="penstock-") as temporary:
            self.client.log_artifact(run_id, shutil.copyfile(path, Path(temporary) / name))

    def fetch(self, run_id: str, name: str, folder: Path) -> Path:
        """A file of a run that has ended; fetched once, then kept in `folder`."""
        if not MLFLOW_RUN.fullmatch(run_id):
            raise ModelError(
                "PEN516",
                f"MLflow names the run of a version {shorten(repr(run_id), 80)}, which is no id of a run",
                where=shown(self.uri),
                remedy="see who may write to that MLflow; delete the version and run the pipeline again",
            )
        kept = folder / run_id / name
        if kept.exists():
            return kept
        with tempfile.TemporaryDirectory(prefix="penstock-") as temporary:
            try:
                fetched = self.client.download_artifacts(run_id, name, temporary)
            except (mlflow.MlflowException, OSError) as error:
                raise gone(f"the file '{name}' of run {run_id}", f"runs:/{run_id}/{name}", error) from error
            write_atomically(kept, Path(fetched).read_bytes())
        return kept

    def texts(self, run_id: str, folder: str) -> dict[str, str]:
        """The files of a folder of a run, by name without suffix."""
        with tempfile.TemporaryDirectory(prefix="penstock-") as temporary:
            files = [file.path for file in self.client.list_artifacts(run_id, folder) if not file.is_dir]
            fetched = [Path(self.client.download_artifacts(run_id, path, temporary)) for path in files]
            return {path.stem: path.read_text(encoding="utf-8") for path in fetched}

    def log_dataset(
        self, run_id: str, *, name: str, digest: str, source: str, schema: Schema, rows: int, context: str = "training"
    ) -> None:
        """What the run trained on, by digest; the rows themselves are not copied."""
        columns = [{"name": column.name, "type": column.role} for column in schema.columns]
        dataset = mlflow.entities.Dataset(
            name=name,
            digest=digest[:LONGEST_DIGEST],
            source_type="penstock",
            source=json.dumps({"uri": source}),
            schema=json.dumps({"columns": columns}),
            profile=json.dumps({"num_rows": rows, "num_columns": len(columns)}),
        )
        tag = mlflow.entities.InputTag("mlflow.data.context", context)
        self.client.log_inputs(run_id, [mlflow.entities.DatasetInput(dataset, [tag])])

    def log_candidates(self, run_id: str, candidates: Sequence[Mapping[str, Any]]) -> None:
        """One child run for each candidate that has none yet, from its facts.

        A candidate: `key`, `name`, `status` (finished, failed, time, memory, died, killed, ended), and, where known,
        `parameters`, `metrics` {name: mean}, `folds` {name: [value of each fold]}, `seconds`, `reason`.
        """
        parent = self.client.get_run(run_id)
        family = {PARENT_TAG: run_id, RUN_TAG: parent.data.tags.get(RUN_TAG, "")}
        written = self._children(parent.info.experiment_id, run_id)
        for candidate in candidates:
            status = CANDIDATE_STATUS[candidate["status"]]
            known = written.get(str(candidate["key"]))
            if known is None:
                self._log_candidate(parent.info.experiment_id, family, candidate, status)
            elif known.info.status != status:
                self.end_run(known.info.run_id, status)

    def close_dead_runs(self, penstock_runs: Iterable[str], experiment: str | None = None) -> int:
        """Mark runs as killed whose process is gone; how many there were."""
        dead = set(penstock_runs)
        if not dead:
            return 0
        alive_in_mlflow = self._search(experiment, f"attributes.status = 'RUNNING' AND tags.`{RUN_TAG}` IS NOT NULL")
        closed = [run.info.run_id for run in alive_in_mlflow if run.data.tags[RUN_TAG] in dead]
        for run_id in closed:
            self.end_run(run_id, "KILLED")
        return len(closed)

    def runs(self, experiment: str | None = None, kind: str = TRAINING) -> list[dict[str, Any]]:
        """Penstock's runs of a kind, the newest first, without their candidates."""
        names = {found.experiment_id: found.name for found in self._experiments()}
        found = self._search(experiment, f"tags.`{RUN_TAG}` IS NOT NULL AND tags.`{PARENT_TAG}` IS NULL")
        found.sort(key=lambda run: run.info.start_time, reverse=True)
        return [
            {
                "run": run.data.tags[RUN_TAG],
                "pipeline": names[run.info.experiment_id],
                "name": run.info.run_name,
                "status": run.info.status,
                "started": datetime.fromtimestamp(run.info.start_time / 1000, UTC).isoformat(timespec="seconds"),
                "seconds": (run.info.end_time - run.info.start_time) / 1000 if run.info.end_time else None,
                "mlflow_run": run.info.run_id,
                "metrics": dict(run.data.metrics),
                "tags": {key: value for key, value in run.data.tags.items() if key.startswith("penstock.")},
            }
            for run in found
            if run.data.tags.get(KIND_TAG, TRAINING) == kind
        ]

    def _log_candidate(
        self, experiment_id: str, family: Mapping[str, str], candidate: Mapping[str, Any], status: str
    ) -> None:
        ended = now()
        seconds = float(candidate.get("seconds") or 0.0)
        values = measured({**(candidate.get("metrics") or {}), "seconds": seconds}, ended)
        for name, folds in (candidate.get("folds") or {}).items():
            for fold, value in enumerate(folds):
                values += measured({f"{name}_fold": value}, ended, step=fold)
        child = self.client.create_run(
            experiment_id, start_time=ended - round(seconds * 1000), run_name=candidate["name"], tags=dict(family)
        ).info.run_id
        marks = {CANDIDATE_TAG: candidate["key"], REASON_TAG: candidate.get("reason")}
        self._write(child, candidate.get("parameters") or {}, values, marks)
        self.client.set_terminated(child, status=status, end_time=ended)

    def _children(self, experiment_id: str, run_id: str) -> dict[str, Any]:
        """Children by candidate key. One without a key was cut off while being written: it is deleted."""
        found = self._pages(self.client.search_runs, [experiment_id], f"tags.`{PARENT_TAG}` = '{run_id}'")
        for run in found:
            if CANDIDATE_TAG not in run.data.tags:
                self.client.delete_run(run.info.run_id)
        return {run.data.tags[CANDIDATE_TAG]: run for run in found if CANDIDATE_TAG in run.data.tags}

    def _write(self, run_id: str, params: Mapping[str, Any], metrics: list[Any], tags: Mapping[str, Any]) -> None:
        for batch in batches(params, metrics, tags):
            self.client.log_batch(run_id, **batch, synchronous=True)

    def _experiments(self) -> list[Any]:
        return self._pages(self.client.search_experiments)

    def _search(self, experiment: str | None, condition: str) -> list[Any]:
        ids = [found.experiment_id for found in self._experiments() if experiment in (None, found.name)]
        return self._pages(self.client.search_runs, ids, condition) if ids else []

    @staticmethod
    def _pages(search: Callable[..., Any], *arguments: Any) -> list[Any]:
        page = search(*arguments, max_results=1000)
        found = list(page)
        while page.token:
            page = search(*arguments, max_results=1000, page_token=page.token)
            found += page
        return found
