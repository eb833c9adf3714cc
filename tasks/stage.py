"""What makes a function a stage: a Prefect task whose cache is the action record.

The same stage can be called as a Prefect task, as the plain function (with the same cache), or only planned.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_args, get_type_hints

from prefect import Task
from prefect.cache_policies import NO_CACHE, CachePolicy
from prefect.context import TaskRunContext
from prefect.futures import PrefectFuture
from pydantic import BaseModel, TypeAdapter

from penstock.actions import Actions, Record, key_parts, refs_in
from penstock.context import Run
from penstock.store import Ref, digest_of
from penstock.tasks.away import Away, wait_for

P = ParamSpec("P")
R = TypeVar("R")

_threads = ThreadPoolExecutor(max_workers=32, thread_name_prefix="stage")
"""Where plain functions wait for workers; Prefect has its own."""


@dataclass
class Lookup:
    """What is known before a stage runs: its key, and either the recorded result or the reason to run."""

    key: str
    parts: dict[str, Any]
    record: Record | None
    reason: str


class Stage(Generic[P, R]):
    """A stage of a pipeline; the first argument of its function is the run."""

    def __init__(
        self,
        function: Callable[Concatenate[Run, P], R],
        *,
        cached: bool = True,
        job: str | None = None,
        travels: bool | None = None,
        libraries: tuple[str, ...] = (),
        label: Callable[..., str] | None = None,
        remember: Callable[[R], bool] = lambda _: True,
        lost: Callable[[Run, R], str | None] = lambda *_: None,
    ) -> None:
        self.function = function
        self.name = function.__name__
        self.cached = cached
        self.travels = job is not None if travels is None else travels
        self.modules = (function.__module__, *([f"penstock.jobs.{job}"] if job else []))
        self.libraries = libraries
        self.label = label
        self.remember = remember
        self.lost = lost
        self.signature = inspect.signature(function)
        self.result = TypeAdapter(get_type_hints(function)["return"])
        self.task: Task[..., R] = Task(
            fn=self._body(),
            name=self.name.replace("_", " "),
            task_run_name=lambda: self._label(TaskRunContext.get().parameters),  # type: ignore[union-attr]
            cache_policy=ByAction(stage=self) if cached else NO_CACHE,
            persist_result=cached,
            result_serializer="json",
        )

    @cached_property
    def task_away(self) -> Task[..., R]:
        """On another machine the action record is the only cache: both see the same store."""
        return self.task.with_options(cache_policy=NO_CACHE, persist_result=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _stage_at, (self.function.__module__, self.name)

    def __call__(self, run: Run, *args: P.args, **kwargs: P.kwargs) -> R:
        if run.engine == "prefect" and run.away:
            return self._send(run, run.away, *args, **kwargs)()
        if run.engine == "prefect":
            return self.task(run, *args, **kwargs)
        if run.engine == "plan":
            return self._plan(self._arguments(run, *args, **kwargs))
        return self.task.fn(run, *args, **kwargs)

    def submit(self, run: Run, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        """Begin, and return what waits for the result."""
        if run.engine == "prefect" and run.away:
            return self._send(run, run.away, *args, **kwargs)
        if run.engine == "prefect":
            future: PrefectFuture[R] = self.task.submit(run, *args, **kwargs)
            return future.result
        if run.engine == "plan":
            planned = self(run, *args, **kwargs)
            return lambda: planned
        return _threads.submit(self, run, *args, **kwargs).result

    def _send(self, run: Run, away: Run, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        """Have a worker of the cluster do what this machine cannot find and need not do itself."""
        if not self.travels or self.look_up(self._arguments(run, *args, **kwargs)).record:
            made = self.task(run, *args, **kwargs)
            return lambda: made
        future: PrefectFuture[R] = self.task_away.submit(away, *args, **kwargs)
        return lambda: wait_for(future, self.name)

    def look_up(self, arguments: dict[str, Any]) -> Lookup:
        run: Run = arguments["run"]
        parts = key_parts(self.name, self.modules, arguments, self.libraries, run.threads)
        key = digest_of(parts)
        if not self.cached:
            return Lookup(key, parts, None, "always runs")
        actions = Actions(run.store)
        record = actions.find(key)
        fault = None
        if record:
            made = self._recorded(record)
            fault = actions.fault(made) or self.lost(run, made)
            if not fault:
                return Lookup(key, parts, record, "")
        return Lookup(key, parts, None, fault or actions.reason(parts, run.pipeline, self._label(arguments)))

    def note(self, arguments: dict[str, Any], found: Lookup, state: str, seconds: float) -> None:
        event = {"event": "stage", "stage": self._label(arguments), "state": state, "reason": found.reason}
        source = found.record.run if found.record else None
        arguments["run"].note({**event, "seconds": round(seconds, 3), "key": found.key, "from": source})

    def _recorded(self, record: Record) -> R:
        made: R = self.result.validate_python(record.made)
        return made

    def _label(self, arguments: dict[str, Any]) -> str:
        name = self.name.replace("_", " ")
        return f"{name} {self.label(**arguments)}".rstrip() if self.label else name

    def _arguments(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.arguments

    def _body(self) -> Callable[..., R]:
        call: Callable[..., R] = self.function

        def body(*args: Any, **kwargs: Any) -> R:
            arguments = self._arguments(*args, **kwargs)
            if isinstance(arguments["run"], Away):
                arguments["run"] = arguments["run"].settled()
            found = self.look_up(arguments)
            if found.record:
                self.note(arguments, found, "cached", 0.0)
                return self._recorded(found.record)
            run: Run = arguments["run"]
            run.note({"event": "begin", "stage": self._label(arguments)})
            started = time.perf_counter()
            made = call(**arguments)
            seconds = time.perf_counter() - started
            if self.cached and self.remember(made):
                record = Record(
                    key=found.key,
                    stage=self.name,
                    parts=found.parts,
                    made=self.result.dump_python(made, mode="json"),
                    seconds=seconds,
                    run=run.id,
                )
                Actions(run.store).keep(record, run.pipeline, self._label(arguments))
            worked = getattr(made, "seconds", seconds)  # a fit knows how long it took once a worker was free
            self.note(arguments, found, "ran", worked)
            return made

        body.__name__ = self.name
        body.__doc__ = self.function.__doc__
        body.__module__ = self.function.__module__
        body.__signature__ = self.signature  # type: ignore[attr-defined]
        return body

    def _plan(self, arguments: dict[str, Any]) -> R:
        waits = sorted({ref.uri for ref in refs_in(list(arguments.values())) if ref.kind == "pending"})
        found = Lookup("", {}, None, f"waits for {', '.join(waits)}") if waits else self.look_up(arguments)
        self.note(arguments, found, "cached" if found.record else "would run", 0.0)
        if found.record:
            return self._recorded(found.record)
        return pending(get_type_hints(self.function)["return"], self.name.replace("_", " "))  # type: ignore[no-any-return]


@dataclass
class ByAction(CachePolicy):
    """Prefect's cache key is the action's key; a stored result is used only while all it refers to is whole."""

    stage: Stage[..., Any] | None = None

    def compute_key(
        self, task_ctx: TaskRunContext, inputs: dict[str, Any], flow_parameters: dict[str, Any], **kwargs: Any
    ) -> str | None:
        assert self.stage is not None
        found = self.stage.look_up(inputs)
        stored = task_ctx.result_store.exists(found.key)
        if stored and found.record:
            self.stage.note(inputs, found, "cached", 0.0)
        elif stored:
            # The record is gone or what it names is altered: Prefect must not answer from its own copy.
            Path(getattr(task_ctx.result_store.result_storage, "basepath", "."), found.key).unlink(missing_ok=True)
        return found.key


def stage(
    *,
    cached: bool = True,
    job: str | None = None,
    travels: bool | None = None,
    libraries: tuple[str, ...] = (),
    label: Callable[..., str] | None = None,
    remember: Callable[[Any], bool] = lambda _: True,
    lost: Callable[[Run, Any], str | None] = lambda *_: None,
) -> Callable[[Callable[Concatenate[Run, P], R]], Stage[P, R]]:
    """Make a stage of a function.

    `job` is the worker's part of it, whose code belongs to the key. With a cluster such a stage `travels`, unless it is
    said not to, because it needs more than the store. `remember` says whether a result may be used again; `lost` looks
    beyond the store whether what the result speaks of is still there, and says what is not.
    """

    def decorate(function: Callable[Concatenate[Run, P], R]) -> Stage[P, R]:
        how: dict[str, Any] = {"label": label, "remember": remember, "lost": lost}
        return Stage(function, cached=cached, job=job, travels=travels, libraries=libraries, **how)

    return decorate


def _stage_at(module: str, name: str) -> Stage[..., Any]:
    found: Stage[..., Any] = getattr(import_module(module), name)
    return found


def pending(kind: Any, stage_name: str) -> Any:
    """A stand-in for a result that does not exist yet."""
    if kind is Ref or Ref in get_args(kind):
        return Ref(kind="pending", digest=stage_name, uri=stage_name)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = {name: pending(field.annotation, stage_name) for name, field in kind.model_fields.items()}
        return kind.model_construct(**fields)
    if NoneType in get_args(kind) or kind is NoneType:
        return None
    return kind() if kind in (str, int, float, bool) else None
