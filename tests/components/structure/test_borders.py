from __future__ import annotations

import numpy as np
import pytest

from penstock.components.structure.borders import ERRORS, uncut_share, valley

ONE = np.zeros(400, dtype=int)


def test_halves_of_a_bar_have_no_valley_between_them() -> None:
    rows = np.random.default_rng(0).uniform([0, 0], [4, 1], (400, 2))
    halves = (rows[:, 0] > 2).astype(int)
    assert valley(rows[halves == 0], rows[halves == 1]) < ERRORS
    assert uncut_share(rows, halves, ONE) == 1.0


@pytest.mark.parametrize("apart", [4.0, 8.0])
def test_two_groups_have(apart: float) -> None:
    rng = np.random.default_rng(0)
    rows = np.vstack([rng.normal(size=(200, 2)), rng.normal((apart, 0), 1, (200, 2))])
    groups = np.repeat([0, 1], 200)
    assert valley(rows[:200], rows[200:]) > ERRORS
    assert uncut_share(rows, groups, ONE) == 0.0


def test_only_clusters_of_one_region_are_compared() -> None:
    rows = np.random.default_rng(0).uniform([0, 0], [4, 1], (400, 2))
    quarters = rows[:, 0].astype(int)
    assert uncut_share(rows, quarters, quarters) == 0.0
    regions = np.minimum(quarters, 2)  # the last two quarters are one region
    assert uncut_share(rows, quarters, regions) == pytest.approx((quarters >= 2).mean())


def test_a_region_may_be_known_of_some_rows_alone() -> None:
    rows = np.random.default_rng(0).uniform([0, 0], [4, 1], (400, 2))
    halves = (rows[:, 0] > 2).astype(int)
    known = np.where(np.arange(400) % 10 == 0, 0, -1)
    assert uncut_share(rows, halves, known) == 1.0
    assert uncut_share(rows, halves, np.where(halves == 0, known, -1)) == 0.0


def test_one_centre_is_no_valley() -> None:
    square = np.array([[0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]])
    assert valley(square, 2 * square) == 0.0
