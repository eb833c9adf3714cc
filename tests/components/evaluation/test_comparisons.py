"""Which differences between candidates are more than chance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from penstock.components.evaluation.comparisons import (
    against_on_folds,
    against_on_rows,
    corrected_error,
    fold_interval,
    holm,
    mcnemar,
    with_holm,
)


def test_the_corrected_error_is_that_of_nadeau_and_bengio() -> None:
    scores = [0.81, 0.79, 0.84, 0.80, 0.76]
    by_hand = math.sqrt((1 / 5 + 1 / 4) * 0.00085)
    assert corrected_error(scores, 0.25) == pytest.approx(by_hand)
    interval = fold_interval(scores, 0.25)
    assert interval is not None
    assert interval.high - interval.value == pytest.approx(2.7764451 * by_hand)
    assert fold_interval([0.8], 0.25) is None


def test_without_shared_rows_the_test_is_the_paired_t_test() -> None:
    first, second = [3.1, 2.9, 3.4, 3.0], [2.8, 3.0, 3.1, 2.7]
    known = stats.ttest_rel(first, second)
    found = against_on_folds(first, second, 0.0)
    assert found.p == pytest.approx(known.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(known.confidence_interval(0.95)))


def test_equal_scores_are_alike_and_a_constant_gap_is_not() -> None:
    assert against_on_folds([1.0, 2.0], [1.0, 2.0], 0.5).p == 1.0
    assert against_on_folds([2.0, 3.0], [1.0, 2.0], 0.5).p == 0.0


def test_of_equal_candidates_about_one_in_twenty_is_called_different() -> None:
    """Ten draws of a tenth of the rows: where two candidates are equal, their scores differ by the rows alone."""
    rng = np.random.default_rng(0)
    plain, corrected = 0, 0
    for _ in range(300):
        rows = rng.normal(size=200)
        folds = [rows[rng.permutation(200)[:20]].mean() for _ in range(10)]
        plain += stats.ttest_1samp(folds, 0).pvalue < 0.05
        corrected += against_on_folds(folds, [0.0] * 10, 20 / 180).p < 0.05
    assert corrected / 300 <= 0.06 < plain / 300


def test_resampled_rows_decide_where_there_are_no_folds() -> None:
    resampled = np.random.default_rng(0).normal(0.1, 0.02, size=400)
    found = against_on_rows(0.9, 0.8, resampled, 0.0)
    assert found.test == "rows"
    assert found.p < 1e-4
    assert (found.low, found.high) == pytest.approx((0.061, 0.139), abs=0.004)
    assert against_on_rows(0.9, 0.8, resampled, 3.0).p > found.p
    assert against_on_rows(0.9, 0.8, np.full(5, np.nan), 0.0).p == 1.0


def test_mcnemar_counts_the_rows_on_which_only_one_is_right() -> None:
    y = np.repeat([1, 0], [12, 8])
    winner = np.eye(2)[np.where(np.arange(20) < 18, y, 1 - y)]  # wrong in the last two
    other = np.eye(2)[np.where(np.arange(20) >= 10, y, 1 - y)]  # wrong in the first ten
    found = mcnemar(y, winner, other)
    assert (found.only_winner, found.only_other) == (10, 2)
    assert found.p == pytest.approx(2 * sum(math.comb(12, k) for k in range(3)) / 2**12)
    assert mcnemar(y, winner, winner).p == 1.0


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.6]) == [1.0, 1.0]
    assert holm([]) == []


def test_a_difference_that_only_many_candidates_explain_is_alike() -> None:
    rng = np.random.default_rng(1)
    folds = rng.normal(0.8, 0.02, size=5)
    near, far = folds - rng.normal(0.02, 0.014, 5), folds - rng.normal(0.3, 0.01, 5)
    alone = with_holm([against_on_folds(folds, near, 0.0)])
    assert not alone[0].alike
    crowd = with_holm([against_on_folds(folds, near, 0.0) for _ in range(200)] + [against_on_folds(folds, far, 0.0)])
    assert crowd[0].alike
    assert not crowd[-1].alike
