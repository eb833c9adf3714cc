"""Runs of this home: who is running now, which of them were killed, and what each left behind."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil
from pydantic import BaseModel, ValidationError

from penstock.context import RUN_ID
from penstock.errors import EnvironmentFault, UsageError, did_you_mean, examples, shorten
from penstock.home.disk import full_disk
from penstock.store import write_atomically

if TYPE_CHECKING:
    from penstock.document.run import RunDocument

LATEST = "latest"
CLOCK_DRIFT = 2.0  # a process's start time is told relative to the boot time, which the kernel corrects now and then


def begin(home: Path, pipeline: str) -> str:
    """Announce a run of this process, before anything of it exists elsewhere, and return its id."""
    name = re.sub(r"[^\w-]", "_", pipeline)[:100]  # a model's name comes from the command line
    run_id = f"{name}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
    announce(home, run_id)
    return run_id


def announce(home: Path, run_id: str) -> None:
    me = psutil.Process()
    facts = {"run": run_id, "pid": me.pid, "create_time": me.create_time(), "began": time.time()}
    write_atomically(_marker(home, run_id), json.dumps(facts).encode())


def finish(home: Path, run_id: str) -> None:
    _marker(home, run_id).unlink(missing_ok=True)


@contextmanager
def announced(home: Path, run_id: str, artifact_root: Path | None = None) -> Iterator[None]:
    """Withdraw an announced run when it has ended, and say so where a full disk has ended it.

    Of such a run nothing could be closed. It stays announced, so that the next command closes it in Prefect and MLflow
    as one that was killed.
    """
    left_open = False
    try:
        yield
    except Exception as error:
        full = full_disk(error, home, artifact_root)
        if full is None:
            raise
        left_open = True
        raise full from error
    finally:
        if not left_open:
            finish(home, run_id)


def dead(home: Path) -> list[str]:
    """Ids of announced runs whose process is gone."""
    found = []
    for path in sorted((home / "running").glob("*.json")):
        try:
            facts = _Announced.model_validate_json(path.read_bytes())
        except (OSError, ValueError):
            continue
        if not alive(facts.pid, facts.create_time):
            found.append(path.stem)
    return found


class _Announced(BaseModel):
    pid: int
    create_time: float


def alive(pid: int, create_time: float) -> bool:
    """Whether this very process still runs; another one may have its number by now."""
    try:
        process = psutil.Process(pid)
        return abs(process.create_time() - create_time) < CLOCK_DRIFT and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.Error, ValueError, OverflowError):  # no number that a process can have is none that lives
        return False


def keep_document(home: Path, run_id: str, document: RunDocument) -> None:
    """The last thing that a run writes: where it is, the run has told everything."""
    write_atomically(document_of(home, run_id), json.dumps(document.as_json(), indent=1).encode())


def read_document(home: Path, run_id: str) -> RunDocument:
    """What a run told; refused where that is no document of a run, or one of another version."""
    from penstock.document.run import VERSION, RunDocument  # half the time of a command that reads none

    facts = _read(home, run_id)
    if facts.get("version") != VERSION:
        there = shorten(repr(facts.get("version", "no number")), 40)
        raise EnvironmentFault(
            "PEN918",
            f"what run '{shorten(run_id, 80)}' told was written by another version of Penstock: format {there}, and "
            f"this one reads {VERSION}",
            where=str(document_of(home, run_id)),
            remedy="run its pipeline file again: what the run made is still in the store; or read it with the version "
            "that wrote it",
        )
    try:
        return RunDocument.model_validate(facts)
    except ValidationError as error:
        raise _unreadable(home, run_id) from error


def origin_of(home: Path, run_id: str) -> str | None:
    """The run whose results a run told again, whatever version wrote it."""
    origin = _read(home, run_id)["run"].get("cached_from")
    return origin if isinstance(origin, str) else None


def _read(home: Path, run_id: str) -> dict[str, Any]:
    path = document_of(home, run_id)
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not isinstance(document.get("run"), dict):
        raise _unreadable(home, run_id)
    return document


def _unreadable(home: Path, run_id: str) -> EnvironmentFault:
    return EnvironmentFault(
        "PEN906",
        f"what run '{shorten(run_id, 80)}' told cannot be read",
        where=str(document_of(home, run_id)),
        remedy="bring that file back from a copy, or remove the run's folder; what it made is still in the store",
    )


def document_of(home: Path, run_id: str) -> Path:
    return folder_of(home, run_id) / "run.json"


def folder_of(home: Path, run_id: str) -> Path:
    if not re.match(RUN_ID, run_id):
        raise UsageError(
            "PEN041",
            f"{shorten(repr(run_id), 80)} is no id of a run",
            where=str(home / "runs"),
            remedy="`penstock runs` lists them",
        )
    return home / "runs" / run_id


def finished_runs(home: Path) -> list[str]:
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
    known = finished_runs(home)
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
