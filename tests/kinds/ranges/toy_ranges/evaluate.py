"""There are no rows to evaluate on: only what holds of the rows trained on."""

from __future__ import annotations

import numpy as np

from penstock.evidence.evidence import Evidence
from penstock.problems.training import Evaluated, EvaluateInput, Scores


def evaluate(given: EvaluateInput) -> Evaluated:
    held = given.model.pipeline.predict(given.training.frame).mean()
    return Evaluated(Evidence(np.empty(0), {}), Scores(metrics={}, in_sample={"held": float(held)}))
