"""The best of a finite list of hypotheses: every question about one column."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.diagnostics.base import Diagnostic, Found
from penstock.components.diagnostics.outcome import Chance, learnable
from penstock.components.learning_theory.risk import Stump, minimise_risk, stumps
from penstock.components.plots.style import short_number
from penstock.components.plots.theory import risks

SHOWN = 10


def empirical_risk(frame: pd.DataFrame, *, target: str, delta: Chance = 0.05) -> Found:
    """Stumps, which are the weak learners of boosting; both answers of each count as hypotheses."""
    found = learnable(frame, target, two_classes=True)
    hypotheses = stumps(found.X)
    risk = minimise_risk(hypotheses, found.X, found.y, delta)
    order = np.argsort(risk.errors, kind="stable")[:SHOWN]
    rows = [
        {
            "hypothesis": _told(hypotheses[place], found.names, found.classes or []),
            "error": float(risk.errors[place]),
            "low": max(0.0, float(risk.errors[place]) - risk.band),
            "high": min(1.0, float(risk.errors[place]) + risk.band),
        }
        for place in order
    ]
    best = rows[0]
    findings = [
        f"Of {len(hypotheses):,} hypotheses, the fewest mistakes are made by: {best['hypothesis']} "
        f"({best['error']:.4g} of {len(found.y):,} rows).",
        f"But for a chance of {delta:g}, the true error of each of them is within {risk.band:.4g} of that on the rows; "
        f"that of the best is at most {best['high']:.4g}.",
    ]
    facts = {"hypotheses": len(hypotheses), "least": best["error"], "band": risk.band, "best": best["hypothesis"]}
    return Found(findings, pd.DataFrame(rows).set_index("hypothesis"), facts, risks(rows))


def _told(stump: Stump, names: list[str], classes: list[str]) -> str:
    if np.isinf(stump.cut):
        return f"always {classes[stump.below]}"
    return f"{names[stump.column]} > {short_number(stump.cut)}: {classes[stump.above]}, else {classes[stump.below]}"


DIAGNOSTIC = Diagnostic(
    name="empirical-risk",
    summary="The best single question about one column, and how far its error can be trusted after trying them all",
    function=empirical_risk,
    parameters={
        "target": "the column to predict, of two classes",
        "delta": "the chance of being wrong that is allowed, by default 0.05",
    },
    syllabus=("theory-erm-finite",),
)
