"""How near the nearest rows are, and how many columns make them far."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.schema import numbers, require_columns
from penstock.components.teaching.inputs.matrix import finite
from penstock.components.teaching.inputs.outcome import Chance, Positive
from penstock.components.teaching.learning_theory.dimension import cells, nearest_to_farthest, side_of_share
from penstock.components.teaching.plots.theory import curves
from penstock.errors import DataError

Array = np.ndarray[Any, Any]

COLUMNS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
MAX_ASKED = 200
ROWS = 500
FAR = 0.5


def dimension(
    frame: pd.DataFrame | None,
    *,
    target: str | None = None,
    share: Chance = 0.1,
    levels: Annotated[int, Field(ge=2)] = 10,
    rows: Positive = ROWS,
    seed: int = 0,
) -> Found:
    """Even rows of more and more columns, and the table's own beside them.

    Examples
    --------
    >>> from penstock.components.diagnostics import find
    >>> round(find("dimension")(None, {"share": 0.1}).facts["sides"][10], 2)
    0.79
    """
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "columns": COLUMNS,
            "side of a cube with the share": [side_of_share(share, columns) for columns in COLUMNS],
            "nearest / farthest, even rows": [_ratio(rng.random((rows, columns)), rng) for columns in COLUMNS],
            "different rows": [_short(cells(levels, columns)) for columns in COLUMNS],
        }
    ).set_index("columns")
    findings = [
        f"A cube that holds {share:.4g} of all even rows has a side of {side_of_share(share, 10):.2f} of the whole "
        f"range in 10 columns, and of {side_of_share(share, 100):.2f} in 100: what is near in each column is rare.",
        f"Columns of {_short(levels)} levels each have {_short(cells(levels, 2))} different rows if there are two, and "
        f"{_short(cells(levels, 10))} if there are ten.",
    ]
    facts: dict[str, Any] = {"sides": table.iloc[:, 0].to_dict(), "ratios": table.iloc[:, 1].to_dict()}
    marks: dict[str, float] = {}
    if frame is not None:
        own = _numbers(frame, target)
        ratio = _ratio(own, rng)
        facts |= {"own_columns": own.shape[1], "own_ratio": ratio}
        marks = {"this table": own.shape[1]}
        near = (
            "near: neighbours tell something" if ratio < FAR else "hardly nearer than the farthest: beware of distances"
        )
        findings.append(
            f"In this table of {own.shape[1]} scaled columns, the nearest row is at {ratio:.2f} of the distance of the "
            f"farthest one, {near}."
        )
    figure = curves(
        "Everything is far from everything in many columns",
        list(COLUMNS),
        {str(name): table[name].tolist() for name in table.columns[:2]},
        across="Columns",
        up="Share",
        marks=marks,
        log=("x",),
    )
    return Found(findings, table, facts, figure)


def _numbers(frame: pd.DataFrame, target: str | None) -> Array:
    """Standardised columns of numbers without a gap, constant ones left out."""
    require_columns(frame, [] if target is None else [target])
    found = pd.DataFrame({name: numbers(frame[name]) for name in frame.columns if name != target}).dropna(axis=1)
    X = finite(found)
    X = X[:, X.std(axis=0) > 0] if X.size else X
    if X.shape[1] == 0 or len(X) < 3:
        raise DataError(
            "PEN076",
            f"there are {len(X)} rows and {X.shape[1]} whole columns of numbers that vary",
            where="the table",
            remedy="give a table of three rows and one such column at least, or none",
        )
    return np.asarray((X - X.mean(axis=0)) / X.std(axis=0))


def _short(count: int) -> str:
    """Of numbers that no float holds, too."""
    return f"{count:,}" if count < 10**6 else f"{Decimal(count):.2e}"


def _ratio(X: Array, rng: np.random.Generator) -> float:
    asked = rng.permutation(len(X))[:MAX_ASKED]
    return float(nearest_to_farthest(X, asked).mean())


DIAGNOSTIC = Diagnostic(
    name="dimension",
    summary="The curse of dimension: how near the nearest rows are, in even rows of many columns and in a table",
    function=dimension,
    parameters={
        "target": "a column to leave out",
        "share": "of rows that a cube should hold, by default 0.1",
        "levels": "that each column can have, by default 10",
        "rows": f"even rows that are drawn, by default {ROWS}",
        "seed": "of the draws",
    },
    needs_table=False,
)
