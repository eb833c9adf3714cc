from __future__ import annotations

import numpy as np
import pytest

from penstock.components.evaluation.calibration import bins_of, calibration
from penstock.components.evaluation.functions import neg_brier_score


def two(p: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    return np.column_stack([1 - p, p])


def test_by_hand() -> None:
    """Two bins of twenty rows: 20 % promised and 10 % happened, 80 % promised and 90 % happened."""
    p = np.repeat([0.2, 0.8], 20)
    y = np.concatenate([np.arange(20) < 2, np.arange(20) < 18]).astype(int)
    found = calibration(y, two(p), seed=0)
    assert found["error"]["value"] == pytest.approx(0.1)
    assert found["bins"] == {"rows": [20, 20], "promised": pytest.approx([0.2, 0.8]), "happened": [0.1, 0.9]}
    assert found["rule"] == "2 bins of equally many rows"
    assert calibration(y[:20], two(p[:20]), seed=0)["rule"] == "one bin of all rows"
    brier = found["brier"]
    assert brier == pytest.approx({"score": 0.1, "reliability": 0.01, "resolution": 0.16, "uncertainty": 0.25})
    assert brier["score"] == pytest.approx(brier["reliability"] - brier["resolution"] + brier["uncertainty"])
    assert brier["score"] == pytest.approx(-neg_brier_score(y, two(p)))


def test_bins_hold_equally_many_rows_and_ties_stay_together() -> None:
    rng = np.random.default_rng(0)
    assert np.bincount(bins_of(rng.random(1000))).tolist() == [100] * 10
    assert len(np.unique(bins_of(rng.random(60)))) == 3
    tied = np.concatenate([np.zeros(500), rng.random(500)])
    assert len(np.unique(bins_of(tied)[:500])) == 1


def test_of_many_classes_the_likeliest_is_looked_at() -> None:
    prediction = np.tile([0.7, 0.2, 0.1], (100, 1))
    y = np.where(np.arange(100) < 60, 0, 2)
    found = calibration(y, prediction, seed=0)
    assert found["error"]["value"] == pytest.approx(0.1)
    assert found["of"] == "likeliest class"


@pytest.mark.slow
def test_the_interval_holds_the_true_error() -> None:
    """Calibrated, and promising 10 points too much."""
    rng = np.random.default_rng(2)
    for shift in (0.0, 0.04, 0.1):
        covered = 0
        for seed in range(60):
            truth = 0.1 + 0.7 * rng.random(600)
            y = (rng.random(600) < truth).astype(int)
            error = calibration(y, two(truth + shift), seed=seed, resamples=200)["error"]
            covered += error["low"] <= shift <= error["high"]
            assert error["low"] <= error["value"] <= error["high"]
        assert covered / 60 > 0.85


def test_weights_and_groups() -> None:
    p = np.repeat([0.2, 0.8], 20)
    y = np.concatenate([np.arange(20) < 2, np.arange(20) < 18]).astype(int)
    weight = np.repeat([1.0, 0.0], 20)
    alone = calibration(y, two(p), weight=weight, seed=0)
    assert alone["error"]["value"] == pytest.approx(0.1)
    assert alone["bins"]["rows"] == [20]
    grouped = calibration(y, two(p), groups=np.arange(40) // 4, seed=0)
    assert grouped["error"]["value"] == pytest.approx(0.1)


def test_rows_of_a_group_that_come_true_together_are_no_fault_of_the_model() -> None:
    """Groups of ten rows with one outcome, promised rightly: as if of single rows, they would look uncalibrated."""
    rng = np.random.default_rng(4)
    groups = np.repeat(np.arange(40), 10)
    beyond = {"rows": 0, "groups": 0}
    for seed in range(40):
        truth = np.repeat(0.2 + 0.6 * rng.random(40), 10)
        y = np.repeat(rng.random(40) < truth[::10], 10).astype(int)
        for kind, given in (("rows", None), ("groups", groups)):
            found = calibration(y, two(truth), groups=given, seed=seed, resamples=100)
            beyond[kind] += found["error"]["value"] > found["by_chance"]
            assert (found["error"]["low"] > 0) <= (found["error"]["value"] > found["by_chance"])
    assert beyond["rows"] > 30
    assert beyond["groups"] <= 8


def test_a_model_that_promises_too_much_is_found_out_in_groups_too() -> None:
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(100), 5)
    truth = 0.1 + 0.5 * rng.random(500)
    found = calibration((rng.random(500) < truth).astype(int), two(truth + 0.25), groups=groups, seed=0)
    assert found["error"]["value"] > 1.5 * found["by_chance"]
