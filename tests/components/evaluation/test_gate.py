from __future__ import annotations

import numpy as np
import pytest

from penstock.components.evaluation.gate import decide
from penstock.components.evaluation.intervals import Interval, paired_interval
from penstock.components.evaluation.metrics import METRICS


def difference(value: float, low: float, high: float) -> Interval:
    return Interval(value=value, low=low, high=high, confidence=0.95)


@pytest.mark.parametrize(
    ("low", "value", "high", "rows", "verdict", "words"),
    [
        (0.001, 0.02, 0.04, 500, "promote", "is better"),
        (0.001, 0.002, 0.003, 500, "promote", "is better"),
        (0.0, 0.02, 0.04, 500, "inconclusive", "or none at all"),
        (-0.01, 0.02, 0.04, 500, "inconclusive", "or none at all"),
        (-0.02, 0.0, 0.006, 500, "inconclusive", "or none at all"),
        (-0.004, 0.0, 0.004, 500, "hold", "no gain above the margin of 0.005"),
        (-0.03, -0.01, 0.005, 500, "hold", "no gain above the margin of 0.005"),
        (0.0, 0.0, 0.0, 500, "hold", "no gain above the margin of 0.005"),
        (-0.03, -0.02, -0.01, 500, "hold", "is worse"),
        (0.1, 0.2, 0.3, 49, "inconclusive", "too few rows"),
        (0.1, 0.2, 0.3, 50, "promote", "is better"),
        (-0.3, -0.2, -0.1, 49, "inconclusive", "too few rows"),
    ],
)
def test_verdicts(low: float, value: float, high: float, rows: int, verdict: str, words: str) -> None:
    decided = decide(difference(value, low, high), margin=0.005, rows=rows)
    assert decided.verdict == verdict
    assert words in decided.reason


def test_the_reason_gives_the_numbers() -> None:
    reason = decide(difference(0.0213, 0.0049, 0.0402), margin=0.005, rows=812).reason
    assert "+0.0213, 95 % interval +0.0049 to +0.0402, on 812 rows" in reason


def test_an_identical_model_is_held_without_a_margin() -> None:
    assert decide(difference(0.0, 0.0, 0.0), margin=0.0, rows=500).verdict == "hold"


def verdicts(gain: float, runs: int, rows: int) -> dict[str, float]:
    """Champion right in 80 % of rows, challenger in `gain` more, with most of their errors in common."""
    rng = np.random.default_rng(7)
    y = np.ones(rows, dtype=int)
    found = {"promote": 0.0, "hold": 0.0, "inconclusive": 0.0}
    for seed in range(runs):
        hard, own, theirs = rng.random((3, rows))
        right = [(hard > 0.15) & (own > 0.05 / 0.85 - gain / 0.85), (hard > 0.15) & (theirs > 0.05 / 0.85)]
        ours, champion = (np.column_stack([1 - sure, sure]).astype(float) for sure in right)
        interval = paired_interval(METRICS["accuracy"], y, ours, champion, seed=seed, resamples=200)
        found[decide(interval, margin=0.005, rows=rows).verdict] += 1 / runs
    return found


def test_equal_models_are_rarely_promoted() -> None:
    assert verdicts(0.0, runs=300, rows=200)["promote"] <= 0.05


def test_better_models_are_promoted_and_worse_ones_are_not() -> None:
    assert verdicts(0.045, runs=40, rows=600)["promote"] > 0.8
    worse = verdicts(-0.05, runs=40, rows=600)
    assert worse["promote"] == 0
    assert worse["hold"] > 0.8
