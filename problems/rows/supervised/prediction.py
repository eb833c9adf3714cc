"""Predictions in one shape, whatever the model."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def predict(model: Any, matrix: Any, n_classes: int) -> Array:
    """Probabilities in the order of the schema's classes, also where training rows lacked one; or values."""
    if not n_classes:
        return np.asarray(model.predict(matrix), dtype=float)
    return with_all_classes(model.predict_proba(matrix), model.classes_, n_classes)


def with_all_classes(known: Array, classes: Array, n_classes: int) -> Array:
    """`classes`: those that the columns of `known` belong to; the others have no probability."""
    probabilities = np.zeros((len(known), n_classes))
    probabilities[:, classes] = known
    return probabilities
