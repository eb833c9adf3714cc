"""Whether a matrix of dissimilarities is one."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.matrix import Matrix, square
from penstock.errors import DataError


def distance_validity(frame: pd.DataFrame, *, similarity: bool = False, tolerance: float = 1e-9) -> Found:
    """What is required is refused where it fails; symmetry is made, the triangle inequality only told.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame([[0.0, 1.0, 3.0], [1.0, 0.0, 1.0], [3.0, 1.0, 0.0]])
    >>> find("distance-validity")(table).facts["triangles_broken"]
    1
    """
    names, matrix = square(frame)
    _require_not_negative(names, matrix)
    _require_diagonal(names, matrix, similarity, tolerance)
    asymmetry = float(np.abs(matrix - matrix.T).max())
    even = (matrix + matrix.T) / 2
    kind = "similarity" if similarity else "dissimilarity"
    findings = [f"{len(matrix)} things: no {kind} is negative, and the diagonal is as it must be."]
    if asymmetry > tolerance:
        uneven = int((np.abs(matrix - matrix.T) > tolerance).sum()) // 2
        findings.append(
            f"{uneven} pairs differ by direction, by {asymmetry:.6g} at most: the table below is (D + Dᵀ)/2, which is "
            "symmetric."
        )
    else:
        findings.append("It is symmetric.")
    facts = {"symmetric": asymmetry <= tolerance, "largest_asymmetry": asymmetry}
    if not similarity:
        broken, worst = _triangles(even, tolerance)
        facts |= {"triangles_broken": broken, "worst_excess": worst}
        findings.append(
            f"{broken} times a detour over a third thing is shorter, by {worst:.6g} at most: the triangle inequality "
            "does not hold. It is not required; methods that need a metric should not be given this."
            if broken
            else "The triangle inequality holds: it is a metric."
        )
    return Found(findings, pd.DataFrame(even, index=pd.Index(names, name="name"), columns=names), facts)


def _require_not_negative(names: list[str], matrix: Matrix) -> None:
    row, column = np.unravel_index(matrix.argmin(), matrix.shape)
    if matrix[row, column] < 0:
        raise DataError(
            "PEN225",
            f"{int((matrix < 0).sum())} value(s) are negative, the lowest is {matrix[row, column]:g}",
            where=f"'{names[row]}' to '{names[column]}' (row {row}, column {column}, counted from 0)",
            remedy="a dissimilarity or similarity is never negative: correct these values, or shift them all",
        )


def _require_diagonal(names: list[str], matrix: Matrix, similarity: bool, tolerance: float) -> None:
    own = np.diag(matrix)
    off = matrix.max(axis=1) - own if similarity else own
    worst = int(off.argmax())
    if off[worst] > tolerance:
        what = (
            "is more similar to another thing than to itself" if similarity else f"differs from itself by {off.max():g}"
        )
        raise DataError(
            "PEN226",
            f"'{names[worst]}' {what}",
            where=f"row {worst}, column {worst} (counted from 0)",
            remedy="correct the diagonal; is this a matrix of similarities? Then say --set similarity=true"
            if not similarity
            else "correct the diagonal; is this a matrix of dissimilarities? Then leave similarity out",
        )


def _triangles(matrix: Matrix, tolerance: float) -> tuple[int, float]:
    """How many ordered pairs and thirds break d(i,j) <= d(i,k) + d(k,j), each pair counted once; the worst excess."""
    broken, worst = 0, 0.0
    for third in range(len(matrix)):
        excess = matrix - (matrix[:, third, None] + matrix[third])
        broken += int((excess > tolerance).sum()) // 2
        worst = max(worst, float(excess.max()))
    return broken, worst if broken else 0.0


DIAGNOSTIC = Diagnostic(
    name="distance-validity",
    summary="Whether a square table of dissimilarities is one; made symmetric where it is not",
    function=distance_validity,
    parameters={
        "similarity": "true where large means alike: then the diagonal must be the largest value of its row",
        "tolerance": "how far from zero still counts as zero, by default 1e-9",
    },
    syllabus=("proc_distance_validity",),
)
