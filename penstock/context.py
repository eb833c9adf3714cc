"""What a stage needs to know about the run it belongs to. Never part of a cache key."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from penstock.store import Store, open_store

Engine = Literal["prefect", "plain", "plan"]


class Run(BaseModel):
    """One run of one pipeline: where things are, how stages are called, what a fit may use.

    `base` is the folder of the pipeline file, `folder` is where the run keeps its journal, log and report. `away` is
    the run as the workers of a cluster are given it, where there is one.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    pipeline: str
    home: Path
    folder: Path
    base: Path
    tracking_uri: str
    artifact_root: Path | None = None
    shared_store: str | None = None
    mlflow_run: str = ""
    started: datetime = Field(default_factory=lambda: datetime.now(UTC))
    git_commit: str | None = None
    cause: str | None = None
    engine: Engine = "prefect"
    workers: int = 1
    threads: int = 1
    seconds: float | None = None
    memory_mb: int | None = None
    away: Run | None = None

    @property
    def store(self) -> Store:
        return open_store(self.home, self.shared_store)

    def note(self, event: dict[str, Any]) -> None:
        """Add a line to the run's journal, with the time; whole lines, also from several threads and processes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        line = json.dumps({**event, "at": round(time.time(), 3)}, default=str) + "\n"
        file = os.open(self.folder / "journal.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)

    def journal(self, kind: str) -> list[dict[str, Any]]:
        path = self.folder / "journal.jsonl"
        if not path.exists():
            return []
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [event for event in events if event["event"] == kind]
