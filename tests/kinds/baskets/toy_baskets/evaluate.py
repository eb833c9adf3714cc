"""How often users that were set apart have bought what is recommended."""

from __future__ import annotations

from penstock.document.candidates import Score
from penstock.problems.training import Evaluated, EvaluateInput, Scores
from toy_baskets.hits import LABEL, METRIC, hits, mean_interval


def evaluate(given: EvaluateInput) -> Evaluated:
    apart, seen = (hits(given.model.pipeline, units.frame) for units in (given.test, given.training))
    score = Score(**mean_interval(apart.predicted["share"]).model_dump(), label=LABEL, sign=1)
    in_sample = {METRIC: float(seen.predicted["share"].mean())}
    return Evaluated(apart, Scores(metrics={METRIC: score}, in_sample=in_sample))
