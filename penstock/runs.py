"""Runs of this home: who is running now, which of them were killed, and what each left behind."""

from __future__ import annotations

import json
import os
import secrets
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from penstock.store import write_atomically


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
    try:
        process = psutil.Process(pid)
        return process.status() != psutil.STATUS_ZOMBIE and abs(process.create_time() - create_time) < 1
    except psutil.NoSuchProcess:
        return False


def keep_document(folder: Path, document: dict[str, Any]) -> None:
    write_atomically(folder / "run.json", json.dumps(document, indent=1, default=str).encode())


def folder_of(home: Path, run_id: str) -> Path:
    return home / "runs" / run_id


def _marker(home: Path, run_id: str) -> Path:
    return home / "running" / f"{run_id}.json"


def is_mine(home: Path, run_id: str) -> bool:
    try:
        return bool(json.loads(_marker(home, run_id).read_bytes())["pid"] == os.getpid())
    except FileNotFoundError:
        return False
