from __future__ import annotations

import numpy as np
import pytest

from penstock.components.domains import Float, Int, OneOf


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_a_log_scale_gives_each_power_of_ten_its_share(rng: np.random.Generator) -> None:
    domain = Float(low=1e-3, high=1e3, log=True, default=1.0)
    draws = np.array([domain.draw(rng) for _ in range(3000)])
    assert draws.min() >= 1e-3
    assert draws.max() <= 1e3
    shares = np.histogram(np.log10(draws), bins=6, range=(-3, 3))[0] / 3000
    assert np.abs(shares - 1 / 6).max() < 0.03


def test_a_linear_scale_is_even(rng: np.random.Generator) -> None:
    draws = np.array([Float(low=2.0, high=4.0, default=3.0).draw(rng) for _ in range(3000)])
    assert abs(draws.mean() - 3.0) < 0.05


def test_numbers_are_short_enough_to_be_typed(rng: np.random.Generator) -> None:
    value = Float(low=1e-3, high=1e3, log=True, default=1.0).draw(rng)
    assert value == float(f"{value:.4g}")


@pytest.mark.parametrize("log", [False, True])
def test_whole_numbers_reach_both_ends_and_nothing_beyond(rng: np.random.Generator, log: bool) -> None:
    domain = Int(low=1, high=6, log=log, default=2)
    draws = [domain.draw(rng) for _ in range(2000)]
    assert set(draws) == {1, 2, 3, 4, 5, 6}
    assert all(type(value) is int for value in draws)
    assert domain.size() == 6


def test_one_of_draws_every_value(rng: np.random.Generator) -> None:
    domain = OneOf((None, "balanced"), default=None)
    assert {domain.draw(rng) for _ in range(50)} == {None, "balanced"}
    assert domain.grid() == [None, "balanced"]


def test_a_grid_is_inside_the_bounds_and_has_the_default() -> None:
    assert Float(low=1e-3, high=1e3, log=True, default=1.0).grid(3) == [0.01, 1.0, 100.0]
    assert Float(low=0.01, high=0.5, log=True, default=0.1).grid(3)[1:] == [0.1, 0.2605]
    assert Float(low=0.0, high=1.0, default=1.0).grid(2) == [0.25, 1.0]
    assert Int(low=1, high=4, default=2).grid(3) == [1, 2, 4]
    assert Int(low=1, high=20, log=True, default=1).grid(4) == [1, 2, 5, 13]
    assert Int(low=1, high=2, default=1).grid(5) == [1, 2]


def test_membership_is_by_bounds_and_type() -> None:
    assert 0.5 in Float(low=0.0, high=1.0, default=0.5)
    assert 2.0 not in Float(low=0.0, high=1.0, default=0.5)
    assert "1" not in Int(low=0, high=3, default=1)
    assert 1.5 not in Int(low=0, high=3, default=1)
    assert "b" in OneOf(("a", "b"), default="a")
