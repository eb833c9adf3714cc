"""How far an error may be from the true one: Hoeffding's bound, and the rows that it asks for."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.outcome import Chance
from penstock.components.teaching.learning_theory.bounds import (
    log_deviation,
    log_hoeffding,
    log_most_labellings,
    most_labellings,
    rows_needed,
    rows_needed_by_class,
)
from penstock.components.teaching.plots.theory import curves

STEPS = 60
WHOLE = math.log(2**53)  # up to here every whole number is a number of its own
HIGHEST, LOWEST = math.log(1e9), math.log(1e-300)  # of what is drawn
LARGEST = 709.0  # the exponential of more is infinite


def hoeffding_bound(
    frame: pd.DataFrame | None,
    *,
    epsilon: Annotated[float, Field(ge=1e-6, lt=1)] = 0.1,
    delta: Chance = 0.05,
    rows: Annotated[int, Field(ge=1, le=10**15)] | None = None,
    hypotheses: Annotated[int, Field(ge=1, le=10**300)] = 1,
    dimension: Annotated[int, Field(ge=1, le=100_000)] | None = None,
) -> Found:
    """Of one hypothesis, of a finite number of them, or of a class by how many ways it can label the rows.

    Examples
    --------
    >>> from penstock.components.diagnostics import find
    >>> find("hoeffding")(None, {"epsilon": 0.05, "delta": 0.05}).facts["rows_needed"]
    738
    """
    seen = rows or (len(frame) if frame is not None and len(frame) else 100)
    size = log_most_labellings(seen, dimension) if dimension else math.log(hypotheses)
    log_bound = log_hoeffding(epsilon, seen, size)
    needed = rows_needed_by_class(epsilon, delta, dimension) if dimension else rows_needed(epsilon, delta, hypotheses)
    many = hypotheses if not dimension else most_labellings(seen, dimension) if size < WHOLE else _number(size)
    among = f"{_said(many, size)} hypotheses" if size > 0 else "one hypothesis"
    bound, within = _number(log_bound), log_deviation(seen, delta, size)
    findings = [
        f"With {seen:,} rows and {among}, the probability that an error is off by more than {epsilon:g} is at most "
        + (f"{bound:.4g}" if bound is not None else _said(None, log_bound))
        + (", which says nothing." if log_bound >= 0 else "."),
        f"For that chance to be at most {delta:g} it takes {needed:,} rows"
        + (", by the ways to label so many." if dimension else "."),
        f"But for a probability of {delta:g}, errors on these rows are within {within:.4g} of the true ones.",
    ]
    x = np.unique(np.geomspace(10, max(4 * seen, 2 * needed), STEPS).round()).tolist()
    lines = {"one hypothesis": [_drawn(log_hoeffding(epsilon, int(n), 0.0)) for n in x]}
    if dimension:
        sizes = [log_most_labellings(int(n), dimension) for n in x]
        ways = f"VC dimension {dimension:,}"
        lines[ways] = [_drawn(log_hoeffding(epsilon, int(n), one)) for n, one in zip(x, sizes, strict=True)]
    elif size > 0:
        lines[among] = [_drawn(log_hoeffding(epsilon, int(n), size)) for n in x]
    table = pd.DataFrame({"rows": [seen], "bound": [bound], "rows needed": [needed]}).set_index("rows")
    facts: dict[str, Any] = {
        "rows": seen,
        "hypotheses": many,
        "bound": bound,
        "says_something": log_bound < 0,
        "rows_needed": needed,
        "within": within,
    }
    figure = curves(
        f"Probability that an error is off by more than {epsilon:g}: at most",
        x,
        lines,
        across="Rows",
        up="Bound",
        marks={"these rows": seen, "rows needed": needed},
        levels={f"delta = {delta:g}": delta},
        log=("x", "y"),
    )
    return Found(findings, table, facts, figure)


def _number(logarithm: float) -> float | None:
    """None where it would be infinite."""
    return math.exp(logarithm) if logarithm < LARGEST else None


def _said(number: float | None, logarithm: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"about 10^{logarithm / math.log(10):.0f}"


def _drawn(logarithm: float) -> float:
    return math.exp(logarithm) if LOWEST < logarithm < HIGHEST else math.nan


DIAGNOSTIC = Diagnostic(
    name="hoeffding",
    summary="How far an error on so many rows may be from the true one, and how many rows it takes to be sure",
    function=hoeffding_bound,
    parameters={
        "epsilon": "how far off is too far, by default 0.1, from 1e-6 on",
        "delta": "the probability of being wrong that is allowed, by default 0.05",
        "rows": "rows that evaluate; by default those of the table, or 100; up to 1e15",
        "hypotheses": "how many hypotheses, up to 1e300, the rows chose among, by default 1: they chose none",
        "dimension": "VC dimension of the class instead, up to 100000: counts the ways in which it can label the rows",
    },
    needs_table=False,
    syllabus=("theory-hoeffding",),
)
