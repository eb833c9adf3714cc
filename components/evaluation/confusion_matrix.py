"""Which classes are taken for which: the confusion matrix and what follows from it, class by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn import metrics as sk

Array = np.ndarray[Any, Any]

ORIENTATION = "true classes in rows, answers in columns"


def quality(y: Array, predictions: Array, classes: Sequence[object], weight: Array | None = None) -> dict[str, Any]:
    """Counts of rows (or of their weights); precision, recall and F1 of each class; their averages."""
    codes = np.arange(len(classes))
    given = {"labels": codes, "sample_weight": weight, "zero_division": 0}
    by_class = sk.precision_recall_fscore_support(y, predictions, **given)
    averages = {
        average: dict(
            zip(
                ("precision", "recall", "f1"),
                map(float, sk.precision_recall_fscore_support(y, predictions, average=average, **given)[:3]),
                strict=True,
            )
        )
        for average in ("macro", "micro")
    }
    return {
        "orientation": ORIENTATION,
        "matrix": sk.confusion_matrix(y, predictions, labels=codes, sample_weight=weight).tolist(),
        "classes": [
            {"class": label, "precision": float(p), "recall": float(r), "f1": float(f), "rows": int((y == code).sum())}
            for code, label, p, r, f in zip(codes, classes, *by_class[:3], strict=True)
        ],
        **averages,
    }
