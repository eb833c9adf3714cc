"""The dual of a support vector machine to its last digits: libsvm comes near, and the rows on the edge are solved for.

Where libsvm does not come near enough to tell which rows are on the edge, interior points do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.kernels.losses import row_weights
from penstock.components.kernels.nearly import nearly
from penstock.components.kernels.quadratic import Solved, settle, solve_box
from penstock.components.svm.optimum import separable

Array = np.ndarray[Any, Any]


def exact(gram: Array, signs: Array, upper: Array, biased: bool) -> Solved | None:
    """Multipliers of all rows; None where upper bounds are infinite and nothing separates the rows."""
    hard = not np.isfinite(upper).all()
    if not biased and not hard:
        return Solved(signs * row_weights(gram, signs, "hinge", 0.5, upper), 1)
    if biased and (found := _from_libsvm(gram, signs, upper)):
        return found
    if hard and not separable(gram, signs, biased):
        return None
    return solve_box(signs[:, None] * gram * signs, -np.ones(len(signs)), upper, signs if biased else None)


def _from_libsvm(gram: Array, signs: Array, upper: Array) -> Solved | None:
    """An optimum if one is found: then, with a hard margin, something separates the rows."""
    near = nearly(gram, signs, upper)
    box = (np.minimum(signs * upper, 0.0), np.maximum(signs * upper, 0.0))
    found = settle(gram, -signs, box, near.weights, np.ones(len(signs)), near.bias)
    return None if found is None else Solved(signs * found, near.steps)
