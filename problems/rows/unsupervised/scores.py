"""Scores that are a ratio of sums over rows, as evidence: what each row adds to either sum."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.evaluation.unsupervised.row_scores import RowScores
from penstock.evidence.evidence import Evidence

Array = np.ndarray[Any, Any]


def evidence_of(scores: RowScores, units: Array, groups: Array | None) -> Evidence:
    return Evidence(units, {"gain": scores.gain, "base": scores.base}, groups=groups)


def scores_of(evidence: Evidence) -> RowScores:
    return RowScores(evidence.predicted["gain"], evidence.predicted["base"])
