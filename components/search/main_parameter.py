"""The parameter of a method that decides most how far it bends, and values of it to look at."""

from __future__ import annotations

from typing import Any, TypeGuard

from penstock.components.catalog import entries
from penstock.components.ensembles.chosen import Method

POINTS = 6


def main_parameter(chosen: Method, problem: str) -> tuple[str, list[float]] | None:
    """Its name and at most seven values, the chosen one among them; None where a method has no such number."""
    entry = entries().get(chosen.name)
    if entry is None:
        return None
    space = entry.space_for(problem)
    for name in [*entry.simpler, *space]:
        domain = space.get(name)
        values = [value for value in domain.grid(POINTS) if _is_number(value)] if domain else []
        given = chosen.parameters.get(name, domain.default if domain else None)
        if len(values) > 1 and _is_number(given):
            return name, sorted({*values, given})
    return None


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
