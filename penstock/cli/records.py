"""Commands on what runs have left: runs, report, clean."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from penstock.cli.common import (
    RUN_WORDS,
    AsJson,
    app,
    print_json,
)
from penstock.cli.completion import complete_pipeline, complete_run


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
        from penstock.reporting.comparison import compare
        from penstock.reporting.console import show_comparison
        from penstock.settings import Settings

        comparison = compare(Settings.from_environment().home, *diff)
        print_json(comparison.as_json()) if as_json else show_comparison(comparison)
        return
    from penstock import api
    from penstock.reporting.console import show_runs

    found = api.history(pipeline)
    if pipeline and not found:
        _refuse_unknown(pipeline)
    if as_json:
        print_json({"runs": found})
    else:
        show_runs(found)


def _refuse_unknown(pipeline: str) -> None:
    """Where others have run, an empty list would hide a slip in the name."""
    from penstock import api
    from penstock.servers.pages import unknown_pipeline

    others = sorted({run["pipeline"] for run in api.history()})
    if others:
        raise unknown_pipeline(pipeline, others, where="runs")


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
    from penstock.reporting.console import open_page

    page = api.report(run)
    sys.stdout.write(f"{page}\n")
    open_page(page.as_uri())


@app.command()
def clean(
    keep: Annotated[int, typer.Option(min=1, help="How many of the newest runs of each pipeline stay.")] = 5,
    yes: Annotated[bool, typer.Option("--yes", help="Remove; without it, nothing but the list is made.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what old runs have left here and nothing needs any more; with --yes, remove it.

    What a registered model or a kept run needs is never touched. A stage whose result went runs again when asked for.
    """
    from penstock.home.clean import find_leftovers
    from penstock.reporting.console import show_leftovers
    from penstock.settings import Settings

    settings = Settings.from_environment()
    settings.apply()
    leftovers = find_leftovers(settings, keep)
    document = {**leftovers.document(), "removed": yes}
    if yes:
        leftovers.remove()
    print_json(document) if as_json else show_leftovers(document)
