"""Which type stands under which key of the document: the sections that only some kinds of problem bring."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TypeVar

from pydantic import BaseModel

K = TypeVar("K", bound=type[BaseModel])

PROBLEMS = "penstock.problems"  # by name: a document stands below the kinds of problems that bring its sections
_types: dict[str, type[BaseModel]] = {}


def section(key: str) -> Callable[[K], K]:
    """Mark a type as what stands under that key."""

    def mark(kind: K) -> K:
        if _types.setdefault(key, kind) is not kind:
            raise ValueError(f"the section '{key}' is {_types[key].__qualname__} already")
        return kind

    return mark


def sections() -> dict[str, type[BaseModel]]:
    """By key, of all kinds of problems."""
    for problem in import_module(PROBLEMS).all_problems().values():
        for module in problem.sections:
            import_module(module)
    return dict(_types)


def key_of(kind: type[BaseModel]) -> str:
    return next(key for key, marked in sections().items() if marked is kind)
