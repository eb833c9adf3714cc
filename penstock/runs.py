"""Runs of this home: who is running now, which of them were killed, and what each left behind."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from penstock.errors import UsageError, did_you_mean, examples, shorten
from penstock.store import write_atomically

LATEST = "latest"
CLOCK_DRIFT = 2.0  # a process's start time is told relative to the boot time, which the kernel corrects now and then


def begin(home: Path, pipeline: str) -> str:
    """Announce a run of this process, before anything of it exists elsewhere, and return its id."""
    run_id = f"{pipeline}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
    announce(home, run_id)
    return run_id


def announce(home: Path, run_id: str) -> None:
    me = psutil.Process()
    facts = {"run": run_id, "pid": me.pid, "create_time": me.create_time(), "began": time.time()}
    write_atomically(_marker(home, run_id), json.dumps(facts).encode())


def finish(home: Path, run_id: str) -> None:
    _marker(home, run_id).unlink(missing_ok=True)


def dead(home: Path) -> list[str]:
    """Ids of announced runs whose process is gone."""
    found = []
    for path in sorted((home / "running").glob("*.json")):
        try:
            facts = json.loads(path.read_bytes())
        except (FileNotFoundError, ValueError):
            continue
        if not alive(facts["pid"], facts["create_time"]):
            found.append(facts["run"])
    return found


def alive(pid: int, create_time: float) -> bool:
    """Whether this very process still runs; another one may have its number by now."""
    try:
        process = psutil.Process(pid)
        return abs(process.create_time() - create_time) < CLOCK_DRIFT and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def keep_document(home: Path, run_id: str, document: dict[str, Any]) -> None:
    """The last thing that a run writes: where it is, the run has told everything."""
    write_atomically(document_of(home, run_id), json.dumps(document, indent=1, default=str).encode())


def read_document(home: Path, run_id: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(document_of(home, run_id).read_bytes())
    return document


def document_of(home: Path, run_id: str) -> Path:
    return folder_of(home, run_id) / "run.json"


def folder_of(home: Path, run_id: str) -> Path:
    return home / "runs" / run_id


def told(home: Path) -> list[str]:
    """Ids of the runs that told everything, the newest first."""
    found = {path.parent.name: path.stat().st_mtime for path in (home / "runs").glob("*/run.json")}
    return sorted(found, key=lambda run_id: (_parts(run_id).moment, found[run_id]), reverse=True)


def pipelines(run_ids: Iterable[str]) -> list[str]:
    return sorted({_parts(run_id).pipeline for run_id in run_ids})


def find(home: Path, word: str | None) -> str:
    """A run by its id, by the beginning of that or of its last part, or by when it was.

    `latest` is the newest run and `latest~1` the one before; `churn` and `churn~1` the same of one pipeline.
    """
    word = word or LATEST
    known = told(home)
    name, tilde, back = word.partition("~")
    if back.isdecimal() or not tilde:
        of_name = [run_id for run_id in known if name in (LATEST, _parts(run_id).pipeline)]
        if int(back or 0) < len(of_name):
            return of_name[int(back or 0)]
    matching = [run_id for run_id in known if run_id.startswith(word) or _parts(run_id).mark.startswith(word)]
    if len(matching) == 1 or word in matching:
        return word if word in matching else matching[0]
    raise _not_found(home, word, known, matching)


class _Parts(NamedTuple):
    pipeline: str
    moment: str
    mark: str


def _parts(run_id: str) -> _Parts:
    found = re.fullmatch(r"(.+)-(\d{8}-\d{6})-([0-9a-f]+)", run_id)
    return _Parts(*found.groups()) if found else _Parts(run_id, "", run_id)


def _not_found(home: Path, word: str, known: list[str], matching: list[str]) -> UsageError:
    if matching:
        what, remedy = f"'{word}' fits {len(matching)} runs", f"write more of the id: {examples(matching)}"
    elif word in {path.name for path in (home / "runs").glob("*")}:
        what = f"run '{word}' has not told its results: it still runs, or was stopped"
        remedy = "wait for it, or run its command again: it goes on where it was stopped"
    elif not known:
        what, remedy = "no run has come to its end yet", "start with: penstock run examples/churn/pipeline.yaml"
    else:
        what, remedy = f"there is no run '{word}'", did_you_mean(word, [*known, *pipelines(known), LATEST])
    return UsageError("PEN041", what, where=str(home / "runs"), remedy=shorten(remedy, 300))


def _marker(home: Path, run_id: str) -> Path:
    return home / "running" / f"{run_id}.json"
