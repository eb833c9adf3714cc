"""A row of weight 2 counts as two rows, in every score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.evaluation.intervals import bootstrap_interval, paired_interval
from penstock.components.evaluation.metrics import METRICS
from penstock.components.evaluation.selection import correct_for_selection
from penstock.errors import DataError

Array = np.ndarray[Any, Any]
TWO_CLASSES = [name for name, judge in METRICS.items() if judge.fits(2)]
# The largest error is that of one row, however much it counts.
QUANTITIES = [name for name, judge in METRICS.items() if judge.target == "quantity" and name != "neg_max_error"]


def task(name: str, seed: int = 7, rows: int = 200) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(seed)
    weight = rng.integers(0, 6, rows).astype(float)
    if name in QUANTITIES:
        y = rng.normal(size=rows)
        return y, y + rng.normal(size=rows), weight
    y = rng.integers(0, 2, rows)
    score = np.clip(0.3 * y + 0.7 * rng.random(rows), 0.01, 0.99)
    return y, np.column_stack([1 - score, score]), weight


@pytest.mark.parametrize("name", TWO_CLASSES + QUANTITIES)
def test_a_weight_is_so_many_copies(name: str) -> None:
    y, prediction, weight = task(name)
    copies = np.repeat(np.arange(len(y)), weight.astype(int))
    weighted = bootstrap_interval(METRICS[name], y, prediction, weight=weight, seed=0, resamples=200)
    copied = bootstrap_interval(METRICS[name], y[copies], prediction[copies], seed=0, resamples=200)
    assert weighted.value == pytest.approx(copied.value, rel=1e-12)
    assert weighted.value != pytest.approx(METRICS[name].function(y, prediction), rel=1e-3)
    assert weighted.low < weighted.value < weighted.high
    # The rows drawn are the rows there are: copies would pretend to more evidence.
    assert weighted.high - weighted.low > copied.high - copied.low


@pytest.mark.parametrize("name", ["roc_auc", "r2"])
def test_equal_weights_change_nothing(name: str) -> None:
    y, prediction, _ = task(name)
    plain = bootstrap_interval(METRICS[name], y, prediction, seed=0, resamples=200)
    equal = bootstrap_interval(METRICS[name], y, prediction, weight=np.full(len(y), 2.0), seed=0, resamples=200)
    assert [equal.value, equal.low, equal.high] == pytest.approx([plain.value, plain.low, plain.high], rel=1e-12)


def test_the_difference_of_two_models_is_weighted() -> None:
    y, ours, weight = task("roc_auc")
    _, theirs, _ = task("roc_auc", seed=4)
    judge = METRICS["roc_auc"]
    difference = paired_interval(judge, y, ours, theirs, weight=weight, seed=0, resamples=200)
    assert difference.value == pytest.approx(judge.function(y, ours, weight) - judge.function(y, theirs, weight))


def test_the_pick_and_its_correction_are_weighted() -> None:
    """Each candidate is right on one half of the rows; the weights decide which half counts."""
    y = np.tile([0, 1], 100)
    half = np.arange(200) < 100
    right = np.column_stack([1.0 - y, y]) * 0.98 + 0.01
    candidates = [np.where((half == side)[:, None], right, right[:, ::-1]) for side in (True, False)]
    weight = np.where(half, 9.0, 1.0)
    found = correct_for_selection(METRICS["accuracy"], y, candidates, weight=weight, seed=0, resamples=200)
    assert found.naive == pytest.approx(0.9)
    assert found.corrected.value == pytest.approx(0.9, abs=0.02)


def test_weights_of_nothing_but_zero_judge_nothing() -> None:
    y, prediction, weight = task("accuracy")
    with pytest.raises(DataError) as caught:
        bootstrap_interval(METRICS["accuracy"], y, prediction, weight=0 * weight, seed=0)
    assert caught.value.code == "PEN129"
