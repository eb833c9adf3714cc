"""The Gram matrix: whether it fits, whether weights by row or by column are fewer, and whether it is a kernel's."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, Any]

MAX_BYTES = 8 * 32_000**2
"""The largest Gram matrix that is tried: 8 GB, of 32,000 rows."""
MOSTLY, ALL_BUT_ROUNDING = 0.5, 1 - 1e-6  # of the length of rows
TINY = 1e-150


def gram_bytes(rows: int) -> int:
    """What a matrix of rows by rows takes in double precision."""
    return 8 * rows**2


def road(rows: int, columns: int) -> Literal["primal", "dual", "neither"]:
    """Solve for a weight of each column, or of each row where those are fewer; else take random features or SGD."""
    if gram_bytes(min(rows, columns)) > MAX_BYTES:
        return "neither"
    return "dual" if rows < columns else "primal"


def require_gram(rows: int) -> None:
    """Refuse a Gram matrix that would not fit, before it is begun."""
    if gram_bytes(rows) > MAX_BYTES:
        raise ValueError(
            f"a matrix of {rows} by {rows} rows takes {gram_bytes(rows) / 1e9:,.0f} GB: take at most "
            f"{int((MAX_BYTES / 8) ** 0.5)} rows, or a method without such a matrix, as ridge or gradient boosting"
        )


def centred(gram: Array) -> Array:
    """The matrix of rows around their mean, if they share most of their length; a free bias makes it the same problem.

    What all rows share says nothing of them, and takes the digits that tell them apart.
    """
    means = gram.mean(axis=0)
    shared, whole = float(means.mean()), float(gram.diagonal().mean())
    if not MOSTLY < shared / max(whole, TINY) < ALL_BUT_ROUNDING:
        return gram
    means -= shared / 2
    return np.asarray(gram - np.add.outer(means, means))


def require_kernel(gram: Array, tolerance: float = 1e-8) -> None:
    """Refuse a matrix of training rows that no kernel gives: not symmetric, or with a negative eigenvalue."""
    if gram.shape[0] != gram.shape[1]:
        raise ValueError(f"a kernel of {gram.shape[0]} training rows has as many columns, not {gram.shape[1]}")
    size = max(1.0, float(np.abs(gram).max()))
    if np.abs(gram - gram.T).max() > tolerance * size:
        raise ValueError("this matrix is no kernel: it is not symmetric")
    least = float(np.linalg.eigvalsh(gram)[0])
    if least < -tolerance * size * len(gram):
        raise ValueError(f"this matrix is no kernel: its least eigenvalue is {least:.6g}, and none may be negative")
