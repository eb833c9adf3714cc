from __future__ import annotations

import math

import numpy as np
import pytest

from penstock.components.decision.classifier import DecidingClassifier
from penstock.components.decision.conformal import fewest_rows, reach_of_intervals, strangeness_of_sets
from penstock.components.evaluation.coverage import coverage


def test_intervals_reach_to_the_quantile_of_the_errors() -> None:
    rng = np.random.default_rng(0)
    y, prediction = rng.normal(size=99), np.zeros(99)
    rank = math.ceil(100 * 0.9)
    assert reach_of_intervals(y, prediction, 0.9) == pytest.approx(np.sort(np.abs(y))[rank - 1])


def test_sets_reach_to_the_quantile_of_the_improbabilities() -> None:
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.ones(3), size=199)
    y = np.array([rng.choice(3, p=row) for row in probabilities])
    strange = np.sort(1 - probabilities[np.arange(199), y])
    assert strangeness_of_sets(y, probabilities, 0.8) == pytest.approx(strange[math.ceil(200 * 0.8) - 1])


@pytest.mark.parametrize("asked", [0.8, 0.9, 0.95])
def test_new_rows_are_covered_as_asked(asked: float) -> None:
    rng = np.random.default_rng(1)
    shares, sets = [], []
    for _ in range(40):
        y, prediction = rng.standard_t(4, size=1200), np.zeros(1200)
        reach = reach_of_intervals(y[:400], prediction[:400], asked)
        shares.append(np.mean(np.abs(y[400:]) <= reach))
        probabilities = rng.dirichlet(np.ones(4), size=1200)
        classes = (probabilities.cumsum(axis=1) > rng.random((1200, 1))).argmax(axis=1)
        rule = DecidingClassifier(None, strangeness=strangeness_of_sets(classes[:400], probabilities[:400], asked))
        sets.append(rule.sets(probabilities[400:])[np.arange(800), classes[400:]].mean())
    assert np.mean(shares) == pytest.approx(asked, abs=0.012)
    assert np.mean(sets) == pytest.approx(asked, abs=0.012)


@pytest.mark.parametrize(("asked", "rows"), [(0.5, 2), (0.9, 10), (0.95, 20), (0.99, 100)])
def test_fewest_rows(asked: float, rows: int) -> None:
    assert fewest_rows(asked) == rows
    values = np.arange(float(rows))
    assert reach_of_intervals(values, np.zeros(rows), asked) > 0


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
