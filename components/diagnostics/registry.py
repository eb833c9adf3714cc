"""All diagnostics by name. A new one is a module with a `DIAGNOSTIC`, named here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from penstock.components.diagnostics import distances, graph, kernels, replicates
from penstock.components.diagnostics.base import Diagnostic, Found
from penstock.errors import UsageError, did_you_mean

DIAGNOSTICS: dict[str, Diagnostic] = {
    module.DIAGNOSTIC.name: module.DIAGNOSTIC for module in (distances, graph, kernels, replicates)
}


def diagnose(name: str, frame: pd.DataFrame, given: Mapping[str, Any] | None = None) -> Found:
    if name not in DIAGNOSTICS:
        raise UsageError(
            "PEN220", f"there is no diagnostic '{name}'", where="diagnose", remedy=did_you_mean(name, list(DIAGNOSTICS))
        )
    return DIAGNOSTICS[name](frame, given or {})


def listing() -> list[dict[str, Any]]:
    return [
        {"name": one.name, "summary": one.summary, "parameters": dict(one.parameters), "syllabus": list(one.syllabus)}
        for one in DIAGNOSTICS.values()
    ]
