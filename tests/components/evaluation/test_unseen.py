"""A perfect score of few rows is not certain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from penstock.components.evaluation.coverage import coverage
from penstock.components.evaluation.intervals import bootstrap_interval, paired_interval
from penstock.components.evaluation.metrics import METRICS
from penstock.components.evaluation.selection import correct_for_selection
from penstock.components.evaluation.unseen import effective_units, unseen_ends, unseen_share

Array = np.ndarray[Any, Any]


def perfect(rows: int, positives: int, seed: int = 0) -> tuple[Array, Array]:
    y = (np.arange(rows) < positives).astype(int)
    p = np.where(y == 1, 0.7, 0.1) + 0.2 * np.random.default_rng(seed).random(rows)
    return y, np.column_stack([1 - p, p])


def test_the_share_is_that_of_clopper_and_pearson() -> None:
    for rows in (1, 10, 300):
        exact = binomtest(rows, rows).proportion_ci(0.95, method="exact")
        assert 1 - unseen_share(rows, 0.95) == pytest.approx(exact.low)
    assert 100 * unseen_share(100, 0.95) == pytest.approx(3.69, abs=0.1)


def test_what_rows_are_worth() -> None:
    assert effective_units(30) == 30
    assert effective_units(30, weight=np.repeat([1.0, 0.0], 15)) == 15
    assert effective_units(30, groups=np.arange(30) // 3) == 10
    assert effective_units(30, weight=np.repeat([1.0, 3.0], 15)) == pytest.approx(24)
    assert effective_units(2, weight=np.zeros(2)) == 0


@pytest.mark.parametrize(("name", "low"), [
    ("accuracy", 1 - 40 / 100 * (1 - 0.025 ** (1 / 40))),
    ("recall", 0.025 ** (1 / 40)),
    ("specificity", 0.025 ** (1 / 60)),
    ("balanced_accuracy", (1 + 0.025 ** (1 / 40)) / 2),
    ("roc_auc", 0.025 ** (1 / 40)),
])  # fmt: skip
def test_a_perfect_score_reaches_down_to_what_so_few_rows_may_miss(name: str, low: float) -> None:
    y, prediction = perfect(100, 40)
    interval = bootstrap_interval(METRICS[name], y, prediction, seed=0)
    assert (interval.value, interval.high) == (1.0, 1.0)
    assert interval.low == pytest.approx(low, abs=2e-3)


def test_the_interval_of_a_perfect_score_holds_the_truth() -> None:
    """A model that errs in 2 % of the rows, on draws of 50 of them: half of the draws show no error."""
    rng = np.random.default_rng(0)
    held = {"all": 0, "perfect": 0, "of perfect": 0}
    for seed in range(150):
        wrong = rng.random(50) < 0.02
        y = np.arange(50) % 2
        answers = np.where(wrong, 1 - y, y)
        interval = bootstrap_interval(METRICS["accuracy"], y, np.eye(2)[answers], seed=seed, resamples=100)
        holds = interval.low <= 0.98 <= interval.high
        held["all"] += holds
        held["perfect"] += not wrong.any()
        held["of perfect"] += holds and not wrong.any()
    assert held["perfect"] > 30
    assert held["of perfect"] == held["perfect"]


def test_groups_and_weights_make_it_wider() -> None:
    y, prediction = perfect(100, 50)
    plain = bootstrap_interval(METRICS["roc_auc"], y, prediction, seed=0)
    grouped = bootstrap_interval(METRICS["roc_auc"], y, prediction, groups=np.arange(100) // 10, seed=0)
    heavy = np.where(np.arange(100) % 10 == 0, 20.0, 0.1)
    weighted = bootstrap_interval(METRICS["roc_auc"], y, prediction, weight=heavy, seed=0)
    assert 1 - grouped.low > 5 * (1 - plain.low)
    assert 1 - weighted.low > 5 * (1 - plain.low)


def test_nothing_right_may_be_something() -> None:
    y, prediction = perfect(60, 20)
    interval = bootstrap_interval(METRICS["recall"], y, prediction[:, ::-1], seed=0)
    assert (interval.value, interval.low) == (0.0, 0.0)
    assert interval.high == pytest.approx(1 - 0.025 ** (1 / 20))


def test_what_always_says_the_same_can_say_nothing_else() -> None:
    y = np.arange(40) % 2
    same = np.tile([0.4, 0.6], (40, 1))
    assert unseen_ends(METRICS["roc_auc"], y, same, 0.95) == (0.5, 0.5)
    values = np.linspace(0, 1, 40)
    assert unseen_ends(METRICS["r2"], values, values, 0.95) == (1.0, 1.0)


def test_three_classes() -> None:
    y = np.arange(90) % 3
    prediction = 0.8 * np.eye(3)[y] + np.random.default_rng(0).dirichlet(np.ones(3), 90) * 0.2
    for name in ("accuracy", "f1_macro", "roc_auc_ovr", "neg_log_loss"):
        low, high = unseen_ends(METRICS[name], y, prediction, 0.95)
        value = METRICS[name].function(y, prediction)
        assert low < value - 0.02
        assert high >= value


def test_two_perfect_models_may_differ() -> None:
    y, ours = perfect(80, 40)
    theirs = perfect(80, 40, seed=1)[1]
    interval = paired_interval(METRICS["accuracy"], y, ours, theirs, seed=0)
    assert interval.value == 0
    assert interval.low == pytest.approx(-interval.high)
    assert 0.03 < interval.high < 0.06


def test_the_corrected_score_of_perfect_candidates_has_a_width() -> None:
    y, first = perfect(80, 40)
    found = correct_for_selection(METRICS["roc_auc"], y, [first, perfect(80, 40, seed=1)[1]], seed=0, resamples=100)
    assert (found.naive, found.corrected.value, found.corrected.high) == (1.0, 1.0, 1.0)
    assert found.corrected.low < 0.95
    assert all(one.low < 0.95 for one in found.candidates)


def test_whole_coverage_of_groups_is_not_certain() -> None:
    found = coverage(np.ones(60, dtype=bool), np.ones(60), groups=np.arange(60) // 3, seed=0)["share"]
    assert (found["value"], found["high"]) == (1.0, 1.0)
    assert found["low"] == pytest.approx(0.025 ** (1 / 20))
