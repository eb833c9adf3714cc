"""Commands on servers and this machine: ui, deploy, up, doctor."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack
from typing import Annotated

import typer

from penstock.cli.common import (
    AsJson,
    Overrides,
    Pipeline,
    app,
    print_json,
)
from penstock.cli.completion import complete_pipeline


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
    from penstock.reporting.console import open_page, waiting
    from penstock.servers.pages import open_pages, until_left
    from penstock.settings import Settings

    settings = Settings.from_environment()
    settings.apply()
    with ExitStack() as closing:
        with waiting() as tell:
            pages = closing.enter_context(open_pages(settings, pipeline, port, tell))
        sys.stdout.write(f"MLflow   {pages.runs}\nPrefect  {pages.prefect}\n")
        sys.stdout.flush()
        if pages.password:
            sys.stderr.write(f"Prefect's page asks for a password: it is the whole line in {pages.password}\n")
        if browser:
            open_page(pages.runs)
        if pages.check:
            sys.stderr.write("Ctrl-C ends what was started\n")
            until_left(pages.check)


@app.command()
def deploy(
    pipeline: Pipeline,
    pool: Annotated[
        str, typer.Option(help="The work pool whose workers run it; made where it is missing.")
    ] = "penstock",
    overrides: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Put a pipeline on the Prefect server, with the schedule of its file; the same again replaces it.

    `penstock up` starts a server and a worker; or set PREFECT_API_URL to a server of yours.
    """
    from penstock import api

    told = api.deploy(pipeline, pool=pool, overrides=overrides or [])
    if as_json:
        print_json(told)
    else:
        from penstock.reporting.console import show_deployment

        show_deployment(told)


@app.command()
def up(
    prefect_port: Annotated[int, typer.Option(min=1, max=65535, help="Port of Prefect's server.")] = 4200,
    mlflow_port: Annotated[int, typer.Option(min=1, max=65535, help="Port of MLflow's server.")] = 5000,
    pool: Annotated[str, typer.Option(help="The work pool that the worker serves.")] = "penstock",
    host: Annotated[
        str, typer.Option(help="Address to listen at. Other than this machine's own, it needs PENSTOCK_AUTH.")
    ] = "127.0.0.1",
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Let other machines in without a password; see --host.")
    ] = False,
    new_password: Annotated[
        bool,
        typer.Option("--new-password", help="Make another random password for Prefect's servers of this home first."),
    ] = False,
) -> None:
    """Start Prefect's server, MLflow's server and a worker on this machine, until Ctrl-C.

    What dies is started again. Deployed pipelines run by their schedules. All state is in the home, or in the
    PostgreSQL server whose address stands in PENSTOCK_DATABASE. Prefect's server asks for PENSTOCK_AUTH, or else for a
    random password of the home, which commands of the same home find by themselves.
    """
    from penstock.servers.up import Platform, change_password, run
    from penstock.settings import Settings

    settings = Settings.from_environment()
    if new_password:
        change_password(settings)
    platform = Platform(settings, prefect_port, mlflow_port, pool, host, insecure=insecure)

    def tell(text: str) -> None:
        sys.stderr.write(f"{text}\n")

    def ready() -> None:
        sys.stdout.write(
            f"Prefect  {platform.api.removesuffix('/api')}/\nMLflow   {platform.mlflow}/\nworker   pool {pool}\n\n"
            f"export PREFECT_API_URL={platform.api}\nexport MLFLOW_TRACKING_URI={platform.mlflow}\n"
        )
        if platform.password:
            told = f'export PREFECT_API_AUTH_STRING="$(cat {shlex.quote(str(platform.password))})"'
            sys.stdout.write(f"{told}  # for Prefect's own commands; its page asks for that line, too\n")
        elif settings.credentials:
            sys.stdout.write("export PENSTOCK_AUTH=...  # the user and password that were set here\n")
        sys.stdout.flush()
        tell("Ctrl-C stops all of it")

    run(platform, tell, ready)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Check versions, store, locks, databases, servers, disk and clock, and say what to do.

    Exit status 6 where something must be put right, otherwise 0.
    """
    from penstock.home.doctor import examine
    from penstock.reporting.console import show_checks
    from penstock.settings import Settings

    checks = examine(Settings.from_environment())
    print_json({"checks": checks}) if as_json else show_checks(checks)
    if any(check["state"] == "fail" for check in checks):
        raise typer.Exit(6)
