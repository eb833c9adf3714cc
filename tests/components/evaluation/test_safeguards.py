from __future__ import annotations

import pytest

from penstock.components.evaluation.gate import Verdict
from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.safeguards import (
    Check,
    calibration_check,
    floor_check,
    hangs_on_timing,
    latency_check,
    latency_ratio_check,
    settle,
    size_check,
    slice_check,
)

BETTER = Verdict(verdict="promote", reason="the challenger is better")
NO_GAIN = Verdict(verdict="hold", reason="no gain")
UNSURE = Verdict(verdict="inconclusive", reason="may be a gain")


def interval(low: float, value: float, high: float) -> Interval:
    return Interval(value=value, low=low, high=high, confidence=0.99)


def on_slice(low: float, value: float, high: float) -> Check:
    return slice_check("region = north", interval(low, value, high), 0.02, 200, "rows", "")


@pytest.mark.parametrize(
    ("low", "value", "high", "state", "needed"),
    [
        (-0.12, -0.08, -0.04, "failed", None),
        (-0.12, -0.07, -0.02, "undecided", 200),
        (-0.06, 0.0, 0.06, "undecided", 1800),
        (-0.02, 0.0, 0.02, "passed", None),
        (0.01, 0.03, 0.05, "passed", None),
    ],
)
def test_slices(low: float, value: float, high: float, state: str, needed: int | None) -> None:
    check = on_slice(low, value, high)
    assert (check.state, check.needed) == (state, needed)
    assert "region = north" in check.reason
    assert "on 200 rows" in check.reason


def test_a_slice_without_a_difference_is_undecided() -> None:
    check = slice_check("region = north", None, 0.02, 12, "rows", "it has 12 rows, 50 are needed")
    assert (check.state, check.value) == ("undecided", None)
    assert check.reason == "region = north is undecided: it has 12 rows, 50 are needed"


@pytest.mark.parametrize(
    ("check", "state", "words"),
    [
        (size_check(12.5, 10), "failed", "its file has 12.5 MB, the limit is 10 MB"),
        (size_check(10.0, 10), "passed", "10 MB"),
        (latency_check(3.21, 3, 1), "failed", "a prediction of 1 row(s) takes 3.21 ms, the limit is 3 ms"),
        (latency_check(2.9, 3, 100), "passed", "100 row(s)"),
        (latency_ratio_check(2.5, 2, 1), "failed", "takes 2.5 times as long as the champion's, the limit is 2 times"),
        (latency_ratio_check(1.5, 2, 1), "passed", "1.5 times"),
        (latency_ratio_check(None, 2, 1), "skipped", "no champion"),
        (calibration_check(interval(0.06, 0.08, 0.1), 0.05, 200), "failed", "its calibration error is 0.08"),
        (calibration_check(interval(0.01, 0.02, 0.05), 0.05, 200), "passed", "0.01 to 0.05"),
        (calibration_check(interval(0.01, 0.04, 0.07), 0.05, 200), "undecided", "is undecided"),
    ],
)
def test_limits(check: Check, state: str, words: str) -> None:
    assert check.state == state
    assert words in check.reason


HARM, DOUBT, FINE = on_slice(-0.12, -0.08, -0.04), on_slice(-0.06, 0.0, 0.06), on_slice(0.01, 0.03, 0.05)


class TestSettle:
    @pytest.mark.parametrize("compared", [BETTER, NO_GAIN, UNSURE])
    def test_what_failed_holds_whatever_else_is_known(self, compared: Verdict) -> None:
        found = settle(compared, [FINE, HARM, DOUBT], strict=False)
        assert found.verdict == "hold"
        assert HARM.reason in found.reason
        assert compared.reason in found.reason
        assert FINE.reason not in found.reason

    def test_what_is_undecided_is_named(self) -> None:
        found = settle(BETTER, [DOUBT, FINE], strict=False)
        assert found.verdict == "promote"
        assert "though region = north is undecided" in found.reason

    def test_what_is_undecided_waits_where_strict(self) -> None:
        found = settle(BETTER, [DOUBT, FINE], strict=True)
        assert found.verdict == "inconclusive"
        assert "but region = north is undecided" in found.reason

    @pytest.mark.parametrize("strict", [True, False])
    @pytest.mark.parametrize("compared", [BETTER, NO_GAIN, UNSURE])
    def test_what_passed_changes_nothing(self, compared: Verdict, strict: bool) -> None:
        assert settle(compared, [FINE, size_check(1, 2)], strict=strict) == compared
        assert settle(compared, [], strict=strict) == compared

    def test_doubt_does_not_change_a_verdict_that_promotes_nothing(self) -> None:
        assert settle(UNSURE, [DOUBT], strict=True) == UNSURE


class TestHangsOnTiming:
    @pytest.mark.parametrize("milliseconds", [5.1, 9.0, 11.0, 19.9])
    def test_where_another_speed_would_have_decided_otherwise(self, milliseconds: float) -> None:
        assert hangs_on_timing(BETTER, [latency_check(milliseconds, 10, 1), FINE], strict=False)

    @pytest.mark.parametrize("milliseconds", [0.1, 4.9, 20.1, 500.0])
    def test_not_where_the_limit_is_far_away(self, milliseconds: float) -> None:
        assert not hangs_on_timing(BETTER, [latency_check(milliseconds, 10, 1)], strict=False)

    def test_not_where_the_model_is_held_anyway(self) -> None:
        near = latency_check(11.0, 10, 1)
        assert not hangs_on_timing(BETTER, [near, HARM], strict=False)
        assert not hangs_on_timing(NO_GAIN, [near], strict=False)

    def test_not_where_nothing_was_timed(self) -> None:
        assert not hangs_on_timing(BETTER, [HARM, size_check(1, 2)], strict=False)


@pytest.mark.parametrize(
    ("low", "high", "state", "verdict", "words"),
    [
        (0.1, 0.3, "passed", "promote", "it is better than the mean"),
        (-0.1, 0.3, "undecided", "promote", "it is undecided whether it is better than the mean"),
        (-0.3, -0.1, "failed", "hold", "it is no better than the mean: "),
        (0.0, 1e-15, "failed", "hold", "it is no better than the mean: "),
    ],
)
def test_a_floor_is_to_be_beaten(low: float, high: float, state: str, verdict: str, words: str) -> None:
    check = floor_check(interval(low, (low + high) / 2, high), "the mean", 80, "rows")
    assert (check.kind, check.state) == ("floor", state)
    assert words in check.reason
    assert "on 80 rows" in check.reason
    first = Verdict(verdict="promote", reason="there was no champion to compare with")
    assert settle(first, [check], strict=False).verdict == verdict
    waiting = "promote" if state == "passed" else "hold" if state == "failed" else "inconclusive"
    assert settle(first, [check], strict=True).verdict == waiting
