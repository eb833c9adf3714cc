"""Hand a stage's numeric part to a worker process."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from penstock.context import Run
from penstock.errors import PenstockError
from penstock.pool import Outcome, pool_of

_json: TypeAdapter[Any] = TypeAdapter(Any)


def in_worker(run: Run, job: str, **arguments: Any) -> Any:
    """The job's value; a job that fails outside a candidate is an error of the run."""
    outcome = try_in_worker(run, job, limited=False, **arguments)
    if outcome.status != "finished":
        raise PenstockError(
            "PEN998",
            f"'{job}' failed in its worker: {outcome.reason}",
            where=str(run.folder / "workers.log"),
            remedy="read the log there; if memory was short, set limits.memory_mb or limits.workers",
        )
    return outcome.value


def try_in_worker(run: Run, job: str, *, limited: bool, **arguments: Any) -> Outcome:
    def note(event: dict[str, Any]) -> None:
        run.note({"event": "progress", "job": job, **event})

    return pool_of(run).call(job, _json.dump_python(arguments, mode="json"), note, limited)
