"""Penstock from Python: `penstock.run("pipeline.yaml")`, `penstock.load("churn@champion").predict(frame)`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock import runs
from penstock.errors import NotPromotedError, UsageError
from penstock.settings import Settings
from penstock.store import Store, write_atomically

if TYPE_CHECKING:
    import pandas as pd

    from penstock.model import PenstockModel

PROMOTED = ("promoted", "first")


@dataclass(frozen=True)
class RunResult:
    """What a run found. `document` has everything; the rest is what one asks for most."""

    document: dict[str, Any]

    @property
    def winner(self) -> str:
        return str(self.document["winner"]["name"])

    @property
    def metrics(self) -> dict[str, dict[str, float]]:
        return dict(self.document["metrics"])

    @property
    def verdict(self) -> str:
        return str(self.document["verdict"]["verdict"])

    @property
    def report(self) -> Path:
        return Path(self.document["artifacts"]["report"])


def run(
    pipeline: str | Path,
    *,
    overrides: Sequence[str] = (),
    sample: int | None = None,
    run_id: str | None = None,
    data: pd.DataFrame | None = None,
) -> RunResult:
    """Run a pipeline file. `overrides` are texts like `split.seed=7`; `sample` takes that many rows only.

    `data` takes the place of the file's `data.source`.
    """
    from penstock.flows.checks import load_checked_spec
    from penstock.server import LocalServer

    settings = Settings.from_environment()
    settings.apply()
    spec = load_checked_spec(str(pipeline), list(overrides))
    run_id = run_id or runs.begin(settings.home, spec.name)
    try:
        with LocalServer.begin(settings) as server:
            # Imported while the server starts.
            from penstock.flows.launch import launch
            from penstock.tasks.ingest import hold_frame

            given = None if data is None else hold_frame(Store(settings.store), data)
            log = runs.folder_of(settings.home, run_id) / "run.log"
            document = launch(spec.problem, str(pipeline), list(overrides), sample, run_id, server.wait(), log, given)
    finally:
        runs.finish(settings.home, run_id)
    return RunResult(document)


def require_promotion(result: RunResult) -> None:
    """Raise where the gate did not make the run's model the champion."""
    if result.verdict not in PROMOTED:
        verdict = result.document["verdict"]
        raise NotPromotedError(
            "PEN401",
            f"version {verdict['version']} was not promoted: {verdict['reason']}",
            where=f"model '{result.document['name']}'",
            remedy=f"read {result.report}; the champion stays as it was",
        )


def plan(pipeline: str | Path, *, overrides: Sequence[str] = (), sample: int | None = None) -> list[dict[str, Any]]:
    """What a run would do now, stage by stage, and why; nothing is run or written."""
    from penstock.flows.checks import load_checked_spec
    from penstock.flows.launch import flow_of

    settings = Settings.from_environment()
    settings.apply()
    spec = load_checked_spec(str(pipeline), list(overrides))
    run_id = runs.begin(settings.home, "plan")
    folder = runs.folder_of(settings.home, run_id)
    try:
        flow_of(spec.problem).fn(str(pipeline), list(overrides), sample, run_id, "plan")
        events = [json.loads(line) for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
        return [event for event in events if event["event"] == "stage"]
    finally:
        runs.finish(settings.home, run_id)
        shutil.rmtree(folder, ignore_errors=True)


def load(name: str) -> PenstockModel:
    """A registered model by `name@alias` or `name@version`; a bare name means its champion."""
    from penstock.model import load_bundle
    from penstock.tracking import Tracking

    settings = Settings.from_environment()
    settings.apply()
    model, _, which = name.partition("@")
    if not model:
        raise UsageError("PEN016", f"'{name}' names no model", where="load", remedy="write name@champion or name@3")
    registry = Tracking(settings.tracking_uri, settings.artifact_root).registry
    return load_bundle(registry.download(model, which or "champion", settings.home / "downloads"))


def score(model: str, source: str | Path, destination: Path, *, reading: Sequence[str] = ()) -> int:
    """Score a source into a file; the key column is carried through. Returns the number of rows.

    The source is anything that a pipeline's `data.source` can be; `reading` are texts like `delimiter=;`.
    """
    from penstock.components.sources.location import fill_in, require_known_placeholders, require_no_secret
    from penstock.components.sources.options import reading_of
    from penstock.components.sources.reading import read_frame
    from penstock.components.sources.writing import require_writable, write_table

    require_no_secret(str(source))
    require_known_placeholders(str(source))
    require_writable(destination)
    how = reading_of(reading)
    loaded = load(model)
    frame = read_frame(fill_in(str(source), datetime.now(UTC), "UTC"), how, Path(), fewest_rows=1)
    answers = loaded.score_frame(frame)
    key = loaded.schema.named("key")
    if key in frame.columns:
        answers.insert(0, key, frame[key])
    write_table(answers, destination)
    return len(answers)


def diagnose(
    name: str,
    source: str | None,
    *,
    parameters: Sequence[str] = (),
    reading: Sequence[str] = (),
    figure: Path | None = None,
) -> dict[str, Any]:
    """What a diagnostic finds in a table. `parameters` are texts like `directed=true`; `figure` is an .svg file."""
    import yaml

    from penstock.components.diagnostics import find
    from penstock.components.plots import to_svg
    from penstock.starter.begin import take

    diagnostic = find(name)
    if source is None:
        raise UsageError(
            "PEN231",
            f"'{name}' needs a table to look at",
            where="diagnose",
            remedy=f"name it: penstock diagnose {name} FILE.csv; `penstock diagnose` lists all diagnostics",
        )
    strange = [text for text in parameters if "=" not in text]
    if strange:
        remedy = "write the parameter's name, '=' and its value"
        raise UsageError("PEN221", f"--set takes key=value, not {strange[0]!r}", where="--set", remedy=remedy)
    given = {key: yaml.safe_load(value) for key, _, value in (text.partition("=") for text in parameters)}
    found = diagnostic(take(source, reading).frame, given)
    if figure:
        if found.figure is None:
            remedy = "leave --figure out"
            raise UsageError("PEN232", f"'{name}' draws no picture", where="--figure", remedy=remedy)
        write_atomically(figure, to_svg(found.figure).encode())
    table = found.table if found.table.index.name is None else found.table.reset_index()
    rows = json.loads(table.to_json(orient="records", double_precision=15))
    return {"name": name, "source": source, "findings": found.findings, "facts": found.facts, "table": rows}


def history(pipeline: str | None = None) -> list[dict[str, Any]]:
    """Runs that MLflow knows of, the newest first."""
    from penstock.tracking import Tracking

    settings = Settings.from_environment()
    settings.apply()
    return Tracking(settings.tracking_uri, settings.artifact_root).runs(pipeline)


def report(run: str | None = None) -> Path:
    """The report of a run, by default of the newest; made again from what the run kept where it is gone."""
    settings = Settings.from_environment()
    run_id = runs.find(settings.home, run)
    page = runs.folder_of(settings.home, run_id) / "report.html"
    if not page.exists():
        from penstock.reporting.render import render
        from penstock.tracking import Tracking

        settings.apply()
        document = runs.read_document(settings.home, run_id)
        # A run that repeated an earlier one left the pictures to that.
        origin = runs.read_document(settings.home, document["run"]["cached_from"] or run_id)
        tracking = Tracking(settings.tracking_uri, settings.artifact_root)
        write_atomically(page, render(document, tracking.texts(origin["run"]["mlflow_run"], "figures")).encode())
    return page
