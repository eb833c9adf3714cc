"""What would be done, and why: nothing is."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import Any, ParamSpec, TypeVar, get_args, get_origin

from pydantic import BaseModel

from penstock.actions.records import refs_in
from penstock.context import Run
from penstock.executors.caching import Lookup, look_up, note, recorded
from penstock.stage import Stage
from penstock.store import PENDING, Ref, pending

P = ParamSpec("P")
R = TypeVar("R")


class Plan:
    def call(self, stage: Stage[P, R], run: Run, *args: P.args, **kwargs: P.kwargs) -> R:
        arguments = stage.arguments(run, *args, **kwargs)
        waits = sorted({ref.digest for ref in refs_in(list(arguments.values())) if ref.kind == PENDING})
        found = Lookup("", {}, None, f"waits for {', '.join(waits)}") if waits else look_up(stage, arguments)
        note(stage, arguments, found, "cached" if found.record else "would run", 0.0)
        return recorded(stage, found.record) if found.record else stand_in(stage.returns, stage.title)

    def submit(self, stage: Stage[P, R], run: Run, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        planned = self.call(stage, run, *args, **kwargs)
        return lambda: planned

    def knows(self, value: Any) -> bool:
        return all(ref.kind != PENDING for ref in refs_in(value))


def stand_in(kind: Any, title: str) -> Any:
    """For a result that does not exist yet."""
    if any(isinstance(one, type) and issubclass(one, Ref) for one in (kind, *get_args(kind))):
        return pending(title)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = {name: stand_in(field.annotation, title) for name, field in kind.model_fields.items()}
        return kind.model_construct(**fields)
    if NoneType in get_args(kind) or kind is NoneType:
        made = [stand_in(option, title) for option in get_args(kind) if option is not NoneType]
        return next((one for one in made if any(refs_in(one))), None)
    plain = get_origin(kind) or kind
    return plain() if plain in (str, int, float, bool, dict, list) else None


EXECUTOR = Plan()
