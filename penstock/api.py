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
    """What a run found. `document` has everything; the rest is what one asks for most.

    Parameters
    ----------
    document : RunDocument
        The run document, from which the report is made.

    Attributes
    ----------
    winner : str
        The method that won the search.
    metrics : dict of str to Score
        Scores of the model on the test set, by metric.
    verdict : str
        The gate's: "first", "promoted", or why the model was not promoted.
    report : Path
        The report, an HTML page.

    Examples
    --------
    >>> import penstock
    >>> result = penstock.run("churn.yaml")
    >>> sorted(result.metrics)[:3]
    ['accuracy', 'average_precision', 'balanced_accuracy']
    >>> result.report.name
    'report.html'
    """

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
    """The settings in force, and the pipeline file, in which nothing is wrong that shows without its data.

    Parameters
    ----------
    pipeline : str or Path
        The pipeline file.
    overrides : sequence of str
        Keys of the file with other values, such as "split.seed=7".

    Returns
    -------
    tuple of Settings and Spec
        The settings and the checked file.

    Raises
    ------
    UsageError
        If something is wrong with the file.

    Examples
    --------
    >>> from penstock import api
    >>> settings, spec = api.ready("churn.yaml", ["split.seed=7"])
    >>> spec.problem, spec.split.seed
    ('classification', 7)
    """
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
    """Run a pipeline file. Stages that nothing has changed for are not run again.

    Parameters
    ----------
    pipeline : str or Path
        The pipeline file.
    overrides : sequence of str, default=()
        Keys of the file with other values, such as "split.seed=7".
    sample : int or None, default=None
        Number of rows to take; None takes all.
    run_id : str or None, default=None
        The run's id; None makes one.
    data : DataFrame or None, default=None
        Rows in the place of the file's `data.source`.

    Returns
    -------
    RunResult
        The winner, its metrics, the verdict and the report.

    Examples
    --------
    >>> import penstock
    >>> result = penstock.run("churn.yaml")
    >>> result.winner, result.verdict
    ('logistic-regression', 'first')
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
    """Train a challenger for the champion.

    Parameters
    ----------
    pipeline : str or Path
        The pipeline file.
    overrides : sequence of str, default=()
        Keys of the file with other values, such as "split.seed=7".
    only_with_labels : bool, default=False
        Whether to train only where as many labelled rows have come as the file's `retrain.new_labels` says.
    run_id : str or None, default=None
        The run's id; None makes one.

    Returns
    -------
    dict
        `retrained`, `why`, and the run's `document` where there was one.

    Examples
    --------
    >>> from penstock import api
    >>> api.retrain("churn.yaml", only_with_labels=True)["retrained"]
    False
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
    """Raise where the gate did not make the run's model the champion.

    Parameters
    ----------
    result : RunResult
        What `run` returned.

    Raises
    ------
    NotPromotedError
        If the champion stays as it was.

    Examples
    --------
    >>> from penstock import api
    >>> from penstock.errors import NotPromotedError
    >>> result = api.run("churn.yaml", overrides=["models=[decision-tree]"])
    >>> try:
    ...     api.require_promotion(result)
    ... except NotPromotedError as error:
    ...     print(error.code, result.verdict)
    PEN401 inconclusive
    """
    if result.verdict not in PROMOTED:
        verdict = result.document.verdict
        raise NotPromotedError(
            "PEN401",
            f"version {verdict.version} was not promoted: {verdict.reason}",
            where=f"model '{result.document.name}'",
            remedy=f"read {result.report}; the champion stays as it was",
        )


def plan(pipeline: str | Path, *, overrides: Sequence[str] = (), sample: int | None = None) -> list[dict[str, Any]]:
    """What a run would do now, stage by stage, and why; nothing is run or written.

    Parameters
    ----------
    pipeline : str or Path
        The pipeline file.
    overrides : sequence of str, default=()
        Keys of the file with other values, such as "split.seed=7".
    sample : int or None, default=None
        Number of rows to take; None takes all.

    Returns
    -------
    list of dict
        Of each stage its name, its state ("cached", "would run"...) and the reason.

    Examples
    --------
    >>> from penstock import api
    >>> [stage["stage"] for stage in api.plan("churn.yaml") if stage["state"] != "cached"]
    ['report']
    >>> changed = api.plan("churn.yaml", overrides=["search.metric=f1"])
    >>> changed[0]["stage"], changed[0]["state"]
    ('ingest', 'cached')
    """
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
    """Put a pipeline on the Prefect server that PREFECT_API_URL names, with the schedule of its file.

    Parameters
    ----------
    pipeline : str or Path
        The pipeline file.
    pool : str, default="penstock"
        The work pool whose workers run it.
    overrides : sequence of str, default=()
        Keys of the file with other values, such as "split.seed=7".

    Returns
    -------
    dict
        What `penstock deploy --json` prints: the deployment's name, address and schedule.

    Examples
    --------
    >>> from penstock import api
    >>> api.deploy("churn.yaml")["schedule"] is None
    True
    """
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
    """A registered model by `name@alias` or `name@version`; a bare name means its champion.

    Parameters
    ----------
    name : str
        The model's name, with the alias or the version.

    Returns
    -------
    PenstockModel
        The model, with its schema and its data contract.

    Examples
    --------
    >>> import pandas as pd
    >>> import penstock
    >>> model = penstock.load("churn@champion")
    >>> model.predict(pd.read_csv("customers.csv").head(3)).isin(["yes", "no"]).all()
    np.True_
    """
    from penstock.model import load_bundle

    model, _, which = name.partition("@")
    if not model:
        raise UsageError("PEN016", f"'{name}' names no model", where="load", remedy="write name@champion or name@3")
    downloads = Settings.from_environment().home / "downloads"
    return load_bundle(_registry().download(model, which or "champion", downloads))


def promote(model: str, *, why: str) -> dict[str, Any]:
    """Make a version the champion, whatever the gate said; the decision is kept with who and why.

    Parameters
    ----------
    model : str
        `name@version`.
    why : str
        The reason.

    Returns
    -------
    dict
        The decision.

    Examples
    --------
    >>> from penstock import api
    >>> api.promote("churn@2", why="A tree can be read.")["before"]
    '1'
    """
    from penstock.tracking import decisions

    name, _, which = model.partition("@")
    if not name or not which:
        raise UsageError(
            "PEN016", f"'{model}' names no version of a model", where="promote", remedy="write name@version: churn@3"
        )
    return decisions.promote(_registry(), name, which, why=why).model_dump(mode="json")


def hold(model: str, *, why: str) -> dict[str, Any]:
    """Refuse a challenger; the decision is kept with who and why.

    Parameters
    ----------
    model : str
        `name@challenger` or `name@version`.
    why : str
        The reason.

    Returns
    -------
    dict
        The decision.

    Examples
    --------
    >>> from penstock import api
    >>> api.hold("churn@2", why="Its scores are worse.")["kind"]
    'hold'
    """
    from penstock.tracking import decisions

    name, _, which = model.partition("@")
    if not name or not which:
        remedy = "write name@challenger or name@version: churn@3"
        raise UsageError("PEN016", f"'{model}' names no version of a model", where="hold", remedy=remedy)
    return decisions.hold(_registry(), name, which, why=why).model_dump(mode="json")


def rollback(model: str, *, why: str) -> dict[str, Any]:
    """Bring back the champion before this one; the decision is kept with who and why.

    Parameters
    ----------
    model : str
        The model's name.
    why : str
        The reason.

    Returns
    -------
    dict
        The decision.

    Examples
    --------
    >>> from penstock import api
    >>> api.rollback("churn", why="Its scores are worse.")["version"]
    '1'
    """
    from penstock.tracking import decisions

    return decisions.rollback(_registry(), model, why=why).model_dump(mode="json")


def decisions(model: str) -> list[dict[str, Any]]:
    """Every decision on a model's versions, the oldest first.

    Parameters
    ----------
    model : str
        The model's name.

    Returns
    -------
    list of dict
        The decisions: kind, version, who, why, when, and the gate's evidence.

    Examples
    --------
    >>> from penstock import api
    >>> [decision["kind"] for decision in api.decisions("churn")]
    ['gate', 'promote', 'rollback', 'hold']
    """
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
    progress: Callable[[int, int], None] = lambda done, rows: None,
) -> dict[str, Any]:
    """Score a source into a file, a folder or a table.

    With Dask, and where a Prefect server is named, this is a flow run.

    Parameters
    ----------
    model : str
        `name@alias` or `name@version`.
    source : str or Path
        The rows; anything that a pipeline's `data.source` can be.
    destination : str or Path
        The file or folder of the scores, or the address of a database.
    table : str or None, default=None
        The table of that database.
    reading : sequence of str, default=()
        How the source is read, such as "delimiter=;".
    give : sequence of str, default=()
        What is asked for, such as "label"; empty gives what is usual.
    on_breach : sequence of str, default=()
        Policies for rows that break the data contract, such as "quarantine" or "age=impute".
    formulas : {"escape", "keep"} or None, default=None
        What becomes of texts that a spreadsheet would compute; None does as the pipeline file said.
    engine : str, default="local"
        "local", "dask", or the address of a Dask scheduler.
    progress : callable
        Called with the number of rows that are done and of all rows.

    Returns
    -------
    dict
        The summary that `penstock score --json` prints.

    Examples
    --------
    >>> from penstock import api
    >>> summary = api.score("churn@champion", "customers.csv", "scores.csv")
    >>> summary["rows"], summary["scored"]
    (240, 240)
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
        return batch.deliver(job, batch.score_rows(job, progress))


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
    """Compare recent rows with those that a registered model was made from.

    Parameters
    ----------
    model : str
        `name@alias` or `name@version`.
    source : str or Path
        The recent rows; anything that a pipeline's `data.source` can be.
    predictions : str, Path or None, default=None
        A file of the predictions that were given, where they do not stand in the source.
    labels : str, Path or None, default=None
        A file of the outcomes, where they do not stand in the source.
    rate : float, default=0.01
        How often a source that has not changed may raise an alarm.
    ignore : sequence of str, default=()
        Columns that are known to change.
    reading : sequence of str, default=()
        How the source is read, such as "delimiter=;".

    Returns
    -------
    dict
        What `penstock monitor --json` prints.

    Examples
    --------
    >>> from penstock import api
    >>> found = api.monitor("churn@champion", "customers.csv")
    >>> found["version"], found["drifted"]
    ('1', False)
    >>> api.require_stable(found)
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
    """Raise where recent rows have drifted.

    Parameters
    ----------
    found : dict
        What `monitor` returned.

    Raises
    ------
    DriftError
        If they have.

    Examples
    --------
    >>> from penstock import api
    >>> api.require_stable({"drifted": False})
    """
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
    """What a diagnostic finds in a table.

    Parameters
    ----------
    name : str
        The diagnostic's name; `penstock diagnose` lists them.
    source : str or None
        The table; anything that a pipeline's `data.source` can be. None for a diagnostic that needs none.
    parameters : sequence of str, default=()
        Its parameters, such as "directed=true".
    reading : sequence of str, default=()
        How the source is read, such as "delimiter=;".
    figure : Path or None, default=None
        An .svg file for the picture; where the diagnostic draws nothing, none is written.

    Returns
    -------
    dict
        What `penstock diagnose --json` prints; `figure` is None where nothing was drawn.

    Examples
    --------
    >>> from penstock import api
    >>> found = api.diagnose("hoeffding", None, parameters=["rows=500", "epsilon=0.05"])
    >>> round(found["facts"]["bound"], 3)
    0.164
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
    """Runs that MLflow knows of, the newest first.

    Parameters
    ----------
    pipeline : str or None, default=None
        The pipeline's name; None lists those of all.

    Returns
    -------
    list of dict
        The runs with their metrics and tags.

    Examples
    --------
    >>> from penstock import api
    >>> {run["status"] for run in api.history("churn")}
    {'FINISHED'}
    """
    from penstock.tracking import Tracking

    settings = Settings.from_environment()
    settings.apply()
    return Tracking(settings.tracking_uri, settings.artifact_root).runs(pipeline)


def report(run: str | None = None) -> Path:
    """The report of a run, made again from what the run kept where it is gone.

    Parameters
    ----------
    run : str or None, default=None
        The run's id; None takes the newest.

    Returns
    -------
    Path
        The HTML page.

    Examples
    --------
    >>> from penstock import api
    >>> api.report().name
    'report.html'
    """
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
