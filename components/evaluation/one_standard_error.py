"""The one-standard-error rule: the simplest candidate that is as good as the best, as far as can be told.

Simple is what the catalogue says, never how long a fit took: first the method's rank of complexity, then, within a
method, its parameters in the order and direction that its entry declares.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from pydantic import BaseModel

from penstock.components.catalog import entries


class Simplicity(BaseModel):
    """What the catalogue declares of a method: its rank of complexity, and the direction in which it is simpler."""

    complexity: int
    simpler: dict[str, str] = {}


BEYOND_METHODS = Simplicity(complexity=100)
"""What is no method of the catalogue, such as an ensemble of candidates, is the least simple."""


class Candidate(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> dict[str, Any]: ...


def declared(names: Iterable[str]) -> dict[str, Simplicity]:
    """What the catalogue says of the simplicity of these methods."""
    return {
        name: Simplicity(complexity=entries()[name].complexity, simpler=dict(entries()[name].simpler))
        for name in sorted(set(names))
    }


def simplest_first(
    candidates: Sequence[Candidate], scores: Sequence[float], simplicity: Mapping[str, Simplicity]
) -> list[int]:
    """Positions by simplicity. Of equally complex methods the one with the best candidate, of equals the better one."""
    best: dict[str, float] = {}
    for candidate, score in zip(candidates, scores, strict=True):
        best[candidate.name] = max(score, best.get(candidate.name, -math.inf))

    def key(position: int) -> tuple[Any, ...]:
        candidate = candidates[position]
        known = simplicity.get(candidate.name, BEYOND_METHODS)
        of_method = (known.complexity, -best[candidate.name], candidate.name)
        return *of_method, _bending(candidate.parameters, known.simpler), -scores[position], position

    return sorted(range(len(candidates)), key=key)


def _bending(parameters: Mapping[str, Any], simpler: Mapping[str, str]) -> tuple[float, ...]:
    """How far the parameters let the method bend, the weightiest first; no limit is further than any limit."""
    found = []
    for name, direction in simpler.items():
        value = parameters.get(name)
        number = math.inf if value is None else float(value) if isinstance(value, int | float) else 0.0
        found.append(number if direction == "less" or value is None else -number)
    return tuple(found)
