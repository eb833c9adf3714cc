"""All diagnostics by name. A new one is a module with a `DIAGNOSTIC`, named here."""

from __future__ import annotations

from typing import Any

from penstock.components.diagnostics import capacity, distances, graph, kernels, optimality, replicates
from penstock.components.diagnostics.base import Diagnostic
from penstock.errors import UsageError, did_you_mean

DIAGNOSTICS: dict[str, Diagnostic] = {
    module.DIAGNOSTIC.name: module.DIAGNOSTIC
    for module in (capacity, distances, graph, kernels, optimality, replicates)
}


def find(name: str) -> Diagnostic:
    if name not in DIAGNOSTICS:
        raise UsageError(
            "PEN220", f"there is no diagnostic '{name}'", where="diagnose", remedy=did_you_mean(name, list(DIAGNOSTICS))
        )
    return DIAGNOSTICS[name]


def listing() -> list[dict[str, Any]]:
    return [
        {"name": one.name, "summary": one.summary, "parameters": dict(one.parameters), "syllabus": list(one.syllabus)}
        for one in DIAGNOSTICS.values()
    ]
