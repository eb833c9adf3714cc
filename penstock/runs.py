"""Runs of this home: who is running now, which of them were killed, and what each left behind."""

from __future__ import annotations

import json
import secrets
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from penstock.store import write_atomically

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


def document_of(home: Path, run_id: str) -> Path:
    return folder_of(home, run_id) / "run.json"


def folder_of(home: Path, run_id: str) -> Path:
    return home / "runs" / run_id


def _marker(home: Path, run_id: str) -> Path:
    return home / "running" / f"{run_id}.json"
