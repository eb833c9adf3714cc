"""A worker process, `python -m penstock.worker`: JSON lines come in as jobs and go out as answers.

A line that names a run comes before its jobs: where the store and the log are. It ends when its parent ends: the
parent's death closes standard input. What a library prints goes to the log.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
import traceback
from contextlib import suppress
from importlib import import_module
from typing import IO, Any, TypedDict

from penstock.errors import PenstockError
from penstock.home.disk import no_space_in
from penstock.stage import listeners, stage_at
from penstock.store import Store

LOADED_FIRST = "penstock.problems.rows.supervised.train"


class Begun(TypedDict):
    """A run whose jobs come next."""

    store: list[str]
    environment: dict[str, str]
    log: str


def serve() -> None:
    """Do the jobs that come in on standard input, until it closes."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    waiting: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin, waiting), daemon=True).start()

    def reply(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    def tell(event: dict[str, Any]) -> None:
        reply({"event": event})

    listeners.append(tell)
    # Loading the libraries now, while the parent is still reading data.
    import_module(LOADED_FIRST)

    store = _begin(json.loads(waiting.get()))
    while True:
        job = json.loads(waiting.get())
        if "stage" not in job:
            store = _begin(job)
            continue
        with suppress(ImportError):  # which the job says
            import_module(job["stage"].partition(":")[0])
        reply({"began": True})
        started = time.perf_counter()
        try:
            value = do(store, job["stage"], job["arguments"])
            reply({"value": value, "seconds": time.perf_counter() - started})
        except MemoryError as error:
            reply({"error": f"out of memory: {error}", "memory": True})
        except Exception as error:  # whatever a candidate raises is a fact about the candidate
            with suppress(OSError):  # on a full disk
                traceback.print_exc()
            told = no_space_in(error, store.root) or error
            reply(
                {
                    "error": f"{type(error).__name__}: {error}",
                    "penstock": told.parts() if isinstance(told, PenstockError) else None,
                }
            )


def _begin(run: Begun) -> Store:
    os.environ.clear()
    os.environ.update(run["environment"])
    with open(run["log"], "ab") as log:
        for standard in (1, 2):
            os.dup2(log.fileno(), standard)
    return Store(*run["store"])


def do(store: Store, place: str, arguments: dict[str, Any]) -> Any:
    """Arguments and value are JSON."""
    stage = stage_at(place)
    return stage.result.dump_python(stage.function(store, **stage.typed(arguments)), mode="json")


def _listen(source: IO[str], waiting: queue.Queue[str]) -> None:
    for line in source:
        waiting.put(line)
    os._exit(0)


if __name__ == "__main__":
    serve()
