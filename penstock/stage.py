"""What makes a function a stage of a run: its name, how its result is kept, and who does its work.

A stage is called with a run; the run names the executor that does it: Prefect, Dask, plain calls or the plan.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Concatenate, Generic, Literal, ParamSpec, Protocol, TypeVar, get_type_hints

from pydantic import TypeAdapter

from penstock.context import Arguments, Run

P = ParamSpec("P")
R = TypeVar("R")
MEMORY, DIED = "PEN312", "PEN313"
"""Of a stage that a worker could not do."""

Status = Literal["finished", "failed", "time", "memory", "died"]


@dataclass(frozen=True)
class Failure:
    """A worker's stage that came to no result: it raised, struck a limit, or its process died."""

    status: Status
    reason: str | None = None
    seconds: float = 0.0


class Stage(Generic[P, R]):
    """A stage of a pipeline; the first argument of its function is the run, or the store where a worker does it."""

    def __init__(
        self,
        function: Callable[Concatenate[Any, P], R],
        *,
        worker: bool = False,
        asks: str | None = None,
        cached: bool = True,
        travels: bool | None = None,
        libraries: tuple[str, ...] = (),
        label: Callable[..., str] | None = None,
        remember: Callable[[R], bool] = lambda _: True,
        lost: Callable[[Run, R], str | None] = lambda *_: None,
        failed: Callable[[Failure], R] | None = None,
        limited: Callable[..., bool] = lambda **_: True,
    ) -> None:
        self.function = function
        self.name = function.__name__
        self.title = self.name.replace("_", " ")
        self.worker = worker
        self.asks = asks
        self.cached = cached
        self.travels = worker if travels is None else travels
        self.failed = failed
        self.limited = limited
        self.libraries = libraries
        self.label = label
        self.remember = remember
        self.lost = lost
        self.signature = _called_with_run(function) if worker else inspect.signature(function)
        self.returns = get_type_hints(function)["return"]
        self.result: TypeAdapter[R] = TypeAdapter(self.returns)

    def __reduce__(self) -> tuple[Any, ...]:
        return stage_at, (self.place,)

    def __call__(self, run: Run, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._noted(run, args, kwargs, executor_of(run).call(self, run, *args, **kwargs))

    def submit(self, run: Run, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        """Begin, and return what waits for the result, which is among the run's results once it was waited for."""
        wait = executor_of(run).submit(self, run, *args, **kwargs)
        return cache(lambda: self._noted(run, args, kwargs, wait()))

    def _noted(self, run: Run, args: tuple[Any, ...], kwargs: Arguments, made: R) -> R:
        asked = self.arguments(run, *args, **kwargs)
        run.results.add(self, {name: value for name, value in asked.items() if name != "run"}, made)
        return made

    @property
    def place(self) -> str:
        """Where a worker finds it."""
        return f"{self.function.__module__}:{self.name}"

    def modules(self, arguments: Arguments) -> tuple[str, ...]:
        """What it runs, the function of the problem that it asks included: their code belongs to its key."""
        asked = (function_place(arguments["problem"], self.asks).partition(":")[0],) if self.asks else ()
        return (self.function.__module__, *asked)

    def label_of(self, arguments: Arguments) -> str:
        return f"{self.title} {self.label(**arguments)}".rstrip() if self.label else self.title

    def arguments(self, *args: Any, **kwargs: Any) -> Arguments:
        """By name, defaults included."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.arguments

    def typed(self, arguments: Arguments) -> Arguments:
        """What came as JSON, as the function takes it."""
        hints = get_type_hints(self.function)
        return {name: TypeAdapter(hints[name]).validate_python(value) for name, value in arguments.items()}


class Executor(Protocol):
    """How stages of a run are done."""

    def call(self, stage: Stage[P, R], run: Run, *args: P.args, **kwargs: P.kwargs) -> R: ...

    def submit(self, stage: Stage[P, R], run: Run, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]: ...

    def knows(self, value: Any) -> bool:
        """Whether a stage's result exists, so that it can be looked at."""
        ...


def executor_of(run: Run) -> Executor:
    """Found by name, so that a stage loads no more than what does it."""
    executor: Executor = import_module(f"penstock.executors.{run.engine}").EXECUTOR
    return executor


def known(run: Run, *values: Any) -> bool:
    """Whether there is something to look at: a plan goes on with results that do not exist yet."""
    return all(executor_of(run).knows(value) for value in values)


def check(function: Callable[Concatenate[Run, P], R]) -> Callable[Concatenate[Run, P], R | None]:
    """Make a check of a function: it looks at results of stages and raises, once they exist.

    What it returns is among the run's results.
    """

    def checked(run: Run, /, *args: P.args, **kwargs: P.kwargs) -> R | None:
        if not known(run, args, kwargs):
            return None
        found = function(run, *args, **kwargs)
        run.results.add(checked, {}, found)
        return found

    checked.__doc__ = function.__doc__
    checked.__name__ = function.__name__
    checked.__module__ = function.__module__
    return checked


def stage(
    *,
    worker: bool = False,
    asks: str | None = None,
    cached: bool = True,
    travels: bool | None = None,
    libraries: tuple[str, ...] = (),
    label: Callable[..., str] | None = None,
    remember: Callable[[Any], bool] = lambda _: True,
    lost: Callable[[Run, Any], str | None] = lambda *_: None,
    failed: Callable[[Failure], Any] | None = None,
    limited: Callable[..., bool] = lambda **_: True,
) -> Callable[[Callable[Concatenate[Any, P], R]], Stage[P, R]]:
    """Make a stage of a function.

    A `worker` process does it, or the run's own; with a cluster a worker's stage `travels`, unless it is said not to,
    because it needs more than the store. `asks`: the function of the problem that it calls, whose code belongs to its
    key. `remember` says whether a result may be used again; `lost` looks beyond the store whether what the result
    speaks of is still there, and says what is not. `failed` makes the result of a fit that raised or was killed;
    without it the run ends. `limited`: whether a fit with these arguments has the limits of the pipeline file.
    """

    def decorate(function: Callable[Concatenate[Any, P], R]) -> Stage[P, R]:
        how: Any = {"label": label, "remember": remember, "lost": lost, "failed": failed, "limited": limited}
        kept: Any = {"cached": cached, "travels": travels, "libraries": libraries}
        return Stage(function, worker=worker, asks=asks, **kept, **how)

    return decorate


def progress(**facts: Any) -> None:
    """Tell the run how far a stage is that a worker does."""
    for listener in listeners:
        listener(facts)


listeners: list[Callable[[dict[str, Any]], None]] = []
"""Whoever passes progress on: in a worker, the line to the run."""


def stage_at(place: str) -> Stage[..., Any]:
    """The stage that is named so, `module:name`."""
    module, _, name = place.partition(":")
    found: Stage[..., Any] = getattr(import_module(module), name)
    return found


def function_place(problem: str, name: str) -> str:
    """Where the function is that a kind of problem brings for a stage."""
    place: str = import_module("penstock.problems").find(problem).function_place(name)
    return place


def _called_with_run(function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(function)
    _, *others = signature.parameters.values()
    run = inspect.Parameter("run", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Run)
    return signature.replace(parameters=[run, *others])
