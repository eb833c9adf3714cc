"""Whether a model answers recent rows worse than the test rows, when their labels have come."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.drift.compare import Comparison, Family
from penstock.components.drift.windows import Windows
from penstock.components.evaluation.metrics import Metric
from penstock.components.evaluation.scorers import scorer_of

Array = np.ndarray[Any, Any]


def compare_scores(
    metric: Metric, y: Array, prediction: Array, windows: Windows, weight: Array | None = None
) -> Family:
    """How much lower the score is in the batch than on the other rows; a better one is no alarm.

    A window that does not define the metric, such as one with a single class, tells nothing and is left out.
    """
    score = scorer_of(metric, y, prediction, weight)
    lost = score((~windows).astype(float)) - score(windows.astype(float))
    chance = lost[1:][~np.isnan(lost[1:])]
    p = 1.0 if np.isnan(lost[0]) else float((1 + (chance >= lost[0]).sum()) / (1 + len(chance)))
    fall = Comparison(kind="score", column=metric.name, statistic=float(np.nan_to_num(lost[0])), p=p)
    return Family(name="performance", p=p, found=[fall])
