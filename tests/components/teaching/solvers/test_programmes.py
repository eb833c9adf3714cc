from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from penstock.components.teaching.solvers.programmes import Programme, audit, solve

NONE = np.zeros((0, 2))
EMPTY = np.zeros(0)


@pytest.mark.covers("opt-linear-program")
def test_the_simplex_method_and_its_prices() -> None:
    A = np.array([[1.0, 0], [0, 2], [3, 2], [-1, 0], [0, -1]])
    asked = Programme(np.array([-3.0, -5]), A, np.array([4.0, 12, 18, 0, 0]), NONE, EMPTY)
    solution = solve(asked)
    assert solution.x == pytest.approx([2, 6])
    assert -asked.value(solution.x) == pytest.approx(36)
    assert solution.inequality[:3] == pytest.approx([0, 1.5, 1])
    assert max(audit(asked, solution.x, solution.inequality, solution.equality).values()) < 1e-9
    assert asked.dual(solution.inequality, solution.equality) == pytest.approx(-36)
    assert asked.dual(solution.inequality + 1, solution.equality) == -np.inf
    # The least of x + 2y on the line x + y = 1 to the right of and above zero.
    line = Programme(np.array([1.0, 2]), -np.eye(2), np.zeros(2), np.array([[1.0, 1]]), np.array([1.0]))
    there = solve(line)
    assert there.x == pytest.approx([1, 0])
    assert (*there.inequality, *there.equality) == pytest.approx((0, 1, -1))
    assert max(audit(line, there.x, there.inequality, there.equality).values()) < 1e-9
    assert line.dual(there.inequality, there.equality) == pytest.approx(1)


@pytest.mark.covers("opt-quadratic-program")
def test_the_nearest_point_beyond_a_line() -> None:
    asked = Programme(np.zeros(2), np.array([[-1.0, -1.0]]), np.array([-2.0]), NONE, EMPTY, np.eye(2))
    solution = solve(asked)
    assert solution.x == pytest.approx([1, 1])
    assert solution.inequality == pytest.approx([1])
    assert asked.value(solution.x) == pytest.approx(1)
    assert max(audit(asked, solution.x, solution.inequality, solution.equality).values()) < 1e-6
    moved = audit(asked, solution.x + 0.1, solution.inequality, solution.equality)
    assert moved["stationarity"] > 0.05
    # Each of the conditions can fail by itself.
    slack, far = np.array([0.0, 0.0]), np.array([2.0, 2.0])
    assert audit(asked, slack, np.zeros(1), EMPTY) == pytest.approx(
        {"stationarity": 0, "feasibility": 2, "multipliers >= 0": 0, "complementarity": 0}
    )
    assert audit(asked, far, np.array([-2.0]), EMPTY)["multipliers >= 0"] == 2
    assert audit(asked, far, np.array([2.0]), EMPTY) == pytest.approx(
        {"stationarity": 0, "feasibility": 0, "multipliers >= 0": 0, "complementarity": 4}
    )


@pytest.mark.covers("opt-quadratic-program")
@pytest.mark.parametrize("bend", [1e-10, 1e10, 1e20])
@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_units_of_cost_and_constraint_do_not_matter(bend: float, size: float) -> None:
    line = Programme(
        np.zeros(2), -size * np.array([[1.0, 1.0]]), np.array([-2.0 * size]), NONE, EMPTY, bend * np.eye(2)
    )
    solution = solve(line)
    assert solution.x == pytest.approx([1, 1], rel=1e-9)
    assert solution.inequality == pytest.approx([bend / size], rel=1e-9)


@pytest.mark.covers("opt-quadratic-program")
def test_random_programmes_meet_all_conditions() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        root = rng.normal(size=(5, 5))
        Q = root @ root.T + 0.1 * np.eye(5)
        inside = rng.normal(size=5)
        A, E = rng.normal(size=(7, 5)), rng.normal(size=(2, 5))
        asked = Programme(rng.normal(size=5), A, A @ inside + rng.uniform(0, 1, 7), E, E @ inside, Q)
        solution = solve(asked)
        assert solution.x is not None
        assert max(audit(asked, solution.x, solution.inequality, solution.equality).values()) < 1e-6
        value = asked.value(solution.x)
        assert asked.dual(solution.inequality, solution.equality) == pytest.approx(value, abs=1e-6)
        for _ in range(5):  # weak duality, for any prices
            assert asked.dual(rng.uniform(0, 2, 7), rng.normal(size=2)) <= value + 1e-9


@pytest.mark.covers("opt-lagrangian-dual")
def test_multipliers_of_an_equality_and_the_dual_of_a_bound() -> None:
    asked = Programme(np.zeros(2), NONE, EMPTY, np.array([[1.0, 1]]), np.array([1.0]), 2 * np.eye(2))
    solution = solve(asked)
    assert solution.x == pytest.approx([0.5, 0.5])
    assert solution.equality == pytest.approx([-1])
    library = minimize(
        lambda x: x @ x, [0.0, 0.0], method="SLSQP", constraints={"type": "eq", "fun": lambda x: x.sum() - 1}
    )
    assert library.x == pytest.approx(solution.x, abs=1e-6)

    nothing: Any = np.zeros((0, 1))
    line = Programme(np.zeros(1), np.array([[-1.0]]), np.array([-1.0]), nothing, EMPTY, np.array([[2.0]]))
    for price in (0.0, 0.5, 1.0, 2.0, 3.0, 5.0):
        assert line.dual(np.array([price]), EMPTY) == pytest.approx(price - price**2 / 4)
    best = solve(line)
    assert best.x == pytest.approx([1])
    assert best.inequality == pytest.approx([2])
    assert line.dual(best.inequality, EMPTY) == pytest.approx(1) == line.value(np.array([1.0]))


@pytest.mark.covers("opt-quadratic-program", "opt-lagrangian-dual")
def test_the_widest_street_as_a_programme_whose_bias_has_no_curvature() -> None:
    """Of (2, 0) above and (0, 0) below: w1, w2, b with y (w.x + b) >= 1."""
    A, b = -np.array([[2.0, 0, 1], [0, 0, -1]]), np.array([-1.0, -1])
    margin = Programme(np.zeros(3), A, b, np.zeros((0, 3)), EMPTY, np.diag([1.0, 1, 0]))
    solution = solve(margin)
    assert solution.x == pytest.approx([1, 0, -1], abs=1e-9)
    assert solution.inequality == pytest.approx([0.5, 0.5], abs=1e-9)
    assert margin.value(solution.x) == pytest.approx(0.5, abs=1e-9)
    assert margin.dual(solution.inequality, EMPTY) == pytest.approx(0.5, abs=1e-9)
    assert margin.dual(np.array([0.25, 0.25]), EMPTY) == pytest.approx(0.5 - 0.125)
    assert margin.dual(np.array([0.5, 0.25]), EMPTY) == -np.inf  # the bias pulls without end


@pytest.mark.slow
@pytest.mark.covers("opt-quadratic-program", "opt-lagrangian-dual")
@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), rank=st.integers(1, 4))
def test_programmes_that_are_flat_along_some_directions(seed: int, rank: int) -> None:
    rng = np.random.default_rng(seed)
    root, inside = rng.normal(size=(5, rank)), rng.normal(size=5)
    A, E = np.vstack([rng.normal(size=(7, 5)), np.eye(5), -np.eye(5)]), rng.normal(size=(1, 5))
    asked = Programme(rng.normal(size=5), A, A @ inside + rng.uniform(0, 3, 17), E, E @ inside, root @ root.T)
    solution = solve(asked)
    assert solution.x is not None
    assert max(audit(asked, solution.x, solution.inequality, solution.equality).values()) < 1e-9
    assert asked.dual(solution.inequality, solution.equality) == pytest.approx(asked.value(solution.x), abs=1e-9)


@pytest.mark.parametrize("money", [1e-12, 1e-6, 1e9])
@pytest.mark.parametrize("size", [1e-12, 1e9])
def test_linear_programmes_have_the_same_answer_in_any_unit(money: float, size: float) -> None:
    c, A, b = np.array([-2.0, -1]), np.array([[1.0, 1], [1, 0], [-1, 0], [0, -1]]), np.array([3.0, 2, 0, 0])
    solution = solve(Programme(money * c, size * A, size * b, NONE, EMPTY))
    assert solution.x == pytest.approx([2, 1])
    assert solution.inequality * size / money == pytest.approx([1, 1, 0, 0])
    assert "without end" in solve(Programme(money * c, A[2:], b[2:], NONE, EMPTY)).why


@pytest.mark.parametrize("cost", [1e-6, 1e-10, 1e-14])
def test_a_tiny_cost_along_a_flat_direction_is_a_cost(cost: float) -> None:
    asked = Programme(np.array([0.0, -cost]), np.array([[0.0, 1]]), np.array([2.0]), NONE, EMPTY, np.diag([1.0, 0]))
    solution = solve(asked)
    assert solution.x == pytest.approx([0, 2])
    assert solution.inequality == pytest.approx([cost])
    assert "without end" in solve(replace(asked, A=NONE, b=EMPTY)).why


def test_what_has_no_answer() -> None:
    both = np.array([[1.0, 0], [-1, 0]])
    for Q, why in ((None, "no point meets"), (np.eye(2), "no point meets")):
        solution = solve(Programme(np.ones(2), both, np.array([0.0, -1]), NONE, EMPTY, Q))
        assert solution.x is None
        assert why in solution.why
    assert "without end" in solve(Programme(np.ones(2), both[:1], np.zeros(1), NONE, EMPTY)).why
    flat = Programme(np.ones(2), both[:1], np.zeros(1), NONE, EMPTY, np.zeros((2, 2)))
    assert "without end" in solve(flat).why
    partly = Programme(np.array([0.0, 1]), both[:1], np.zeros(1), NONE, EMPTY, np.diag([1.0, 0]))
    assert solve(partly).why == "has no answer: its cost falls without end"
    assert "no point meets" in solve(replace(partly, A=both, b=np.array([0.0, -1]))).why
    saddle = solve(replace(partly, Q=np.diag([1.0, -2])))
    assert saddle.why == "is not convex: along some direction its curvature is -2"
    free = solve(Programme(np.array([1.0, 2]), NONE, EMPTY, NONE, EMPTY, np.eye(2)))
    assert free.x == pytest.approx([-1, -2])
