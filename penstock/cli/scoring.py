"""What a person sees of a scoring: a bar while it runs, and what became of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

PAST = {"quarantine": "quarantined", "impute": "imputed", "abstain": "left without an answer"}


@contextmanager
def following_rows(model: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show how many rows are done; on a terminal only."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda done, rows: None
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"{model}: rows", total=None)
        yield lambda done, rows: progress.update(task, completed=done, total=rows)


def show_scoring(summary: dict[str, Any]) -> None:
    """To standard error, since the scores are what is asked for."""
    out = Console(stderr=True, highlight=False, soft_wrap=True)
    model, reused = summary["model"], summary["chunks"]["reused"]
    place = summary["destination"] + (f", table {summary['table']}" if summary["table"] else "")
    again = f"; {reused} part(s) were there from before" if reused else ""
    out.print(
        f"{summary['scored']:,} of {summary['rows']:,} rows scored with version {model['version']} of "
        f"{model['name']} into {escape(place)} in {summary['seconds']:.1f} s{again}"
    )
    for breach in summary["breaches"]:
        examples = f", such as {', '.join(breach['examples'])}" if breach["examples"] else ""
        out.print(f"  {breach['count']:,} {PAST[breach['policy']]}: {escape(breach['message'] + examples)}")
    if summary["quarantined"]:
        out.print(f"  {summary['quarantined']:,} row(s) put aside: {escape(summary['quarantine'])}")
    for warning in summary["warnings"]:
        out.print(f"  [yellow]warning[/] {escape(warning)}")
