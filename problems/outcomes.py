"""What came true of rows that a model has predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.metrics import Metric

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Outcomes:
    """The rows whose outcome is known, what it is, and what was predicted of them, as the metric scores it."""

    rows: pd.DataFrame
    true: Array
    predicted: Array
    metric: Metric
