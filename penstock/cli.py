"""The command line. Heavy libraries are loaded by the command that needs them, so `--help` is quick."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from penstock.completion import complete_model, complete_pipeline, complete_run
from penstock.errors import PenstockError

app = typer.Typer(
    help="Machine-learning pipelines as Prefect flows: one pipeline file in, one validated, honestly measured, "
    "registered model out.\n\nStart with: penstock run examples/churn/pipeline.yaml",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Pipeline = Annotated[Path, typer.Argument(metavar="PIPELINE.YAML", help="The pipeline file.", show_default=False)]
Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Change a key of the file for this run, e.g. split.seed=7. Repeatable."
    ),
]
Sample = Annotated[
    int | None, typer.Option("--sample", min=2, help="Use only that many rows, drawn by the seed: a quick try.")
]
Readings = Annotated[
    list[str] | None,
    typer.Option(
        "--reading",
        metavar="KEY=VALUE",
        help="How to read the rows, where that cannot be found out, e.g. encoding=cp1252. Repeatable.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output, nothing else.")]

RUN_WORDS = (
    "A run by its id or the beginning of it, the newest of a pipeline by its name, or `latest`; `~1` is the one before."
)
EXITS = (
    "Exit status: 0 done, 2 usage or pipeline file, 3 data failed validation, 4 no candidate survived, "
    "5 not promoted under --require-promotion, 6 the machine or a server failed, 1 a bug."
)


@app.command(epilog=EXITS)
def run(
    pipeline: Pipeline,
    overrides: Overrides = None,
    sample: Sample = None,
    require_promotion: Annotated[
        bool, typer.Option("--require-promotion", help="Exit with 5 unless the model becomes the champion.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run a pipeline, from data to a registered model.

    Validate, split, prepare, search, train, evaluate, register, report.
    The same command again, after an edit or a crash, redoes only what changed.
    """
    from penstock.console import follow, summarise
    from penstock.flows.checks import load_checked_spec
    from penstock.runs import begin, folder_of
    from penstock.settings import Settings

    settings = Settings.from_environment()
    spec = load_checked_spec(str(pipeline), overrides)
    run_id = begin(settings.home, spec.name)
    from penstock import api

    with follow(folder_of(settings.home, run_id), spec.name, quiet=as_json):
        result = api.run(pipeline, overrides=overrides or [], sample=sample, run_id=run_id)
    if as_json:
        _print_json(result.document)
    else:
        summarise(result.document)
    if require_promotion:
        api.require_promotion(result)


@app.command()
def init(
    source: Annotated[
        str,
        typer.Argument(help="The table: whatever a pipeline's data.source can be, e.g. a file.", show_default=False),
    ],
    target: Annotated[str | None, typer.Option(help="The column to predict; without one, clusters are found.")] = None,
    problem: Annotated[
        str | None, typer.Option(help="classification, regression or clustering; by default found from the target.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The pipeline file; by default here, named after the data.")] = None,
    reading: Readings = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there already.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a first pipeline file for a table, and first rules for its rows.

    Says what each column is taken for, and why. Both files are commented, yours to edit, and run as they are.
    """
    from penstock.console import ask_target, show_begun
    from penstock.starter.begin import begin, take

    taken = take(source, reading or [])
    if target is None and problem != "clustering" and not as_json:
        target = ask_target(taken.frame.columns.tolist())
    begun = begin(taken, target=target, problem=problem, out=out, force=force)
    if as_json:
        _print_json(begun.document())
    else:
        show_begun(begun.document())


@app.command()
def plan(pipeline: Pipeline, overrides: Overrides = None, sample: Sample = None, as_json: AsJson = False) -> None:
    """Show which stages would run now, and why."""
    from penstock import api
    from penstock.console import show_plan

    stages = api.plan(pipeline, overrides=overrides or [], sample=sample)
    if as_json:
        _print_json({"stages": [{key: stage[key] for key in ("stage", "state", "reason")} for stage in stages]})
    else:
        show_plan(stages)


@app.command()
def catalog(
    problem: Annotated[str | None, typer.Option(help="Only methods for this problem, e.g. classification.")] = None,
    as_json: AsJson = False,
) -> None:
    """List every method that a pipeline file can name."""
    from penstock.components.catalog import listing
    from penstock.console import show_catalog

    entries = listing(problem)
    if as_json:
        _print_json({"entries": entries})
    else:
        show_catalog(entries)


@app.command()
def diagnose(
    name: Annotated[
        str | None, typer.Argument(help="The diagnostic; without one, all are listed.", show_default=False)
    ] = None,
    source: Annotated[
        str | None,
        typer.Argument(help="The table: whatever a pipeline's data.source can be, e.g. a file.", show_default=False),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A parameter of the diagnostic. Repeatable."),
    ] = None,
    reading: Readings = None,
    figure: Annotated[Path | None, typer.Option(help="Where its picture goes, if it draws one: an .svg file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Look at a matrix, an array or a graph: what it is, whether it is sound, and what stands out."""
    from penstock import api
    from penstock.console import show_diagnosis, show_diagnostics

    if name is None:
        from penstock.components.diagnostics import listing

        found = listing()
        _print_json({"diagnostics": found}) if as_json else show_diagnostics(found)
        return
    diagnosis = api.diagnose(name, source, parameters=settings or [], reading=reading or [], figure=figure)
    _print_json(diagnosis) if as_json else show_diagnosis(diagnosis)


@app.command()
def score(
    model: Annotated[
        str,
        typer.Argument(
            help="A registered model: churn@champion, churn@3.", show_default=False, autocompletion=complete_model
        ),
    ],
    source: Annotated[
        str,
        typer.Argument(
            help="Rows to score: whatever a pipeline's data.source can be, e.g. a file.", show_default=False
        ),
    ],
    destination: Annotated[
        Path, typer.Argument(help="Where the scores go: a .csv, .jsonl or .parquet file.", show_default=False)
    ],
    reading: Readings = None,
) -> None:
    """Score rows with a registered model. Rows that break the model's data contract are refused."""
    from penstock import api

    rows = api.score(model, source, destination, reading=reading or [])
    sys.stderr.write(f"{rows} rows scored with {model} into {destination}\n")


@app.command()
def runs(
    pipeline: Annotated[
        str | None,
        typer.Argument(help="Only runs of this pipeline.", show_default=False, autocompletion=complete_pipeline),
    ] = None,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--diff",
            metavar="A B",
            help=f"Compare two runs instead: file, data, winner, and scores on the same rows. {RUN_WORDS}",
            autocompletion=complete_run,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List runs, the newest first, or compare two."""
    if diff:
        from penstock.comparison import compare
        from penstock.console import show_comparison
        from penstock.settings import Settings

        comparison = compare(Settings.from_environment().home, *diff)
        _print_json(comparison) if as_json else show_comparison(comparison)
        return
    from penstock import api
    from penstock.console import show_runs

    found = api.history(pipeline)
    if as_json:
        _print_json({"runs": found})
    else:
        show_runs(found)


@app.command()
def report(
    run: Annotated[
        str | None,
        typer.Argument(metavar="[RUN]", help=RUN_WORDS, show_default=False, autocompletion=complete_run),
    ] = None,
) -> None:
    """Open the report of a run, by default of the newest one; in a script, print its path.

    A report that is gone is made again from what the run kept.
    """
    from penstock import api
    from penstock.console import open_page

    page = api.report(run)
    sys.stdout.write(f"{page}\n")
    open_page(page.as_uri())


@app.command()
def ui(
    pipeline: Annotated[
        str | None,
        typer.Argument(
            help="Open the runs of this pipeline; by default those of the newest run.",
            show_default=False,
            autocompletion=complete_pipeline,
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Port of MLflow's page; by default 5000, or the next free one."),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the table of runs; never done in a script.")
    ] = True,
) -> None:
    """Serve MLflow's and Prefect's pages on this machine, until Ctrl-C.

    Pages that run already are used: those of MLFLOW_TRACKING_URI and PREFECT_API_URL, or of another `penstock ui`.
    """
    from penstock.console import open_page, waiting
    from penstock.pages import open_pages, until_left
    from penstock.settings import Settings

    settings = Settings.from_environment()
    settings.apply()
    with ExitStack() as closing:
        with waiting() as tell:
            pages = closing.enter_context(open_pages(settings, pipeline, port, tell))
        sys.stdout.write(f"MLflow   {pages.runs}\nPrefect  {pages.prefect}\n")
        sys.stdout.flush()
        if browser:
            open_page(pages.runs)
        if pages.check:
            sys.stderr.write("Ctrl-C ends what was started\n")
            until_left(pages.check)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Check versions, store, locks, databases, servers, disk and clock, and say what to do.

    Exit status 6 where something must be put right, otherwise 0.
    """
    from penstock.console import show_checks
    from penstock.doctor import examine
    from penstock.settings import Settings

    checks = examine(Settings.from_environment())
    _print_json({"checks": checks}) if as_json else show_checks(checks)
    if any(check["state"] == "fail" for check in checks):
        raise typer.Exit(6)


@app.command()
def schema() -> None:
    """Print the JSON schema of the pipeline file, for editors."""
    from penstock.spec.pipeline import schema as pipeline_schema

    _print_json(pipeline_schema())


def main() -> None:
    """Run the command line; errors for people go to standard error without a traceback."""
    try:
        app(standalone_mode=True)
    except PenstockError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(error.exit_status) from None
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; the same command goes on from here\n")
        raise SystemExit(130) from None


def _print_json(document: Any) -> None:
    sys.stdout.write(json.dumps(document, indent=1, default=str) + "\n")


if __name__ == "__main__":
    main()
