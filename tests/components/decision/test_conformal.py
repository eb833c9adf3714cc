from __future__ import annotations

import math

import numpy as np
import pytest

from penstock.components.decision.classifier import DecidingClassifier
from penstock.components.decision.conformal import (
    fewest_rows,
    half_width_of_intervals,
    nonconformity_quantile,
    weighted_reach,
)
from penstock.components.evaluation.coverage import coverage


def test_intervals_reach_to_the_quantile_of_the_errors() -> None:
    rng = np.random.default_rng(0)
    y, prediction = rng.normal(size=99), np.zeros(99)
    rank = math.ceil(100 * 0.9)
    assert half_width_of_intervals(y, prediction, 0.9) == pytest.approx(np.sort(np.abs(y))[rank - 1])


def test_sets_reach_to_the_quantile_of_the_improbabilities() -> None:
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.ones(3), size=199)
    y = np.array([rng.choice(3, p=row) for row in probabilities])
    strange = np.sort(1 - probabilities[np.arange(199), y])
    assert nonconformity_quantile(y, probabilities, 0.8) == pytest.approx(strange[math.ceil(200 * 0.8) - 1])


@pytest.mark.parametrize("asked", [0.8, 0.9, 0.95])
def test_new_rows_are_covered_as_asked(asked: float) -> None:
    rng = np.random.default_rng(1)
    shares, sets = [], []
    for _ in range(40):
        y, prediction = rng.standard_t(4, size=1200), np.zeros(1200)
        half_width = half_width_of_intervals(y[:400], prediction[:400], asked)
        shares.append(np.mean(np.abs(y[400:]) <= half_width))
        probabilities = rng.dirichlet(np.ones(4), size=1200)
        classes = (probabilities.cumsum(axis=1) > rng.random((1200, 1))).argmax(axis=1)
        rule = DecidingClassifier(None, nonconformity=nonconformity_quantile(classes[:400], probabilities[:400], asked))
        sets.append(rule.sets(probabilities[400:])[np.arange(800), classes[400:]].mean())
    assert np.mean(shares) == pytest.approx(asked, abs=0.012)
    assert np.mean(sets) == pytest.approx(asked, abs=0.012)


@pytest.mark.parametrize("asked", [0.5, 0.8, 0.95])
def test_rows_that_count_alike_give_what_rows_without_weights_give(asked: float) -> None:
    rng = np.random.default_rng(2)
    y, prediction = rng.normal(size=150), np.zeros(150)
    alike = np.full(150, 2.5)
    assert half_width_of_intervals(y, prediction, asked, alike) == pytest.approx(
        half_width_of_intervals(y, prediction, asked)
    )
    probabilities = rng.dirichlet(np.ones(3), size=150)
    codes = rng.integers(3, size=150)
    plain = nonconformity_quantile(codes, probabilities, asked)
    assert nonconformity_quantile(codes, probabilities, asked, alike) == pytest.approx(plain)


def test_the_weight_that_is_asked_for_is_covered() -> None:
    """Rows that count ten times as much have errors three times as large."""
    rng = np.random.default_rng(3)
    shares = {"weighted": [], "plain": []}
    for _ in range(40):
        heavy = rng.random(1500) < 0.2
        weight, y = np.where(heavy, 10.0, 1.0), rng.normal(size=1500) * np.where(heavy, 3.0, 1.0)
        zeros = np.zeros(500)
        for kind, given in (("weighted", weight[:500]), ("plain", None)):
            half_width = half_width_of_intervals(y[:500], zeros, 0.9, given)
            shares[kind].append(np.average(np.abs(y[500:]) <= half_width, weights=weight[500:]))
    assert np.mean(shares["weighted"]) == pytest.approx(0.9, abs=0.015)
    assert np.mean(shares["plain"]) < 0.8


def test_a_few_rows_that_count_for_all_cannot_cover() -> None:
    scores = np.arange(100.0)
    assert weighted_reach(scores, np.where(scores > 95, 1000.0, 0.001), 0.9) == math.inf
    assert weighted_reach(scores, (scores < 20).astype(float), 0.9) == 18.0


@pytest.mark.parametrize(("asked", "rows"), [(0.5, 2), (0.9, 10), (0.95, 20), (0.99, 100)])
def test_fewest_rows(asked: float, rows: int) -> None:
    assert fewest_rows(asked) == rows
    values = np.arange(float(rows))
    assert half_width_of_intervals(values, np.zeros(rows), asked) > 0


def test_coverage_has_an_exact_interval() -> None:
    found = coverage(np.arange(100) < 90, np.full(100, 2.0), seed=0)
    assert found["share"]["value"] == 0.9
    assert (found["share"]["low"], found["share"]["high"]) == pytest.approx((0.8238, 0.9510), abs=1e-4)
    assert (found["size"], found["rows"]) == (2.0, 100)


def test_coverage_of_groups_is_less_sure() -> None:
    covered = np.repeat(np.arange(20) < 18, 5)
    plain = coverage(covered, np.ones(100), seed=0)["share"]
    grouped = coverage(covered, np.ones(100), groups=np.repeat(np.arange(20), 5), seed=0)["share"]
    assert grouped["value"] == plain["value"] == 0.9
    assert grouped["high"] - grouped["low"] > 1.5 * (plain["high"] - plain["low"])
