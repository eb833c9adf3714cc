from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from penstock.components.optimisation.descent import gradient_descent, schedule
from penstock.components.optimisation.risk import Prefactor, Risk
from penstock.components.optimisation.trace import Stop, Trace
from penstock.components.teaching.losses import MARGIN, RESIDUAL
from penstock.components.teaching.solvers.conjugate import conjugate_gradient
from penstock.components.teaching.solvers.convexity import is_convex, worst_chord
from penstock.components.teaching.solvers.coordinate import coordinate_descent
from penstock.components.teaching.solvers.newton import newton
from penstock.components.teaching.solvers.restarts import multi_start
from penstock.components.teaching.solvers.stochastic import batches, stochastic_descent

Array = np.ndarray[Any, Any]
A, B = np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
# Four rows without the property, one of them in the class; four with it, three of them.
TABLE = np.column_stack([np.ones(8), np.repeat([0.0, 1.0], 4)])
ANSWERS = np.array([1, 0, 0, 0, 1, 1, 1, 0])


@dataclass(frozen=True)
class Watched(Risk):
    """A risk that keeps the batches that it is asked about."""

    seen: list[Array] = field(default_factory=list)

    def batch_slope(self, w: Array, rows: Array, prefactor: Prefactor) -> Array:
        self.seen.append(rows)
        return super().batch_slope(w, rows, prefactor)


@pytest.mark.covers("opt-sgd")
def test_batches_add_up_to_the_whole() -> None:
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(200, 3)), rng.normal(size=200), rng.normal(size=3)
    risk = Risk(X, y, penalty=2.0)
    each = np.mean([risk.data_slope(w, np.array([row])) for row in range(200)], axis=0)
    assert each + risk.penalty_slope(w) == pytest.approx(risk.slope(w), abs=1e-12)
    parts = list(batches(200, 5, rng))
    assert len(parts) == 40
    assert sorted(np.concatenate(parts)) == list(range(200))
    epoch = sum(risk.batch_slope(w, rows, "whole") for rows in parts)
    assert epoch == pytest.approx(risk.data_slope(w) / 200 + 40 * risk.penalty_slope(w), abs=1e-12)
    assert risk.batch_slope(w, parts[0], "mean") - risk.penalty_slope(w) == pytest.approx(
        40 * (risk.batch_slope(w, parts[0], "whole") - risk.penalty_slope(w))
    )
    assert risk.batch_slope(w, parts[0], "sum") - risk.penalty_slope(w) == pytest.approx(risk.data_slope(w, parts[0]))


@pytest.mark.slow
@pytest.mark.covers("opt-sgd", "ex_batch_bookkeeping")
def test_updates_are_counted_and_the_order_is_drawn_anew() -> None:
    rng = np.random.default_rng(0)
    risk = Risk(rng.normal(size=(200, 1)), rng.normal(size=200))
    never = Stop(step=None, gradient=None)
    trace = stochastic_descent(risk, [0.0], rate=1e-3, batch=5, epochs=1000, stop=never)
    assert trace.steps == 40_000
    assert len(trace.values) == 1001
    watched = Watched(risk.X, risk.y)
    stochastic_descent(watched, [0.0], rate=1e-3, batch=30, epochs=2, stop=never)
    assert [len(rows) for rows in watched.seen] == 2 * [30, 30, 30, 30, 30, 30, 20]
    first, second = np.concatenate(watched.seen[:7]), np.concatenate(watched.seen[7:])
    assert sorted(first) == sorted(second) == list(range(200))
    assert (first != second).any()
    decayed = stochastic_descent(risk, [0.0], rate=schedule("linear", 0.2, 4000), batch=5, epochs=100, stop=never)
    assert decayed.values[-1] == pytest.approx(risk.value(np.linalg.lstsq(risk.X, risk.y, rcond=None)[0]), abs=1e-4)
    same = stochastic_descent(risk, [0.0], rate=schedule("linear", 0.2, 4000), batch=5, epochs=100, stop=never)
    assert (same.points == decayed.points).all()


@pytest.mark.covers("opt-newton", "ex_newton_one_step")
def test_newton_needs_one_step_for_squares() -> None:
    found = newton(lambda t: t @ A @ t / 2 - B @ t, lambda t: A @ t - B, lambda t: A, [5.0, -7.0])
    assert found.points[1] == pytest.approx([0.0909090909091, 0.636363636364], abs=1e-9)
    assert (found.steps, found.rule) == (1, "gradient")
    rng = np.random.default_rng(0)
    risk = Risk(rng.normal(size=(30, 4)), rng.normal(size=30))
    for _ in range(3):
        once = newton(risk.value, risk.slope, risk.curvature, 100 * rng.normal(size=4)).points[1]
        assert once == pytest.approx(np.linalg.lstsq(risk.X, risk.y, rcond=None)[0], abs=1e-9)
    curve = newton(lambda x: float(x[0] - np.log(x[0])), lambda x: 1 - 1 / x, lambda x: np.diag(1 / x**2), [0.5])
    assert curve.points[1:4, 0] == pytest.approx([0.75, 0.9375, 0.99609375], abs=1e-12)
    assert newton(lambda x: -float(x @ x), lambda x: -2 * x, lambda x: -2 * np.eye(1), [1.0]).rule == "curvature"


@pytest.mark.covers("linclf-logistic-solvers")
def test_logistic_regression_by_newton_and_by_ascent() -> None:
    risk = Risk(TABLE, np.where(ANSWERS == 1, 1.0, -1.0), "logistic")
    steps = newton(risk.value, risk.slope, risk.curvature, np.zeros(2), stop=Stop(step=None, gradient=1e-12))
    assert steps.points[1:4] == pytest.approx(
        np.array([[-1, 2], [-1.096339, 2.192678], [-1.098611, 2.197222]]), abs=1e-6
    )
    assert np.linalg.norm(risk.slope(steps.points[4])) < 1e-12
    assert steps.end == pytest.approx([-np.log(3), 2 * np.log(3)], abs=1e-9)
    once = gradient_descent(risk.value, risk.slope, np.zeros(2), rate=1.0, stop=Stop(most=1))
    assert once.end == pytest.approx([0, 0.125], abs=1e-12)
    by_coordinate = [np.mean((ANSWERS - 0.5) * TABLE[:, place]) for place in range(2)]
    assert once.end == pytest.approx(by_coordinate, abs=1e-12)
    # One row at a time: a (y - h) x.
    row = np.array([5])
    assert -risk.batch_slope(np.zeros(2), row, "mean") == pytest.approx((1 - 0.5) * TABLE[5])


@pytest.mark.covers("met_convexity")
def test_losses_are_convex_and_a_cubic_is_not() -> None:
    for losses, bent in ((MARGIN, {"0-1"}), (RESIDUAL, set())):
        assert {name for name, loss in losses.items() if not is_convex(loss, -5, 5)} == bent
    assert not is_convex(lambda x: x**3, -1, 1)
    assert worst_chord(lambda x: x**3, 0, 1) <= 1e-12  # on one side it is
    assert is_convex(lambda x: -np.log(x), 0.1, 9)  # so that E log g <= log E g
    drawn = np.random.default_rng(0).uniform(0.1, 9, 1000)
    assert np.log(drawn).mean() <= np.log(drawn.mean())
    rng = np.random.default_rng(0)
    risk = Risk(rng.normal(size=(30, 3)), np.where(rng.random(30) < 0.5, 1.0, -1.0), "logistic")
    squared_slope, rests = float(np.sum(risk.slope(np.ones(3)) ** 2)), []
    for rate in (1e-2, 1e-3):
        before, after = gradient_descent(risk.value, risk.slope, np.ones(3), rate=rate, stop=Stop(most=1)).values
        assert after < before
        rests.append(after - (before - rate * squared_slope))
    assert rests[0] / rests[1] == pytest.approx(100, rel=0.02)  # the slope's promise is kept to the square of the rate


@pytest.mark.covers("opt-coordinate-descent")
def test_one_coordinate_at_a_time() -> None:
    def bowl(t: Array) -> float:
        return float(t @ A @ t / 2 - B @ t)

    trace = coordinate_descent(bowl, np.zeros(2))
    assert trace.points[1] == pytest.approx([0.25, 0.583333], abs=1e-6)
    assert trace.points[2] == pytest.approx([0.104167, 0.631944], abs=1e-6)
    assert trace.end == pytest.approx([1 / 11, 7 / 11], abs=1e-6)
    assert (np.diff(trace.values) <= 0).all()


@pytest.mark.covers("opt-conjugate-gradient")
def test_conjugate_gradients_need_a_step_for_each_weight() -> None:
    trace = conjugate_gradient(lambda t: float(t @ A @ t / 2 - B @ t), A, B, np.zeros(2))
    assert trace.points == pytest.approx(np.array([[0, 0], [0.25, 0.5], [1 / 11, 7 / 11]]), abs=1e-12)
    assert (trace.steps, trace.rule) == (2, "gradient")
    cut_short = conjugate_gradient(lambda t: float(t @ A @ t / 2 - B @ t), A, B, np.zeros(2), stop=Stop(most=1))
    assert (cut_short.steps, cut_short.rule) == (1, "most")


@pytest.mark.covers("opt-multi-start", "proc_restarts")
def test_the_lowest_of_several_ends() -> None:
    def hills(x: Array) -> float:
        return float(x[0] ** 4 - 2 * x[0] ** 2 + 0.3 * x[0])

    def slope(x: Array) -> Array:
        return 4 * x**3 - 4 * x + 0.3

    def solve(start: Any) -> Trace:
        return gradient_descent(hills, slope, start, rate=0.02, stop=Stop(step=None, gradient=1e-10))

    right, left = solve([2.0]), solve([-2.0])
    assert (right.end[0], right.values[-1]) == pytest.approx((0.960150, -0.705854), abs=1e-6)
    assert (left.end[0], left.values[-1]) == pytest.approx((-1.035579, -1.305428), abs=1e-6)
    best, ends = multi_start(solve, [[2.0], [-2.0], [0.5]])
    assert best.end == pytest.approx(left.end)
    assert best.values[-1] == ends.min()
    assert np.ptp(ends) == pytest.approx(1.305428 - 0.705854, abs=1e-5)
    for starts in ([[2.0]], [[2.0], [0.5]], [[2.0], [0.5], [-2.0]]):
        assert multi_start(solve, starts)[0].values[-1] <= solve(starts[0]).values[-1]
