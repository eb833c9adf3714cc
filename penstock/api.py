"""Penstock from Python: `penstock.run("pipeline.yaml")`, `penstock.load("churn@champion").predict(frame)`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from penstock.context import read_journal
from penstock.errors import DriftError, NotPromotedError, UsageError
from penstock.home import runs
from penstock.reporting.notify import require_known
from penstock.settings import Settings
from penstock.spec.checked import checked_spec, handed_over
from penstock.store import open_store, write_atomically

if TYPE_CHECKING:
    import pandas as pd

    from penstock.document.candidates import Score
    from penstock.document.run import RunDocument
    from penstock.model import PenstockModel
    from penstock.spec.pipeline import Spec
    from penstock.tracking.registry import Registry

PROMOTED = ("promoted", "first")


@dataclass(frozen=True)
class RunResult:
    """What a run found. `document` has everything; the rest is what one asks for most."""

    document: RunDocument

    @property
    def winner(self) -> str:
        return self.document.winner.name

    @property
    def metrics(self) -> dict[str, Score]:
        return self.document.metrics

    @property
    def verdict(self) -> str:
        return self.document.verdict.verdict

    @property
    def report(self) -> Path:
        return Path(self.document.artifacts.report)


def ready(pipeline: str | Path, overrides: Sequence[str]) -> tuple[Settings, Spec]:
    """The settings in force, and the file, in which nothing is wrong that shows without its data."""
    settings = Settings.from_environment()
    settings.apply()
    spec = checked_spec(str(pipeline), overrides)
    require_known(settings, spec.notify)
    return settings, spec


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
    from penstock.servers.local import LocalServer

    settings, spec = ready(pipeline, overrides)
    run_id = run_id or runs.begin(settings.home, spec.name)
    with (
        handed_over(spec, str(pipeline), overrides),
        runs.announced(settings.home, run_id, settings.artifact_root),
        LocalServer.begin(settings) as server,
    ):
        # Imported while the server starts.
        from penstock.flows.launch import launch
        from penstock.tasks.ingest import hold_frame

        given = None if data is None else hold_frame(open_store(settings.home, settings.shared_store), data)
        log = runs.folder_of(settings.home, run_id) / "run.log"
        document = launch(spec.problem, str(pipeline), list(overrides), sample, run_id, server.wait(), log, given)
    return RunResult(document)


def retrain(
    pipeline: str | Path, *, overrides: Sequence[str] = (), only_with_labels: bool = False, run_id: str | None = None
) -> dict[str, Any]:
    """Train a challenger for the champion. Returns `retrained`, `why`, and the run's `document` where there was one.

    `only_with_labels`: only where as many labelled rows have come as the file's `retrain.new_labels` says.
    """
    from penstock.servers.local import LocalServer

    settings, spec = ready(pipeline, overrides)
    run_id = run_id or runs.begin(settings.home, spec.name)
    with (
        handed_over(spec, str(pipeline), overrides),
        runs.announced(settings.home, run_id, settings.artifact_root),
        LocalServer.begin(settings) as server,
    ):
        from penstock.flows.launch import launch_retrain  # imported while the server starts

        log = runs.folder_of(settings.home, run_id) / "run.log"
        cause: Literal["labels", "hand"] = "labels" if only_with_labels else "hand"
        return launch_retrain(str(pipeline), list(overrides), cause, run_id, server.wait(), log)


def require_promotion(result: RunResult) -> None:
    """Raise where the gate did not make the run's model the champion."""
    if result.verdict not in PROMOTED:
        verdict = result.document.verdict
        raise NotPromotedError(
            "PEN401",
            f"version {verdict.version} was not promoted: {verdict.reason}",
            where=f"model '{result.document.name}'",
            remedy=f"read {result.report}; the champion stays as it was",
        )


def plan(pipeline: str | Path, *, overrides: Sequence[str] = (), sample: int | None = None) -> list[dict[str, Any]]:
    """What a run would do now, stage by stage, and why; nothing is run or written."""
    settings, spec = ready(pipeline, overrides)
    from penstock.flows.training import flow_of

    run_id = runs.begin(settings.home, "plan")
    folder = runs.folder_of(settings.home, run_id)
    try:
        with handed_over(spec, str(pipeline), overrides):
            flow_of(spec.problem).fn(str(pipeline), list(overrides), sample, run_id, "plan")
        return [event for event in read_journal(folder) if event["event"] == "stage"]
    finally:
        runs.finish(settings.home, run_id)
        shutil.rmtree(folder, ignore_errors=True)


def deploy(pipeline: str | Path, *, pool: str = "penstock", overrides: Sequence[str] = ()) -> dict[str, Any]:
    """Put a pipeline on the Prefect server that PREFECT_API_URL names, with the schedule of its file."""
    settings = Settings.from_environment()
    settings.apply()
    spec = checked_spec(str(pipeline), overrides)
    if settings.prefect_api_url is None:
        raise UsageError(
            "PEN051",
            "there is no Prefect server to deploy to",
            where="PREFECT_API_URL",
            remedy="start one with `penstock up` and set the addresses that it prints, or name a server of yours",
        )
    from penstock.flows.deploy import deploy as put
    from penstock.servers.local import LocalServer

    api_url = LocalServer.begin(settings).wait()
    return put(spec, Path(pipeline), list(overrides), home=settings.home, pool=pool, api_url=api_url)


def load(name: str) -> PenstockModel:
    """A registered model by `name@alias` or `name@version`; a bare name means its champion."""
    from penstock.model import load_bundle

    model, _, which = name.partition("@")
    if not model:
        raise UsageError("PEN016", f"'{name}' names no model", where="load", remedy="write name@champion or name@3")
    downloads = Settings.from_environment().home / "downloads"
    return load_bundle(_registry().download(model, which or "champion", downloads))


def promote(model: str, *, why: str) -> dict[str, Any]:
    """Make `name@version` the champion, whatever the gate said; the decision is kept with who and why."""
    from penstock.tracking import decisions

    name, _, which = model.partition("@")
    if not name or not which:
        raise UsageError(
            "PEN016", f"'{model}' names no version of a model", where="promote", remedy="write name@version: churn@3"
        )
    return decisions.promote(_registry(), name, which, why=why).model_dump(mode="json")


def hold(model: str, *, why: str) -> dict[str, Any]:
    """Say no to `name@challenger` or `name@version`; the decision is kept with who and why."""
    from penstock.tracking import decisions

    name, _, which = model.partition("@")
    if not name or not which:
        remedy = "write name@challenger or name@version: churn@3"
        raise UsageError("PEN016", f"'{model}' names no version of a model", where="hold", remedy=remedy)
    return decisions.hold(_registry(), name, which, why=why).model_dump(mode="json")


def rollback(model: str, *, why: str) -> dict[str, Any]:
    """Bring back the champion before this one; the decision is kept with who and why."""
    from penstock.tracking import decisions

    return decisions.rollback(_registry(), model, why=why).model_dump(mode="json")


def decisions(model: str) -> list[dict[str, Any]]:
    """Every move of a model's champion, the oldest first."""
    from penstock.tracking.decisions import decisions

    return [decision.model_dump(mode="json") for decision in decisions(_registry(), model)]


def score(
    model: str,
    source: str | Path,
    destination: str | Path,
    *,
    table: str | None = None,
    reading: Sequence[str] = (),
    give: Sequence[str] = (),
    on_breach: Sequence[str] = (),
    formulas: str | None = None,
    engine: str = "local",
    told: Callable[[int, int], None] = lambda done, rows: None,
) -> dict[str, Any]:
    """Score a source into a file, a folder or a table; returns the summary that `penstock score --json` prints.

    The source is anything that a pipeline's `data.source` can be; `reading` are texts like `delimiter=;`. `give`: what
    is asked for, such as `label`; `on_breach`: policies such as `quarantine` or `age=impute`; `formulas`: escape or
    keep, by default as the pipeline file said. `told` is called with the rows that are done and all rows. `engine`:
    local, dask, or the address of a Dask scheduler. With Dask, and where a Prefect server is named, this is a flow run.
    """
    from penstock.scoring import batch
    from penstock.scoring.work import alone
    from penstock.spec.engine import engine_named

    order = batch.Order(
        model=model,
        source=str(source),
        destination=str(destination),
        table=table,
        reading=list(reading),
        give=list(give),
        on_breach=list(on_breach),
        formulas=formulas,
    )
    settings = Settings.from_environment()
    settings.apply()
    if settings.prefect_api_url or engine_named(engine).dask:
        from penstock.flows.launch import launch_score
        from penstock.servers.local import LocalServer

        with LocalServer.begin(settings) as server:
            return launch_score(order, engine, server.wait(), settings.logs / "score.log")
    job = batch.prepare(order)
    with alone(job.folder):
        return batch.deliver(job, batch.score_rows(job, told))


def monitor(
    model: str,
    source: str | Path,
    *,
    predictions: str | Path | None = None,
    labels: str | Path | None = None,
    rate: float = 0.01,
    ignore: Sequence[str] = (),
    reading: Sequence[str] = (),
) -> dict[str, Any]:
    """Compare recent rows with those that a registered model was made from; what `penstock monitor --json` prints.

    `predictions` and `labels` are files of answers given and of outcomes, where they do not stand in the source itself.
    `rate`: how often a source that has not changed may raise an alarm. `ignore`: columns that are known to change.
    """
    from penstock.servers.local import LocalServer

    settings = Settings.from_environment()
    settings.apply()
    run_id = runs.begin(settings.home, model.partition("@")[0] or "monitor")
    with runs.announced(settings.home, run_id, settings.artifact_root), LocalServer.begin(settings) as server:
        from penstock.flows.launch import launch_monitor  # imported while the server starts

        return launch_monitor(
            run_id,
            server.wait(),
            runs.folder_of(settings.home, run_id) / "run.log",
            model=model,
            source=str(source),
            predictions=str(predictions) if predictions else None,
            labels=str(labels) if labels else None,
            rate=rate,
            ignore=list(ignore),
            reading=list(reading),
        )


def require_stable(found: dict[str, Any]) -> None:
    """Raise where recent rows have drifted."""
    if found["drifted"]:
        raise DriftError(
            "PEN600",
            f"recent rows differ from those of version {found['version']}: {', '.join(found['words'])}",
            where=f"model '{found['model']}'",
            remedy=f"read {found['report']}",
        )


def diagnose(
    name: str,
    source: str | None,
    *,
    parameters: Sequence[str] = (),
    reading: Sequence[str] = (),
    figure: Path | None = None,
) -> dict[str, Any]:
    """What a diagnostic finds in a table. `parameters` are texts like `directed=true`; `figure` is an .svg file.

    Where it draws nothing, no file is written, and the answer's `figure` is None.
    """
    import yaml

    from penstock.components.diagnostics import find, table_of
    from penstock.components.plots import to_svg
    from penstock.starter.begin import take

    diagnostic = find(name)
    if source is None and diagnostic.needs_table:
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
    found = diagnostic(take(source, reading).frame if source else None, given)
    drawn = figure if found.figure else None
    if drawn and found.figure:
        write_atomically(drawn, to_svg(found.figure).encode())
    return {
        "name": name,
        "source": source,
        "findings": found.findings,
        "facts": found.facts,
        "table": table_of(found),
        "figure": str(drawn) if drawn else None,
    }


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
        origin = runs.read_document(settings.home, document.run.cached_from or run_id)
        tracking = Tracking(settings.tracking_uri, settings.artifact_root)
        figures = tracking.texts(origin.run.mlflow_run, "figures")
        write_atomically(page, render(document, figures).encode())
    return page


def _registry() -> Registry:
    from penstock.tracking import Tracking

    settings = Settings.from_environment()
    settings.apply()
    return Tracking(settings.tracking_uri, settings.artifact_root).registry
