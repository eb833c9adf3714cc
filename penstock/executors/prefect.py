"""Stages as Prefect tasks, whose cache is the action record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from prefect import Task
from prefect.cache_policies import NO_CACHE, CachePolicy
from prefect.context import TaskRunContext
from prefect.futures import PrefectFuture

from penstock.context import Arguments, Run
from penstock.executors.caching import look_up, note, perform
from penstock.stage import Stage

P = ParamSpec("P")
R = TypeVar("R")
Do = Callable[[Stage[..., Any], Arguments], Any]


class Prefect:
    def call(self, stage: Stage[P, R], run: Run, *args: P.args, **kwargs: P.kwargs) -> R:
        return _typed(stage, task_of(stage)(run, *args, **kwargs))

    def submit(self, stage: Stage[P, R], run: Run, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        future: PrefectFuture[R] = task_of(stage).submit(run, *args, **kwargs)
        return lambda: _typed(stage, future.result())

    def knows(self, value: Any) -> bool:
        return True


def _typed(stage: Stage[P, R], made: Any) -> R:
    """Prefect's copy of a result does not tell what its references hold."""
    return stage.result.validate_python(made)


@cache
def task_of(stage: Stage[..., Any]) -> Task[..., Any]:
    cached = ByAction(stage=stage) if stage.cached else NO_CACHE
    return make_task(stage, perform, cache_policy=cached, persist_result=stage.cached)


def make_task(stage: Stage[..., Any], do: Callable[[Stage[..., Any], Arguments], Any], **how: Any) -> Task[..., Any]:
    """A task with the stage's name and arguments."""

    def body(*args: Any, **kwargs: Any) -> Any:
        return do(stage, stage.arguments(*args, **kwargs))

    body.__name__ = stage.name
    body.__doc__ = stage.function.__doc__
    body.__module__ = stage.function.__module__
    body.__signature__ = stage.signature  # type: ignore[attr-defined]
    return Task(
        fn=body,
        name=stage.title,
        task_run_name=lambda: stage.label_of(TaskRunContext.get().parameters),  # type: ignore[union-attr]
        result_serializer="json",
        **how,
    )


@dataclass
class ByAction(CachePolicy):
    """Prefect's cache key is the action's key; a stored result is used only while all it refers to is whole."""

    stage: Stage[..., Any] | None = None

    def compute_key(
        self, task_ctx: TaskRunContext, inputs: Arguments, flow_parameters: Arguments, **kwargs: Any
    ) -> str | None:
        assert self.stage is not None
        found = look_up(self.stage, inputs)
        stored = task_ctx.result_store.exists(found.key)
        if stored and found.record:
            note(self.stage, inputs, found, "cached", 0.0)
        elif stored:
            # The record is gone or what it names is altered: Prefect must not answer from its own copy.
            Path(getattr(task_ctx.result_store.result_storage, "basepath", "."), found.key).unlink(missing_ok=True)
        return found.key


EXECUTOR = Prefect()
