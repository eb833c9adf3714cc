"""What a person sees in the terminal: progress while it runs, a summary at the end, tables."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from penstock.context import event_in
from penstock.errors import did_you_mean

if TYPE_CHECKING:
    from penstock.document.comparison import DataChange, Difference, RunComparison
    from penstock.document.facts import Interval
    from penstock.document.run import RunDocument

POLL_SECONDS = 0.2
FITS = "fit "
MAX_SHOWN = 30


@contextmanager
def follow(folder: Path, name: str, *, quiet: bool) -> Iterator[None]:
    """Show the run's journal as progress while the body runs; on a terminal only."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        done = threading.Event()
        shower = threading.Thread(target=_show, args=(folder, name, progress, done), daemon=True)
        shower.start()
        try:
            yield
        finally:
            done.set()
            shower.join()


def _show(folder: Path, name: str, progress: Progress, done: threading.Event) -> None:
    stage = progress.add_task(f"{name}: starting", total=None)
    fits = None
    for event in _events(folder / "journal.jsonl", done):
        kind = event["event"]
        if kind == "begin":
            progress.update(stage, description=f"{name}: {event['stage']}")
        elif kind == "waiting":
            progress.update(stage, description=f"{name}: waiting for {event['for']}")
        elif kind == "search":
            fits = progress.add_task(f"{event['candidates']} candidates, fits", total=event["fits"])
        elif kind == "progress" and fits is not None and "fits" in event:
            progress.advance(fits, event["fits"])
        elif kind == "candidate":
            progress.console.print(_candidate_line(event), highlight=False)
            if fits is not None:
                progress.advance(fits, event["spared"])
        elif kind == "reading":
            progress.console.print(f"  {escape(event['summary'])}", highlight=False)
        elif kind == "stage" and not event["stage"].startswith(FITS):
            progress.console.print(_stage_line(event), highlight=False)


def _candidate_line(event: dict[str, Any]) -> str:
    if event["status"] == "finished":
        return f"  {event['label']}: {event['seconds']:.1f} s"
    return f"  [yellow]{event['label']}: {event['status']}[/] {escape(str(event['reason']))}"


def _stage_line(event: dict[str, Any]) -> str:
    if event["state"] == "cached":
        return f"  [dim]{event['stage']}: unchanged, taken from the store[/]"
    return f"  {event['stage']}: {event['seconds']:.1f} s [dim]({escape(str(event['reason']))})[/]"


def _events(path: Path, done: threading.Event) -> Iterator[dict[str, Any]]:
    while not path.exists():
        if done.wait(POLL_SECONDS):
            return
    with path.open(encoding="utf-8") as file:
        while True:
            line = file.readline()
            if line:
                if event := event_in(line):
                    yield event
            elif done.is_set():
                return
            else:
                time.sleep(POLL_SECONDS)


def summarise(document: RunDocument) -> None:
    """The outcome in a few lines."""
    from penstock.problems.words import words_of  # commands that show no run do without the types of documents

    out = Console(highlight=False, soft_wrap=True)
    verdict, selection = document.verdict, document.selection
    out.print(f"\n[bold]{document.name}[/]: {document.winner.label} wins of {selection.candidates} candidates")
    reading, in_run = document.data.reading, document.cleaning.before.rows
    drawn = f"; {in_run:,} rows drawn from it" if in_run < reading.rows else ""
    out.print(f"  data: {escape(reading.summary)}{drawn}")
    decided_first = sorted(document.metrics.items(), key=lambda item: item[0] != document.metric)
    width = max([22, *(len(score.label) for _, score in decided_first)])
    for name, score in decided_first:
        mark = "[bold]" if name == document.metric else "[not bold]"
        out.print(f"  {mark}{score.label:<{width}}[/] {_score(score, score.sign)}")
    for words in words_of(document.problem).brief(document):
        out.print(f"  {escape(words)}")
    sign = document.metrics[document.metric].sign if document.metric in document.metrics else 1
    if selection.corrected and selection.naive is not None:
        corrected = _score(selection.corrected, sign)
        naive = sign * selection.naive
        out.print(f"  cross-validated {naive:,.{_places(naive)}f}; corrected for picking the best: {corrected}")
        if selection.halved:
            out.print(f"  {selection.halved} candidates fell out of earlier rounds, which the correction leaves out")
    if selection.nested:
        out.print(f"  nested: {_score(selection.nested, sign)}")
    if document.certificate:
        out.print(f"  leakage: {escape(document.certificate.summary)}")
    failed = [check for check in document.checks if not check.passed]
    need = "needs" if len(failed) == 1 else "need"
    out.print(f"  data checks: {len(document.checks)}, of which {len(failed)} {need} a look")
    out.print(f"  verdict: [bold]{verdict.verdict}[/], version {verdict.version}: {escape(verdict.reason)}")
    if document.run.cached_from:
        out.print(f"  nothing had changed since run {document.run.cached_from}")
    judged = selection.winners_evaluated
    out.print(f"  these test rows have now evaluated {judged} winner{'s' if judged != 1 else ''}")
    out.print(f"  report:  {document.artifacts.report}")


def _score(facts: Interval, sign: int) -> str:
    """With its interval; errors as positive numbers."""
    if facts.value is None or facts.low is None or facts.high is None:
        return "not defined"
    low, high = sorted((sign * facts.low, sign * facts.high))
    places = _places(low, high)
    return rf"{sign * facts.value:,.{places}f}   \[{low:,.{places}f} to {high:,.{places}f}]"


def _places(*values: float) -> int:
    """Four decimals of a share; fewer of an amount, which has digits enough before the point."""
    size = max(map(abs, values))
    return 4 if size < 10 else 2 if size < 1000 else 0


def ask_target(columns: list[str]) -> str | None:
    """Ask a person which column to predict; where nobody sits at a terminal, nothing is asked."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    console = Console(stderr=True, highlight=False)
    console.print(f"columns: {', '.join(columns)}")
    while True:
        answer = console.input("which one is to be predicted? (none: just press Enter) ").strip()
        if not answer or answer in columns:
            return answer or None
        console.print(did_you_mean(answer, columns))


def show_begun(document: dict[str, Any]) -> None:
    """What `penstock init` found and wrote."""
    table = Table(box=None, pad_edge=False)
    for heading in ("column", "used as", "why"):
        table.add_column(heading)
    for column in document["columns"]:
        role = column["role"] if isinstance(column["role"], str) else "ordinal"
        role = next((name for name in ("key", "group") if document[name] == column["name"]), role)
        table.add_row(escape(column["name"]), role, escape(column["reason"]))
    out = _out()
    out.print(table)
    out.print(f"\n{escape(document['reading'])}", soft_wrap=True)
    out.print(f"[bold]{document['problem']}[/]: {escape(document['why'])}")
    out.print(f"written: {escape(document['pipeline'])} and {escape(document['suite'])}", soft_wrap=True)
    out.print(f"next:    penstock run {escape(document['pipeline'])}", soft_wrap=True)


def show_plan(stages: list[dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("stage", "state", "why"):
        table.add_column(heading)
    rows = [(_without_fold(stage["stage"]), stage["state"], stage["reason"]) for stage in stages]
    for name, state, reason in dict.fromkeys(rows):
        table.add_row(name, state, escape(reason), style="dim" if state == "cached" else "")
    _out().print(table)


def _without_fold(stage: str) -> str:
    """The fits of one candidate are one line, as long as they have one reason."""
    return stage.rpartition(" fold ")[0] if stage.startswith(FITS) else stage


def show_catalog(entries: list[dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "kind", "problems", "library", "what it is"):
        table.add_column(heading)
    for entry in entries:
        table.add_row(entry["name"], entry["kind"], ", ".join(entry["problems"]), entry["library"], entry["summary"])
    _out().print(table)
    _out().print("\nnext: penstock catalog NAME tells the parameters of a method")


def show_method(method: dict[str, Any]) -> None:
    from penstock.components.domains import to_yaml

    out = _out()
    out.print(f"[bold]{method['name']}[/]: {escape(method['summary'])}", soft_wrap=True)
    out.print(f"{method['kind']} for {', '.join(method['problems'])}; {method['library']}", soft_wrap=True)
    if method["objective"]:
        out.print(f"minimises {escape(method['objective'])}", soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for heading in ("parameter", f"default for {method['problem']}", "what a search tries", "words it takes"):
        table.add_column(heading)
    for one in method["parameters"]:
        table.add_row(
            one["name"], escape(to_yaml(one["default"])), escape(one["searched"] or ""), ", ".join(one["words"])
        )
    out.print()
    out.print(table)
    if method["searched"]:
        first = next(one for one in method["parameters"] if one["name"] == method["searched"][0])
        written = f"{method['name']}: {{{first['name']}: {to_yaml(first['default'])}}}"
        out.print(f"\nin a pipeline file: {escape(f'{{{written}}}')}; a list in the place of a value is searched")


def show_diagnostics(found: list[dict[str, Any]]) -> None:
    out = _out()
    for one in found:
        out.print(f"[bold]{one['name']}[/]: {one['summary']}{'' if one['needs_table'] else ' (needs no table)'}")
        for name, words in one["parameters"].items():
            out.print(f"  {name}: {escape(words)}")
    out.print("\nnext: penstock diagnose NAME FILE.csv --set PARAMETER=VALUE")


def show_diagnosis(diagnosis: dict[str, Any]) -> None:
    out = _out()
    for finding in diagnosis["findings"]:
        out.print(escape(finding), soft_wrap=True)
    rows = diagnosis["table"]
    if rows:
        table = Table(box=None, pad_edge=False)
        for heading in rows[0]:
            table.add_column(escape(heading))
        for row in rows[:MAX_SHOWN]:
            table.add_row(
                *(escape(f"{cell:.4g}" if isinstance(cell, float) else _value(cell)) for cell in row.values())
            )
        out.print()
        out.print(table)
    if len(rows) > MAX_SHOWN:
        out.print(f"and {len(rows) - MAX_SHOWN} more rows; --json gives all")


def show_runs(runs: list[dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("run", "started", "status", "winner", "verdict", "seconds"):
        table.add_column(heading)
    for run in runs:
        tags = run["tags"]
        seconds = f"{run['seconds']:.0f}" if run["seconds"] is not None else ""
        verdict = tags.get("penstock.verdict", "")
        table.add_row(run["run"], run["started"], run["status"], tags.get("penstock.winner", ""), verdict, seconds)
    _out().print(table)
    if not runs:
        sys.stderr.write("no runs yet; start with: penstock run examples/churn/pipeline.yaml\n")


def show_decision(model: str, decision: dict[str, Any]) -> None:
    if decision["kind"] == "hold":
        sys.stdout.write(f"version {decision['version']} of {model} is held; the champion stays\n")
        return
    instead = f" in place of version {decision['before']}" if decision["before"] else ""
    sys.stdout.write(f"version {decision['version']} of {model} is the champion{instead}\n")


def show_decisions(made: list[dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("when", "decision", "champion", "before", "who", "why"):
        table.add_column(heading)
    for one in made:
        when = one["when"][:16].replace("T", " ")
        table.add_row(when, one["kind"], one["version"], one["before"] or "", escape(one["who"]), escape(one["why"]))
    _out().print(table)
    if not made:
        sys.stderr.write("no decisions yet; the first is made by the gate of the first run\n")


def show_retraining(facts: dict[str, Any]) -> None:
    if facts["retrained"]:
        summarise(facts["document"])
    else:
        sys.stdout.write(f"not retrained: {facts['why']}\n")


def show_drift(found: dict[str, Any]) -> None:
    from penstock.document.formats import Shown, as_shown, span, value_of
    from penstock.reporting.drift import KINDS, headline

    out = _out()
    out.print(f"[bold]{found['model']}[/] version {found['version']}, {_rows(found['rows'], 'recent ')}")
    out.print(f"[{'yellow' if found['drifted'] else 'green'}]{escape(headline(found))}[/]", soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for heading in ("drifted", "compared", "distance", "p"):
        table.add_column(heading)
    for one in (one for family in found["families"] for one in family["found"] if one["drifted"]):
        distance = one.get("distance")
        shown = "" if distance is None else f"{distance:.3f}"
        table.add_row(escape(one["column"] or "all columns together"), KINDS[one["kind"]], shown, f"{one['p']:.3f}")
    if found["drifted"]:
        out.print(table)
    for one in found["unseen"][:MAX_SHOWN]:
        out.print(escape(f"{one['column']}: values that no training row had, in {_rows(one['rows'])}"))
    if scores := found["scores"]:
        now, test = (as_shown(Shown.of(scores[name]), scores["sign"]) for name in ("now", "test"))
        out.print(
            f"{scores['label']}: {value_of(now)} ({span(now)}) on {_rows(scores['rows'])} with labels, "
            f"{value_of(test)} ({span(test)}) on the test rows"
        )
    out.print(f"report: {found['report']}", soft_wrap=True)


def _rows(count: int, which: str = "") -> str:
    return f"{count:,} {which}row{'s' if count != 1 else ''}"


def show_deployment(facts: dict[str, Any]) -> None:
    when = facts["schedule"]
    timing = f"cron {when['cron']} ({when['timezone']})" if when and "cron" in when else ""
    timing = timing or (f"every {when['interval']:g} seconds" if when else "by hand only: the file has no schedule")
    again = f"; retrained on {', '.join(facts['retrain'])}" if facts["retrain"] else ""
    sys.stdout.write(f"{facts['deployment']} is deployed to pool {facts['pool']}: {timing}{again}\n{facts['page']}\n")


def show_leftovers(found: dict[str, Any]) -> None:
    from penstock.document.formats import size

    for name, part in found["leftovers"].items():
        sys.stdout.write(f"{part['count']:>8,}  {name:<26}{size(part['bytes']):>12}\n")
    if not found["leftovers"]:
        sys.stdout.write("nothing to remove\n")
    elif found["removed"]:
        sys.stdout.write(f"removed; {size(found['bytes'])} are free again\n")
    else:
        sys.stdout.write(f"nothing is removed yet; `penstock clean --yes` would free {size(found['bytes'])}\n")


def _out() -> Console:
    """Wide enough for whole rows where the output goes into a file or a pipe."""
    return Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=200)


def show_comparison(found: RunComparison) -> None:
    out = _out()
    out.print(f"[bold]A[/] {found.runs[0]}\n[bold]B[/] {found.runs[1]}\n")
    _show_changes(out, "pipeline file", [(one.key, one.before, one.after) for one in found.spec], "no key differs")
    _show_changes(out, "data", _data_changes(found.data), "the same rows and columns")
    won = [(one.key, one.before, one.after) for one in found.winner]
    _show_changes(out, "winner", won, "the same method and parameters")
    table = Table(box=None, pad_edge=False)
    for heading in ("metric", "A", "B", "B less A, on the same rows"):
        table.add_column(heading)
    for one in found.metrics:
        values = ["" if score.value is None else f"{one.sign * score.value:.4f}" for score in one.values]
        style = "bold" if one.name == found.metric else ""
        table.add_row(one.label, *values, _difference(one.difference, one.sign), style=style)
    out.print(table)
    if matched := found.matched:
        agreed = f"adjusted Rand index {matched.agreement:.3f}"
        out.print(f"\n{matched.rows} test rows were assigned by both, {agreed}:")
        out.print(f"  {escape(matched.words)}", soft_wrap=True)
    if found.not_paired_because:
        out.print(f"\nNot compared row by row: {found.not_paired_because}.")
    else:
        out.print(
            f"\nDifferences are on {found.paired_rows} rows that evaluated both models and trained neither. The first"
        )
        out.print("metric decided; of many others, one in twenty differs by chance alone.")


def _show_changes(out: Console, title: str, changes: list[tuple[str, object, object]], none: str) -> None:
    out.print(f"[bold]{title}[/]" + ("" if changes else f": {none}"))
    for key, before, after in changes:
        out.print(f"  {escape(key)}: {_changed(before, after)}")
    out.print()


def _changed(before: Any, after: Any) -> str:
    """A method that one of two files lacks was added or removed, with its parameters."""
    for whole, other, word in ((after, before, "added"), (before, after, "removed")):
        if other is None and isinstance(whole, dict):
            return f"[dim]{word}[/] {escape(_value(whole))}" if whole else f"[dim]{word}[/]"
    return f"{escape(_value(before))} [dim]became[/] {escape(_value(after))}"


def _value(value: Any) -> str:
    return "none" if value is None else value if isinstance(value, str) else json.dumps(value, default=str)


def _data_changes(data: DataChange) -> list[tuple[str, object, object]]:
    shown: list[tuple[str, object, object]] = []
    if not data.same:
        shown.append(("digest", data.digest[0][:12], data.digest[1][:12]))
    shown += [
        (name, *sides) for name, sides in (("rows", data.rows), ("test rows", data.test_rows)) if len({*sides}) > 1
    ]
    shown += [(name, "absent", "present") for name in data.added]
    shown += [(name, "present", "absent") for name in data.removed]
    return shown + [(f"role of {role.column}", role.before, role.after) for role in data.roles]


def _difference(interval: Difference | None, sign: int) -> str:
    if interval is None or interval.value is None or interval.low is None or interval.high is None:
        return ""
    low, high = sorted((sign * interval.low, sign * interval.high))
    return f"{sign * interval.value:+.4f}  \\[{low:+.4f} to {high:+.4f}]  {interval.verdict}"


def show_checks(checks: list[dict[str, str]]) -> None:
    out = _out()
    colours = {"ok": "green", "warn": "yellow", "fail": "red"}
    for check in checks:
        out.print(f"[{colours[check['state']]}]{check['state']:<4}[/]  {check['name']}: {escape(check['what'])}")
        if check["state"] != "ok":
            out.print(f"      try: {escape(check['remedy'])}")


@contextmanager
def waiting() -> Iterator[Callable[[str], None]]:
    """Say on a terminal what is being waited for, and for how long; in a script say nothing."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda words: progress.update(task, description=words)


def open_page(address: str) -> None:
    """In the user's browser, where there is a person, and a screen for it."""
    has_screen = sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.stdout.isatty() and has_screen:
        import webbrowser

        webbrowser.open(address)
