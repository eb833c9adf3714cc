from __future__ import annotations

from itertools import count

import pytest

from penstock.components.evaluation import latency


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that the next looks at the clock are apart."""
    now = [0.0]
    monkeypatch.setattr(latency.time, "perf_counter", lambda: now[0])
    return now


def test_median_of_repeats_without_the_first(clock: list[float]) -> None:
    turns = count()

    def slow_at_first() -> None:
        turn = next(turns)
        clock[0] += 1.0 if turn == 0 else 0.001 * (1 + turn % 3)

    def steady() -> None:
        clock[0] += 0.004

    first, second = latency.median_milliseconds([slow_at_first, steady])
    assert first == pytest.approx(2.0)
    assert second == pytest.approx(4.0)
    assert next(turns) == latency.REPEATS + 1


def test_slow_predictions_are_repeated_less_often(clock: list[float]) -> None:
    calls = count()

    def slow() -> None:
        next(calls)
        clock[0] += 2.0

    assert latency.median_milliseconds([slow]) == [2000.0]
    assert next(calls) == latency.MIN_REPEATS + 1
