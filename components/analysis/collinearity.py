"""Whether least squares can be solved from these columns, how safely, and what to do where it cannot.

By rank(X) = rank(X'X), with a column of ones in X: full rank, the normal equations; fewer rows than columns, more rows
or a penalty; enough rows but singular, remove redundant columns; many columns, gradient descent; many rows, the same
on small batches. A penalty above zero gives a solution at any rank: few rows do not rule out ridge or lasso.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.linalg import qr

MANY_COLUMNS = 10_000
MANY_ROWS = 1_000_000
HIGH_CONDITION = 30.0  # Belsley's bound for strong dependencies among scaled columns
HIGH_INFLATION = 10.0
MAX_NAMED = 10
TOLERANCE = 1e-10

Branch = Literal["normal-equations", "more-rows-or-penalty", "remove-redundant", "gradient-descent", "mini-batches"]
ADVICE: dict[Branch, str] = {
    "normal-equations": "no column nearly follows from others: plain least squares can be solved directly",
    "more-rows-or-penalty": "there are fewer rows than columns: bring in more rows, or use a penalised model",
    "remove-redundant": "some columns follow from others: remove them, or use a penalised model",
    "gradient-descent": "there are very many columns: fit by gradient descent",
    "mini-batches": "there are very many rows: fit by gradient descent on small batches",
}
NEARLY = (
    "some columns nearly follow from others: leave some out, or use a penalised model; single coefficients of plain "
    "least squares mean little"
)


def decide(
    rank: int, rows: int, columns: int, *, many_columns: int = MANY_COLUMNS, many_rows: int = MANY_ROWS
) -> Branch:
    """The branch for a design of `columns` features and one intercept."""
    if rows < columns + 1:
        return "more-rows-or-penalty"
    if rank < columns + 1:
        return "remove-redundant"
    if columns >= many_columns:
        return "gradient-descent"
    return "mini-batches" if rows >= many_rows else "normal-equations"


def collinearity(numbers: pd.DataFrame, rows: int) -> dict[str, Any] | None:
    """Rank, condition number, and columns that follow from others, of scaled columns with means in their gaps."""
    names = [str(name) for name in numbers.columns]
    if not names:
        return None
    filled = numbers.fillna(numbers.mean()).to_numpy(dtype=np.float64)
    spread = filled.std(axis=0)
    scaled = (filled - filled.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    design = np.column_stack([np.ones(len(scaled)), scaled])
    sizes = np.linalg.svd(design, compute_uv=False)
    rank = int((sizes > TOLERANCE * sizes[0]).sum())
    singular = rank < design.shape[1]
    condition = None if singular else float(sizes[0] / sizes[-1])
    branch = decide(rank, rows, len(names))
    warning = singular or (condition is not None and condition > HIGH_CONDITION)
    inflation = [] if singular else _inflation(scaled, names)
    nearly = not singular and (warning or inflation)
    return {
        "rows": rows,
        "columns": len(names),
        "rank": rank,
        "condition": condition,
        "warning": warning,
        "branch": branch,
        "advice": NEARLY if nearly else ADVICE[branch],
        "redundant": _redundant(scaled, names) if singular else [],
        "inflation": inflation,
    }


def _redundant(scaled: np.ndarray[Any, Any], names: list[str]) -> list[str]:
    """Columns that others already span; of such a set the first ones stay."""
    _, steps, order = qr(scaled, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(steps))
    rank = int((sizes > TOLERANCE * max(sizes[0], 1.0)).sum())
    return sorted(names[place] for place in order[rank:])[:MAX_NAMED]


def _inflation(scaled: np.ndarray[Any, Any], names: list[str]) -> list[dict[str, Any]]:
    """Variance inflation factors above ten: how much wider a coefficient's interval is for the column's relatives."""
    if len(names) < 2:
        return []
    factors = np.diag(np.linalg.inv(np.corrcoef(scaled.T)))
    found: list[dict[str, Any]] = [
        {"column": name, "factor": float(factor)}
        for name, factor in zip(names, factors, strict=True)
        if factor > HIGH_INFLATION
    ]
    return sorted(found, key=lambda one: -one["factor"])[:MAX_NAMED]
