"""Hand a stage's numeric part to a worker process."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from penstock.context import Run
from penstock.errors import EnvironmentFault, NoCandidateError, PenstockError
from penstock.pool import Outcome, pool_of

MEMORY, DIED = "PEN312", "PEN313"

_json: TypeAdapter[Any] = TypeAdapter(Any)


def in_worker(run: Run, job: str, **arguments: Any) -> Any:
    """The job's value; a job that fails outside a candidate is an error of the run."""
    outcome = try_in_worker(run, job, limited=False, **arguments)
    if outcome.status == "memory":
        raise NoCandidateError(
            MEMORY,
            f"'{job}' did not fit into a worker's memory: {outcome.reason}",
            where="limits.memory_mb",
            remedy="raise limits.memory_mb or leave it out, or lower limits.workers, so that each has more",
        )
    if outcome.status == "died":
        raise EnvironmentFault(
            DIED,
            f"the worker that did '{job}' died: {outcome.reason}",
            where=str(run.folder / "workers.log"),
            remedy="read the log there; if the machine ran out of memory, lower limits.workers; then run again",
        )
    if outcome.status != "finished":
        raise PenstockError(
            "PEN998",
            f"'{job}' failed in its worker: {outcome.reason}",
            where=str(run.folder / "workers.log"),
            remedy="read the log there",
        )
    return outcome.value


def try_in_worker(run: Run, job: str, *, limited: bool, **arguments: Any) -> Outcome:
    def note(event: dict[str, Any]) -> None:
        run.note({"event": "progress", "job": job, **event})

    return pool_of(run).call(job, _json.dump_python(arguments, mode="json"), note, limited)
