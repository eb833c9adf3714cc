"""What a stage needs to know about the run it belongs to. Never part of a cache key."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from penstock.home.disk import disk_fault
from penstock.store import Store, Volatile, open_store

JOURNAL = "journal.jsonl"
RUN_ID = r"^[^/\x00-\x1f.][^/\x00-\x1f]{0,254}$"
"""A run's id names its folder, and so leads nowhere else."""

Engine = Literal["prefect", "dask", "plain", "plan"]

R = TypeVar("R")
T = TypeVar("T")

Arguments = dict[str, Any]
"""Of a stage, by name; the run is among them."""


class Call(BaseModel):
    """What a stage was asked, and what it gave."""

    stage: Annotated[Callable[..., Any], Volatile]
    asked: Annotated[Arguments, Volatile]
    gave: Any


class Results(BaseModel):
    """What the stages of a run gave, cached or not, each found by the stage itself and as the type that it returns.

    Of a stage that is called several times the last call counts, in the order in which the run came by its results.
    """

    calls: list[Call] = Field(default_factory=list)

    def add(self, stage: Callable[..., R | None], asked: Arguments, gave: R) -> None:
        """From any thread: a list is added to and copied whole."""
        self.calls.append(Call.model_construct(stage=stage, asked=asked, gave=gave))

    def get(self, stage: Callable[..., R | None], **asked: Any) -> R | None:
        """What the stage gave when it was asked that; None where it was not called so."""
        for call in reversed(self._calls(stage)):
            if all(call.asked[name] == value for name, value in asked.items()):
                gave: R = call.gave
                return gave
        return None

    def of(self, stage: Callable[..., R | None], **asked: Any) -> R:
        """As `get`, of a stage that every such run has."""
        gave = self.get(stage, **asked)
        if gave is None:
            raise LookupError(f"the run has no result of {stage!r}")
        return gave

    def requests(self, stage: Callable[..., Any], kind: type[T]) -> list[T]:
        """The arguments of that type with which the stage was called, the last call's last."""
        return [value for call in self._calls(stage) for value in call.asked.values() if isinstance(value, kind)]

    def _calls(self, stage: Callable[..., Any]) -> list[Call]:
        return [call for call in self.calls.copy() if call.stage is stage]


class Run(BaseModel):
    """One run of one pipeline: where things are, how stages are called, what a fit may use.

    `base` is the folder of the pipeline file, `folder` is where the run keeps its journal, log and report. `remote` is
    the run as the workers of a cluster are given it, where there is one. `folders` may hold what the pipeline file
    names, but for the keys in `named_by_user`; None where there is no pipeline file. `predictions` is the module of
    what models of its kind of question predict: its code is in the key of every stage that asks a model.
    """

    model_config = ConfigDict(frozen=True)

    id: Annotated[str, Field(pattern=RUN_ID)]
    pipeline: str
    home: Path
    folder: Path
    base: Path
    folders: tuple[Path, ...] | None = None
    named_by_user: tuple[str, ...] = ()
    tracking_uri: str
    artifact_root: Path | None = None
    shared_store: str | None = None
    predictions: str = ""
    mlflow_run: str = ""
    flow_run: str | None = None
    started: datetime = Field(default_factory=lambda: datetime.now(UTC))
    git_commit: str | None = None
    cause: str | None = None
    engine: Engine = "prefect"
    workers: int = 1
    threads: int = 1
    seconds: float | None = None
    memory_mb: int | None = None
    remote: Run | None = None
    _results: Results = PrivateAttr(default_factory=Results)

    @property
    def results(self) -> Results:
        """Of its stages, so far."""
        return self._results

    @property
    def store(self) -> Store:
        return open_store(self.home, self.shared_store)

    def folders_of(self, key: str) -> tuple[Path, ...] | None:
        """Where a file that this key of the pipeline file names may be; None where the user has named it beside."""
        return None if key in self.named_by_user else self.folders

    def note(self, event: dict[str, Any]) -> None:
        """Add a line to the run's journal, with the time; whole lines, also from several threads and processes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        line = (json.dumps({**event, "at": round(time.time(), 3)}, default=str) + "\n").encode()
        file = os.open(self.folder / JOURNAL, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            if os.write(file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.folder))
        except OSError as error:
            raise disk_fault(error, self.folder) from error
        finally:
            os.close(file)

    def journal(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in read_journal(self.folder) if event["event"] == kind]


def read_journal(folder: Path) -> list[dict[str, Any]]:
    """The events of a run, whole lines only: a kill or a full disk cuts one off."""
    try:
        lines = (folder / JOURNAL).read_bytes().splitlines()
    except FileNotFoundError:
        return []
    return [event for event in map(event_in, lines) if event]


def event_in(line: str | bytes) -> dict[str, Any] | None:
    """The event of a journal's line, if it is one."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("event"), str) else None
