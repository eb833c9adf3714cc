"""Commands on a pipeline file and on tables: run, retrain, init, plan, catalog, diagnose, schema."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from penstock.cli.common import (
    EXITS,
    AsJson,
    Overrides,
    Pipeline,
    Readings,
    Sample,
    app,
    print_json,
)
from penstock.errors import UsageError


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
    from penstock import api
    from penstock.home.runs import begin, folder_of
    from penstock.reporting.console import follow, summarise
    from penstock.spec.checked import handed_over

    settings, spec = api.ready(pipeline, overrides or [])
    run_id = begin(settings.home, spec.name)
    progress = follow(folder_of(settings.home, run_id), spec.name, quiet=as_json)
    with handed_over(spec, str(pipeline), overrides), progress:
        result = api.run(pipeline, overrides=overrides or [], sample=sample, run_id=run_id)
    if as_json:
        print_json(result.document.as_json())
    else:
        summarise(result.document)
    if require_promotion:
        api.require_promotion(result)


@app.command(epilog=EXITS)
def retrain(
    pipeline: Pipeline,
    overrides: Overrides = None,
    only_with_labels: Annotated[
        bool,
        typer.Option(
            "--only-with-labels",
            help="Only where retrain.new_labels of the file have come since.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train a challenger for the model in service; the gate compares both on rows that neither was trained on.

    Whether it is let in, held or asked about stands in the file's register.decide; every decision is kept.
    """
    from penstock import api
    from penstock.home.runs import begin, folder_of
    from penstock.reporting.console import follow, show_retraining
    from penstock.spec.checked import handed_over

    settings, spec = api.ready(pipeline, overrides or [])
    run_id = begin(settings.home, spec.name)
    progress = follow(folder_of(settings.home, run_id), spec.name, quiet=as_json)
    with handed_over(spec, str(pipeline), overrides), progress:
        told = api.retrain(pipeline, overrides=overrides or [], only_with_labels=only_with_labels, run_id=run_id)
    if not as_json:
        show_retraining(told)
    else:
        print_json(told | ({"document": told["document"].as_json()} if told["retrained"] else {}))


@app.command()
def init(
    source: Annotated[
        str,
        typer.Argument(help="The table: whatever a pipeline's data.source can be, e.g. a file.", show_default=False),
    ],
    target: Annotated[str | None, typer.Option(help="The column to predict; without one, clusters are found.")] = None,
    problem: Annotated[
        str | None,
        typer.Option(
            help="classification, regression, clustering, reduction or density; by default found from the target."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The pipeline file; by default here, named after the data.")] = None,
    reading: Readings = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there already.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a first pipeline file for a table, and first rules for its rows.

    Says what each column is taken for, and why. Both files are commented, yours to edit, and run as they are.
    """
    from penstock.problems import find
    from penstock.reporting.console import ask_target, show_begun
    from penstock.spec.paths import allow
    from penstock.starter.begin import begin, take

    taken = take(source, reading or [])
    if target is None and not as_json and (problem is None or find(problem, where="--problem").answers_known):
        target = ask_target(taken.frame.columns.tolist())
    begun = begin(taken, target=target, problem=problem, out=out, force=force)
    allow(taken.source, begun.pipeline)
    if as_json:
        print_json(begun.document())
    else:
        show_begun(begun.document())


@app.command()
def plan(pipeline: Pipeline, overrides: Overrides = None, sample: Sample = None, as_json: AsJson = False) -> None:
    """Show which stages would run now, and why."""
    from penstock import api
    from penstock.reporting.console import show_plan

    stages = api.plan(pipeline, overrides=overrides or [], sample=sample)
    if as_json:
        print_json({"stages": [{key: stage[key] for key in ("stage", "state", "reason")} for stage in stages]})
    else:
        show_plan(stages)


@app.command()
def catalog(
    name: Annotated[
        str | None, typer.Argument(help="A method; without one, all are listed.", show_default=False)
    ] = None,
    problem: Annotated[str | None, typer.Option(help="Only methods for this problem, e.g. classification.")] = None,
    as_json: AsJson = False,
) -> None:
    """List every method that a pipeline file can name, or the parameters of one.

    For example: penstock catalog decision-tree --problem regression
    """
    from penstock.components.catalog import described, listing
    from penstock.problems import find
    from penstock.reporting.console import show_catalog, show_method

    if problem is not None:
        find(problem, where="--problem")
    if name is not None:
        method = described(name, problem)
        print_json(method) if as_json else show_method(method)
        return
    entries = listing(problem)
    if as_json:
        print_json({"entries": entries})
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
    """Look into a table, a solver or a bound of learning theory, with a picture; some need no table.

    For example: penstock diagnose linear-separability points.csv --set target=kind --figure points.svg

    The same names stand under `diagnose:` in a pipeline file, which puts what they find into its report.
    """
    from penstock import api
    from penstock.reporting.console import show_diagnosis, show_diagnostics

    if name is None:
        from penstock.components.diagnostics import listing

        found = listing()
        print_json({"diagnostics": found}) if as_json else show_diagnostics(found)
        return
    diagnosis = api.diagnose(name, source, parameters=settings or [], reading=reading or [], figure=figure)
    print_json(diagnosis) if as_json else show_diagnosis(diagnosis)
    if figure and not diagnosis["figure"]:
        raise UsageError(
            "PEN232",
            f"'{name}' drew no picture of this",
            where="--figure",
            remedy="leave --figure out; what was found is printed all the same",
        )


@app.command()
def schema() -> None:
    """Print the JSON schema of the pipeline file, for editors."""
    from penstock.spec.pipeline import schema as pipeline_schema

    print_json(pipeline_schema())
