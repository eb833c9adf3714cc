"""How unlike the rows of a table are: by any name, or column by column with weights."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.dissimilarity.measure import Measure
from penstock.components.teaching.diagnostics.distance_validity import distance_validity
from penstock.components.teaching.dissimilarity.mixed import MixedDissimilarity, Way
from penstock.components.teaching.inputs.matrix import Matrix, finite
from penstock.errors import DataError

MAX_ROWS = 2000

Weighting = Literal["uniform", "equal-influence", "gower"]


def dissimilarity(
    frame: pd.DataFrame,
    *,
    measure: str = "mixed",
    settings: dict[str, Any] | None = None,
    weights: Weighting | dict[str, float] = "gower",
    order: dict[str, list[str]] | None = None,
    distances: dict[str, list[list[float]]] | None = None,
    power: float = 1.0,
    constant: float = 1.0,
) -> Found:
    """All pairs of rows, and whether what comes out is a metric.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"age": [20, 40], "plan": ["a", "b"]})
    >>> find("dissimilarity")(table).facts["triangles_broken"]
    0
    """
    if not 2 <= len(frame) <= MAX_ROWS:
        raise DataError(
            "PEN338",
            f"{len(frame):,} rows: all pairs can be shown of 2 to {MAX_ROWS:,} rows",
            where="the table",
            remedy="take a part of the rows",
        )
    shares: dict[str, float] = {}
    if measure == "mixed":
        ways = {
            str(name): Way(
                levels=(order or {}).get(str(name)),
                distances=(distances or {}).get(str(name)),
                power=power,
                constant=constant,
            )
            for name in frame.columns
        }
        mixed = MixedDissimilarity(ways, weights)
        shares, matrix = mixed.weigh(mixed.by_column(frame)), mixed.between(frame)
    else:
        rows = finite(frame)
        matrix = Measure(measure, settings).fit(rows).between(rows)
    return _found(matrix, measure, shares)


def _found(matrix: Matrix, measure: str, shares: dict[str, float]) -> Found:
    names = [f"row {place}" for place in range(len(matrix))]
    judged = distance_validity(pd.DataFrame(matrix, columns=names))
    apart = matrix[np.triu_indices(len(matrix), 1)]
    findings = [f"{measure}: {apart.mean():.4g} on average, {apart.min():.4g} to {apart.max():.4g}."]
    if shares:
        findings.append("Weights: " + ", ".join(f"{name} {weight:.4g}" for name, weight in shares.items()) + ".")
    facts = {"mean": float(matrix.mean()), "weights": shares, **judged.facts}
    return Found([*findings, *judged.findings], judged.table, facts)


DIAGNOSTIC = Diagnostic(
    name="dissimilarity",
    summary="How unlike the rows of a table are, by any dissimilarity, with own distances between levels",
    function=dissimilarity,
    parameters={
        "measure": "mixed (column by column), or for numbers alone: euclidean, squared-euclidean, manhattan, "
        "chebyshev, minkowski, cosine, correlation, hamming, gower, equal-influence, or gaussian-kernel and others",
        "settings": "what the measure takes, e.g. {power: 3} of minkowski, {gamma: 0.5} of gaussian-kernel",
        "weights": "of mixed: uniform; gower (each column on its range); equal-influence (each column adds the same to "
        "the mean of all pairs); or a number for each column, e.g. {age: 2, plan: 1}",
        "order": "levels in rising order, by column, e.g. {mood: [low, mid, high]}; they count as (i - 1/2) / K",
        "distances": "own distances between the levels of a column, in their order: {plan: [[0, 1], [1, 0]]}",
        "power": "of differences of numbers, by default 1; 2 squares them",
        "constant": "what a difference of levels counts, by default 1",
    },
    syllabus=("dissim-mixed-weighted", "dissim-categorical-ordinal", "proc_dissimilarity_construction"),
)
