"""Stages on the workers of a Dask cluster, as Prefect tasks; what needs more than the store stays on this machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ParamSpec, TypeVar

from prefect import Task
from prefect.cache_policies import NO_CACHE
from prefect.futures import PrefectFuture

from penstock.context import Run
from penstock.executors.caching import look_up
from penstock.executors.dask.remote import perform_here, wait_for
from penstock.executors.prefect import EXECUTOR as ON_THIS_MACHINE
from penstock.executors.prefect import make_task
from penstock.stage import Stage

P = ParamSpec("P")
R = TypeVar("R")


class Dask:
    def call(self, stage: Stage[P, R], run: Run, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.submit(stage, run, *args, **kwargs)()

    def submit(self, stage: Stage[P, R], run: Run, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        """Have a worker of the cluster do what this machine cannot find and need not do itself."""
        if not stage.travels or look_up(stage, stage.arguments(run, *args, **kwargs)).record:
            made = ON_THIS_MACHINE.call(stage, run, *args, **kwargs)
            return lambda: made
        assert run.remote is not None
        future: PrefectFuture[R] = _remote_task_of(stage).submit(run.remote, *args, **kwargs)
        return lambda: wait_for(future, stage.name)

    def knows(self, value: Any) -> bool:
        return True


@cache
def _remote_task_of(stage: Stage[..., Any]) -> Task[..., Any]:
    """On another machine the action record is the only cache: both see the same store."""
    return make_task(stage, perform_here, cache_policy=NO_CACHE, persist_result=False)


EXECUTOR = Dask()
