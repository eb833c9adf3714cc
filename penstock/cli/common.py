"""The application, and the options that several commands share."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from penstock import __version__
from penstock.cli.completion import complete_pipeline

app = typer.Typer(
    help="Machine-learning pipelines as Prefect flows: one pipeline file in, one validated, honestly measured, "
    "registered model out.\n\nStart with: penstock run examples/churn/pipeline.yaml",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"penstock {__version__}\n")
        raise typer.Exit


@app.callback()
def everywhere(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """What can stand before every command."""


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
Model = Annotated[
    str, typer.Argument(help="A registered model: churn.", show_default=False, autocompletion=complete_pipeline)
]
Why = Annotated[str, typer.Option("--why", help="The reason, for whoever asks later.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output, nothing else.")]

RUN_WORDS = (
    "A run by its id or the beginning of it, the newest of a pipeline by its name, or `latest`; `~1` is the one before."
)
EXITS = (
    "Exit status: 0 done, 2 usage or pipeline file, 3 data failed validation, 4 no candidate survived, "
    "5 not promoted under --require-promotion, 6 the machine or a server failed, "
    "7 drift under --require-stable, 1 a bug."
)


def print_json(document: Any) -> None:
    sys.stdout.write(json.dumps(document, indent=1, default=str) + "\n")
