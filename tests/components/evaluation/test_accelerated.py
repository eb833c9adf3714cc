from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from penstock.components.evaluation.accelerated import MAX_LOTS, adjusted_ends, leaving_out


def test_leaves_out_one_unit_at_a_time() -> None:
    unit_of_row = np.array([0, 1, 1, 2])
    weights = np.concatenate(list(leaving_out(unit_of_row, 3, seed=0, at_once=2)))
    assert weights.tolist() == [[0, 1, 1, 1], [1, 0, 0, 1], [1, 1, 1, 0]]


def test_leaves_out_lots_where_units_are_many() -> None:
    weights = np.concatenate(list(leaving_out(np.arange(1000), 1000, seed=0, at_once=77)))
    assert weights.shape == (MAX_LOTS, 1000)
    assert (weights.sum(axis=1) == 995).all()
    assert ((1 - weights).sum(axis=0) == 1).all()


def test_equals_scipy_but_for_the_stretch() -> None:
    rng = np.random.default_rng(0)
    values = rng.random(60) ** 2
    draws = values[rng.integers(60, size=(20_000, 60))].mean(axis=1)
    without = (values.sum() - values) / 59
    # Of a million units the stretch is nothing.
    low, high = adjusted_ends(values.mean(), draws, without, 1_000_000, 0.95)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, rng=1, method="BCa").confidence_interval
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=0.005)
    wider = adjusted_ends(values.mean(), draws, without, 10, 0.95)
    assert wider[0] < low
    assert wider[1] > high


def test_is_students_interval_of_a_symmetric_mean() -> None:
    """Ten units: percentiles would reach 1.96 standard errors of the resamples; t has it 2.26 of the unbiased ones."""
    rng = np.random.default_rng(1)
    values = np.concatenate([np.arange(1.0, 6.0), -np.arange(1.0, 6.0)])
    draws = values[rng.integers(10, size=(200_000, 10))].mean(axis=1)
    low, high = adjusted_ends(0.0, draws, -values / 9, 10, 0.95)
    factor = stats.t.ppf(0.975, 9) * values.std(ddof=1) / np.sqrt(10)
    assert (low, high) == pytest.approx((-factor, factor), rel=0.05)


def test_reaches_further_where_a_few_rows_do_most() -> None:
    """The same resamples, once from even rows and once from rows of which one in fifty is ten times as far away."""
    draws = np.random.default_rng(2).normal(size=4000)
    even, uneven = np.tile([1.0, -1.0], 100), np.tile([10.0, *[0.1, -0.1] * 24, -10.0], 4)
    near = adjusted_ends(0.0, draws, even, 200, 0.95)
    far = adjusted_ends(0.0, draws, uneven, 200, 0.95)
    # Kurtosis 25: 400 / 24 degrees of freedom, and t of 16.7 is 2.11.
    assert near[1] == pytest.approx(1.97, abs=0.12)
    assert far[1] == pytest.approx(2.11, abs=0.12)
    assert far[0] < near[0] < near[1] < far[1]


def test_scores_that_are_all_the_same() -> None:
    assert adjusted_ends(1.0, np.ones(100), np.ones(20), 20, 0.95) == (1.0, 1.0)
    assert adjusted_ends(1.0, np.ones(100), np.empty(0), 20, 0.95) == (1.0, 1.0)


@pytest.mark.parametrize("confidence", [0.95, 0.975, 0.99])
def test_one_row_that_does_almost_all_does_not_turn_the_interval_round(confidence: float) -> None:
    """A little better on 99 rows, terrible on one: nothing says that it is better."""
    gains = np.array([0.03] * 99 + [-36.0])
    draws = gains[np.random.default_rng(0).integers(100, size=(4000, 100))].mean(axis=1)
    low, high = adjusted_ends(gains.mean(), draws, (gains.sum() - gains) / 99, 100, confidence)
    assert low < gains.mean() < 0 < high
