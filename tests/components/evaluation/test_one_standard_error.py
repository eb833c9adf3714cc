"""The simplest candidate within one standard error of the best."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.catalog import entries
from penstock.components.evaluation.metrics import METRICS
from penstock.components.evaluation.one_standard_error import declared, simplest_first
from penstock.components.evaluation.selection import correct_draws, draw_scores, pick
from penstock.components.search.candidates import Candidate
from tests.methods import problems_of


def candidate(name: str, **parameters: Any) -> Candidate:
    return Candidate(name=name, parameters=parameters, number=0)


def test_methods_come_before_parameters() -> None:
    found = [
        candidate("random-forest", min_samples_leaf=20, n_estimators=50),
        candidate("ridge", alpha=0.1),
        candidate("voting-ensemble", members="ridge + random-forest"),
        candidate("ridge", alpha=100.0),
        candidate("decision-tree", max_depth=None),
        candidate("decision-tree", max_depth=3),
    ]
    known = declared(["random-forest", "ridge", "decision-tree"])
    order = simplest_first(found, [0.9, 0.8, 0.95, 0.7, 0.85, 0.6], known)
    assert order == [3, 1, 5, 4, 0, 2]


def test_of_equally_complex_methods_the_better_one() -> None:
    found = [candidate("lasso", alpha=1.0), candidate("ridge", alpha=1.0), candidate("ridge", alpha=1.0)]
    assert simplest_first(found, [0.5, 0.6, 0.7], declared(["lasso", "ridge"])) == [2, 1, 0]


def test_every_declared_direction_is_of_a_parameter() -> None:
    for entry in entries().values():
        for problem in problems_of(entry):
            assert set(entry.simpler) <= set(entry.space_for(problem)), entry.name


def test_the_first_in_order_within_the_tolerance_is_picked() -> None:
    drawn = np.array([[0.9, 0.5], [0.89, 0.9], [0.7, np.nan]])
    assert pick(drawn, [2, 1, 0], 0.02).tolist() == [1, 1]
    assert pick(drawn, [0, 1, 2], 0.0).tolist() == [0, 1]
    assert pick(drawn, [2, 1, 0], 0.25).tolist() == [2, 1]


@pytest.mark.parametrize("tolerance", [0.0, 0.5])
def test_the_correction_repeats_the_rule_that_picked(tolerance: float) -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    good, poor = y + rng.normal(scale=0.1, size=300), y + rng.normal(scale=0.6, size=300)
    found = correct_draws(draw_scores(METRICS["r2"], y, [good, poor], seed=0), order=[1, 0], tolerance=tolerance)
    wanted = METRICS["r2"].function(y, poor if tolerance else good)
    assert found.naive == pytest.approx(wanted)
    assert found.corrected.value == pytest.approx(wanted, abs=0.02)
