"""The dual of a support vector machine to its last digits: libsvm comes near, and the rows on the edge are solved for.

Where libsvm does not come near enough to tell which rows are on the edge, interior points do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.kernels.losses import row_weights
from penstock.components.kernels.nearly import nearly
from penstock.components.kernels.quadratic import Solved, settle, solve_box
from penstock.components.svm.optimum import separable, separable_by_kernel

Array = np.ndarray[Any, Any]


def exact(gram: Array, signs: Array, upper: Array, biased: bool, columns: Array | None = None) -> Solved | None:
    """Multipliers of all rows; None where upper bounds are infinite and nothing separates the rows.

    `columns` are those of the linear kernel, which tell that at once if they are few.
    """
    hard = not np.isfinite(upper).all()
    if not biased and not hard:
        return Solved(signs * row_weights(gram, signs, "hinge", 0.5, upper), 1)
    if hard and columns is not None and not separable(columns, signs, biased):
        return None
    if biased and (found := _from_libsvm(gram, signs, upper)):
        return found
    known = columns is not None or separable_by_kernel(gram, signs, biased) if hard else True
    if known is False:
        return None
    found = solve_box(signs[:, None] * gram * signs, -np.ones(len(signs)), upper, signs if biased else None)
    return found if known or _separates(gram @ (found.alpha * signs), signs, biased) else None


def separated(gram: Array, signs: Array, columns: Array | None = None) -> bool:
    """Whether a boundary with a bias separates the rows, for solvers that would look for it without end."""
    known = separable_by_kernel(gram, signs) if columns is None else separable(columns, signs)
    return known if known is not None else exact(gram, signs, np.full(len(signs), np.inf), True) is not None


def _separates(scores: Array, signs: Array, biased: bool) -> bool:
    if not biased:
        return bool((signs * scores > 0).all())
    return bool(scores[signs > 0].min() > scores[signs < 0].max())


def _from_libsvm(gram: Array, signs: Array, upper: Array) -> Solved | None:
    """An optimum if one is found: then, with a hard margin, something separates the rows."""
    near = nearly(gram, signs, upper)
    box = (np.minimum(signs * upper, 0.0), np.maximum(signs * upper, 0.0))
    found = settle(gram, -signs, box, near.weights, np.ones(len(signs)), near.bias)
    return None if found is None else Solved(signs * found, near.steps)
