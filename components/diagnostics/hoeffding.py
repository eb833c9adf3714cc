"""How far an error may be from the true one: Hoeffding's bound, and the rows that it asks for."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.diagnostics.base import Diagnostic, Found
from penstock.components.diagnostics.outcome import Chance, Positive
from penstock.components.learning_theory.bounds import deviation, hoeffding, most_labellings, rows_needed
from penstock.components.plots.theory import curves

STEPS = 60


def hoeffding_bound(
    frame: pd.DataFrame | None,
    *,
    epsilon: Chance = 0.1,
    delta: Chance = 0.05,
    rows: Positive | None = None,
    hypotheses: Positive = 1,
    dimension: Positive | None = None,
) -> Found:
    """Of one hypothesis, of a finite number of them, or of a class by how many ways it can label the rows."""
    seen = rows or (len(frame) if frame is not None and len(frame) else 100)
    many = most_labellings(seen, dimension) if dimension else hypotheses
    bound, needed = hoeffding(epsilon, seen, many), rows_needed(epsilon, delta, many)
    among = f"{many:,} hypotheses" if many > 1 else "one hypothesis"
    findings = [
        f"With {seen:,} rows and {among}, the chance that an error is off by more than {epsilon:g} is at most "
        f"{bound:.4g}" + (", which says nothing." if bound >= 1 else "."),
        f"For that chance to be at most {delta:g} it takes {needed:,} rows"
        + (" (as many ways to label them as there are now)." if dimension else "."),
        f"But for a chance of {delta:g}, errors on these rows are within {deviation(seen, delta, many):.4g} of the "
        "true ones.",
    ]
    x = np.unique(np.geomspace(10, max(4 * seen, 2 * needed), STEPS).round()).tolist()
    lines = {"one hypothesis": [hoeffding(epsilon, int(n)) for n in x]}
    if many > 1:
        lines[among] = [hoeffding(epsilon, int(n), many) for n in x]
    table = pd.DataFrame({"rows": [seen], "bound": [bound], "rows needed": [needed]}).set_index("rows")
    facts = {
        "rows": seen,
        "hypotheses": many,
        "bound": bound,
        "says_something": bound < 1,
        "rows_needed": needed,
        "within": deviation(seen, delta, many),
    }
    figure = curves(
        f"Chance that an error is off by more than {epsilon:g}: at most",
        x,
        lines,
        across="Rows",
        up="Bound",
        marks={"these rows": seen, "rows needed": needed},
        levels={f"delta = {delta:g}": delta},
        log=("x", "y"),
    )
    return Found(findings, table, facts, figure)


DIAGNOSTIC = Diagnostic(
    name="hoeffding",
    summary="How far an error on so many rows may be from the true one, and how many rows it takes to be sure",
    function=hoeffding_bound,
    parameters={
        "epsilon": "how far off is too far, by default 0.1",
        "delta": "the chance of being wrong that is allowed, by default 0.05",
        "rows": "rows that judge; by default those of the table, or 100",
        "hypotheses": "how many hypotheses the rows chose among, by default 1: they chose none",
        "dimension": "VC dimension of the class instead: counts the ways in which it can label the rows",
    },
    needs_table=False,
    syllabus=("theory-hoeffding",),
)
