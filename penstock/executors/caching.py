"""A stage's result: found in the store by its action record, or made and recorded."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from penstock.actions.records import Actions, Record, key_parts
from penstock.context import Arguments, Run
from penstock.executors.work import in_worker
from penstock.stage import Stage
from penstock.store import digest_of

P = ParamSpec("P")
R = TypeVar("R")


@dataclass
class Lookup:
    """What is known before a stage runs: its key, and either the recorded result or the reason to run."""

    key: str
    parts: dict[str, Any]
    record: Record | None
    reason: str


def look_up(stage: Stage[P, R], arguments: Arguments) -> Lookup:
    run: Run = arguments["run"]
    parts = key_parts(stage.name, stage.modules(arguments) if stage.cached else (), arguments, stage.libraries, run)
    key = digest_of(parts)
    if not stage.cached:
        return Lookup(key, parts, None, "always runs")
    actions = Actions(run.store)
    record, fault = actions.look(key)
    if record:
        fault = _fault(stage, actions, run, record)
        if not fault:
            return Lookup(key, parts, record, "")
    return Lookup(key, parts, None, fault or actions.reason(parts, run.pipeline, stage.label_of(arguments)))


def recorded(stage: Stage[P, R], record: Record) -> R:
    return stage.result.validate_python(record.made)


def note(stage: Stage[P, R], arguments: Arguments, found: Lookup, state: str, seconds: float) -> None:
    event = {"event": "stage", "stage": stage.label_of(arguments), "state": state, "reason": found.reason}
    source = found.record.run if found.record else None
    arguments["run"].note({**event, "seconds": round(seconds, 3), "key": found.key, "from": source})


def perform(stage: Stage[P, R], arguments: Arguments) -> R:
    """The recorded result, or else what the stage's function makes now, with a record of it."""
    found = look_up(stage, arguments)
    if found.record:
        note(stage, arguments, found, "cached", 0.0)
        return recorded(stage, found.record)
    run: Run = arguments["run"]
    run.note({"event": "begin", "stage": stage.label_of(arguments)})
    started = time.perf_counter()
    made = in_worker(stage, arguments) if stage.worker else stage.function(**arguments)  # type: ignore[call-arg]
    seconds = time.perf_counter() - started
    if stage.cached and stage.remember(made):
        record = Record(
            key=found.key,
            stage=stage.name,
            parts=found.parts,
            made=stage.result.dump_python(made, mode="json"),
            seconds=seconds,
            run=run.id,
        )
        Actions(run.store).keep(record, run.pipeline, stage.label_of(arguments))
    worked = getattr(made, "seconds", seconds)  # a fit knows how long it took once a worker was free
    note(stage, arguments, found, "ran", worked)
    return made


def _fault(stage: Stage[P, R], actions: Actions, run: Run, record: Record) -> str | None:
    """Why a recorded result cannot be used, or None."""
    try:
        made = recorded(stage, record)
    except ValueError:
        return f"its record does not hold what '{stage.name}' makes"
    return actions.fault(made) or stage.lost(run, made)
