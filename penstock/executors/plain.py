"""Stages as plain calls, with the same cache."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from penstock.context import Run
from penstock.executors.caching import perform
from penstock.stage import Stage

P = ParamSpec("P")
R = TypeVar("R")

_threads = ThreadPoolExecutor(max_workers=32, thread_name_prefix="stage")
"""Where calls wait for workers; Prefect has its own."""


class Plain:
    def call(self, stage: Stage[P, R], run: Run, *args: P.args, **kwargs: P.kwargs) -> R:
        return perform(stage, stage.arguments(run, *args, **kwargs))

    def submit(self, stage: Stage[P, R], run: Run, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        return _threads.submit(lambda: self.call(stage, run, *args, **kwargs)).result

    def knows(self, value: Any) -> bool:
        return True


EXECUTOR = Plain()
