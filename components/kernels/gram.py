"""Weights by column or by row: which of the two is smaller, and when neither matrix can be had."""

from __future__ import annotations

from typing import Literal

SYLLABUS = ("proc_primal_or_dual",)

MOST_BYTES = 8 * 32_000**2
"""The largest Gram matrix that is tried: 8 GB, of 32,000 rows."""


def gram_bytes(rows: int) -> int:
    """What a matrix of rows by rows takes in double precision."""
    return 8 * rows**2


def road(rows: int, columns: int) -> Literal["primal", "dual", "neither"]:
    """Solve for a weight of each column, or of each row where those are fewer; else take random features or SGD."""
    if gram_bytes(min(rows, columns)) > MOST_BYTES:
        return "neither"
    return "dual" if rows < columns else "primal"


def require_gram(rows: int) -> None:
    """Refuse a Gram matrix that would not fit, before it is begun."""
    if gram_bytes(rows) > MOST_BYTES:
        raise ValueError(
            f"a matrix of {rows} by {rows} rows takes {gram_bytes(rows) / 1e9:,.0f} GB: take at most "
            f"{int((MOST_BYTES / 8) ** 0.5)} rows, or a method without such a matrix, as ridge or gradient boosting"
        )
