"""Predictions in one shape, whatever the model."""

from __future__ import annotations

from typing import Any

import numpy as np


def predict(model: Any, matrix: Any, n_classes: int) -> np.ndarray[Any, Any]:
    """Probabilities in the order of the schema's classes, also where training rows lacked one; or values."""
    if not n_classes:
        return np.asarray(model.predict(matrix), dtype=float)
    probabilities = np.zeros((len(matrix), n_classes))
    probabilities[:, model.classes_] = model.predict_proba(matrix)
    return probabilities
