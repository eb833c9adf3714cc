"""Commands on registered models: score, monitor, promote, hold, rollback, decisions."""

from __future__ import annotations

from typing import Annotated

import typer

from penstock.cli.common import (
    EXITS,
    AsJson,
    Model,
    Readings,
    Why,
    app,
    print_json,
)
from penstock.cli.completion import complete_model


@app.command(epilog=EXITS)
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
        str,
        typer.Argument(
            help="Where the scores go: a .csv, .jsonl (or these with .gz) or .parquet file, a folder (with a slash at "
            "its end) for Parquet files, or a database as env:NAME with --table.",
            show_default=False,
        ),
    ],
    table: Annotated[str | None, typer.Option(help="The table of the database that the scores go to.")] = None,
    give: Annotated[
        str | None,
        typer.Option(
            metavar="OUTPUT,...",
            help="What is asked for: label, probability, set; value, interval; cluster, probability, confidence, "
            "outlier. By default all that the model gives.",
        ),
    ] = None,
    on_breach: Annotated[
        list[str] | None,
        typer.Option(
            "--on-breach",
            metavar="[COLUMN=]POLICY",
            help="What becomes of rows that break the model's data contract, instead of what its pipeline file says: "
            "reject (all rows), quarantine, impute, abstain. Repeatable.",
        ),
    ] = None,
    formulas: Annotated[
        str | None,
        typer.Option(
            metavar="escape|keep",
            help="Whether texts that a spreadsheet would run as formulas get an apostrophe before them in CSV files, "
            "instead of what the model's pipeline file says.",
        ),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            help="Where rows are scored: local, dask (a cluster on this machine for the while), or the address of a "
            "Dask scheduler."
        ),
    ] = "local",
    reading: Readings = None,
    as_json: AsJson = False,
) -> None:
    """Score rows with a registered model, by the terms of its data contract.

    Written whole or not at all. The same command again, after it was stopped, goes on where it was.
    """
    from penstock import api
    from penstock.cli.scoring import following_rows, show_scoring
    from penstock.components.policies import ContractError

    try:
        with following_rows(model, quiet=as_json) as progress:
            summary = api.score(
                model,
                source,
                destination,
                table=table,
                give=[word.strip() for word in give.split(",")] if give else [],
                on_breach=on_breach or [],
                formulas=formulas,
                reading=reading or [],
                engine=engine,
                progress=progress,
            )
    except ContractError as error:
        if as_json:
            print_json({"scored": 0, "rejected": error.findings})
        raise
    print_json(summary) if as_json else show_scoring(summary)


@app.command(epilog=EXITS)
def monitor(
    model: Annotated[
        str,
        typer.Argument(help="A registered model: churn, churn@3.", show_default=False, autocompletion=complete_model),
    ],
    source: Annotated[
        str,
        typer.Argument(help="Recent rows: whatever a pipeline's data.source can be, e.g. a file.", show_default=False),
    ],
    predictions: Annotated[
        str | None,
        typer.Option(
            help="What the model said of these rows, as `penstock score` writes it; by default the columns of the rows "
            "themselves, or else what it says now."
        ),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(help="What came true: the key and the target; by default the target's column of the rows."),
    ] = None,
    rate: Annotated[
        float, typer.Option(help="How often a source that has not changed may raise an alarm of any kind.")
    ] = 0.01,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="COLUMN", help="A column that is known to change. Repeatable."),
    ] = None,
    require_stable: Annotated[
        bool, typer.Option("--require-stable", help="Exit with 7 where the rows have drifted.")
    ] = False,
    reading: Readings = None,
    as_json: AsJson = False,
) -> None:
    """Compare recent rows with those that a model was made from: what drifted, and does it still answer well?

    Writes a drift report, tells MLflow, and emits the Prefect event penstock.drift where something has changed.
    """
    from penstock import api
    from penstock.reporting.console import show_drift

    found = api.monitor(
        model,
        source,
        predictions=predictions,
        labels=labels,
        rate=rate,
        ignore=ignore or [],
        reading=reading or [],
    )
    print_json(found) if as_json else show_drift(found)
    if require_stable:
        api.require_stable(found)


@app.command()
def promote(
    model: Annotated[
        str,
        typer.Argument(
            help="The version for service: churn@challenger, churn@3.",
            show_default=False,
            autocompletion=complete_model,
        ),
    ],
    why: Why,
    as_json: AsJson = False,
) -> None:
    """Make a version the champion by hand, whatever the gate said. The decision is kept: who, when, why."""
    from penstock import api
    from penstock.reporting.console import show_decision

    decision = api.promote(model, why=why)
    print_json(decision) if as_json else show_decision(model.partition("@")[0], decision)


@app.command()
def hold(
    model: Annotated[
        str,
        typer.Argument(
            help="The version that waits: churn@challenger.", show_default=False, autocompletion=complete_model
        ),
    ],
    why: Why,
    as_json: AsJson = False,
) -> None:
    """Say no to a version that waits for a decision; the champion stays. The decision is kept: who, when, why."""
    from penstock import api
    from penstock.reporting.console import show_decision

    decision = api.hold(model, why=why)
    print_json(decision) if as_json else show_decision(model.partition("@")[0], decision)


@app.command()
def rollback(model: Model, why: Why, as_json: AsJson = False) -> None:
    """Bring back the champion before this one.

    Runs that find the withdrawn model again hold it; `penstock promote` lets it return.
    """
    from penstock import api
    from penstock.reporting.console import show_decision

    decision = api.rollback(model, why=why)
    print_json(decision) if as_json else show_decision(model, decision)


@app.command()
def decisions(model: Model, as_json: AsJson = False) -> None:
    """List which version became the champion when, by whom and why."""
    from penstock import api
    from penstock.reporting.console import show_decisions

    made = api.decisions(model)
    print_json({"decisions": made}) if as_json else show_decisions(made)
