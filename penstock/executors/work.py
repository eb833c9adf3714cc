"""Hand a stage to a worker process."""

from __future__ import annotations

from typing import Any, ParamSpec, TypeVar

from pydantic import BaseModel, TypeAdapter

from penstock.context import Arguments, Run
from penstock.errors import DivergedError, EnvironmentFault, NoCandidateError, PenstockError
from penstock.executors.pool import Outcome, pool_of
from penstock.stage import DIED, MEMORY, Failure, Stage

P = ParamSpec("P")
R = TypeVar("R")

_json: TypeAdapter[Any] = TypeAdapter(Any)


def in_worker(stage: Stage[P, R], arguments: Arguments) -> R:
    """What the stage makes; where it fails, what it declares for that, or an error of the run."""
    run: Run = arguments["run"]

    def note(event: Any) -> None:
        run.note({"event": "progress", "stage": stage.name, **event})

    sent = _json.dump_python({name: value for name, value in arguments.items() if name != "run"}, mode="json")
    limited = stage.failed is not None and stage.limited(**arguments)
    try:
        outcome = pool_of(run).call(stage.place, sent, note, limited)
    except DivergedError as error:
        if stage.failed is None:
            raise
        outcome = Outcome(status="failed", reason=f"{error.code}: {error.what}; {error.remedy}")
    if outcome.status == "finished":
        made = stage.result.validate_python(outcome.value)
        return _timed(made, outcome.seconds)
    if stage.failed:
        return stage.failed(Failure(outcome.status, outcome.reason, round(outcome.seconds, 3)))
    raise _fault(stage.title, outcome, run)


def _timed(made: R, seconds: float) -> R:
    """What has a place for it tells how long it took."""
    if isinstance(made, BaseModel) and "seconds" in type(made).model_fields:
        return made.model_copy(update={"seconds": round(seconds, 3)})
    return made


def _fault(what: str, outcome: Outcome, run: Run) -> PenstockError:
    log = str(run.folder / "workers.log")
    if outcome.status == "memory":
        return NoCandidateError(
            MEMORY,
            f"'{what}' did not fit into a worker's memory: {outcome.reason}",
            where="limits.memory_mb",
            remedy="raise limits.memory_mb or leave it out, or lower limits.workers, so that each has more",
        )
    if outcome.status == "died":
        return EnvironmentFault(
            DIED,
            f"the worker that did '{what}' died: {outcome.reason}",
            where=log,
            remedy="read the log there; if the machine ran out of memory, lower limits.workers; then run again",
        )
    return PenstockError(
        "PEN998", f"'{what}' failed in its worker: {outcome.reason}", where=log, remedy="read the log there"
    )
