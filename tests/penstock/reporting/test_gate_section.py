"""What the report shows of the gate: the difference against zero and margin, slices and limits with their outcome."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.safeguards import (
    Check,
    calibration_check,
    latency_check,
    latency_ratio_check,
    size_check,
    slice_check,
)
from penstock.document.formats import NOTHING
from penstock.document.verdict import Verdict
from penstock.reporting.gate import gate_of
from tests.documents import churn, part
from tests.documents import page as render


def on_slice(name: str, low: float, value: float, high: float) -> Check:
    return slice_check(name, Interval(value=value, low=low, high=high, confidence=0.99), 0.02, 90, "rows", "")


@pytest.fixture
def verdict() -> dict[str, Any]:
    checks = [
        on_slice("region = north", -0.2, -0.1, -0.05),
        on_slice("region = south", 0.01, 0.03, 0.05),
        on_slice("region = west", -0.06, 0.0, 0.06),
        slice_check("region = isle", None, 0.02, 7, "rows", "it has 7 rows, 50 are needed"),
        size_check(12.5, 10),
        latency_check(3.0, 4.0, 1),
        latency_ratio_check(None, 2, 1),
        calibration_check(Interval(value=0.02, low=0.0, high=0.04, confidence=0.95), 0.05, 200),
    ]
    return {
        **churn()["verdict"], "verdict": "held", "reason": "the file is too large", "margin": 0.005, "timed": True,
        "needs": [], "checks": [check.model_dump() for check in checks],
    }  # fmt: skip


def test_everything_lies_on_one_line(verdict: dict[str, Any]) -> None:
    gate = gate_of(part(Verdict, verdict))
    assert gate is not None
    whole, north, south, west, isle = gate.differences
    assert (whole.name, whole.rows, whole.value, whole.state) == ("All rows", "143", "0.0121", "")
    assert [one.state for one in (north, south, west, isle)] == ["failed", "passed", "undecided", "undecided"]
    assert isle.mark is None
    assert north.mark
    assert south.mark
    assert gate.zero is not None
    assert gate.margin is not None
    assert north.mark.value < gate.zero < gate.margin < south.mark.value
    assert "about 810 would decide" in west.note
    assert south.note == ""
    assert [(one.name, one.measured, one.allowed, one.state) for one in gate.limits] == [
        ("size", "12.50 MB", "10 MB", "failed"),
        ("latency, 1 row", "3.000 ms", "4 ms", "passed"),
        ("latency against the champion, 1 row", NOTHING, "2 times", "skipped"),
        ("calibration error", "0.0200", "0.05", "passed"),
    ]


def test_the_page_shows_it(verdict: dict[str, Any]) -> None:
    page = render({**churn(), "verdict": verdict}, {})
    assert '<a href="#gate">Gate</a>' in page
    for words in ("region = north", "the margin of 0.005", "hangs on how long predictions took", "12.50 MB"):
        assert words in page, words
    assert page.count('class="base margin"') == 6  # in the verdict's card, and on each line of the table
    assert '<span class="chip bad">failed</span>' in page
    assert "See what the gate held it back for." in page


def test_a_margin_of_zero_is_no_second_line(verdict: dict[str, Any]) -> None:
    gate = gate_of(part(Verdict, {**verdict, "margin": 0.0}))
    assert gate is not None
    assert gate.margin is None


def test_a_first_version_without_limits_has_no_section() -> None:
    first = {"verdict": "first", "version": "1", "champion": None, "difference": None, "rows": 0, "checks": []}
    assert gate_of(part(Verdict, first)) is None
    assert '<a href="#gate">' not in render({**churn(), "verdict": first}, {})


def test_the_next_step_says_how_many_rows(verdict: dict[str, Any]) -> None:
    verdict |= {"verdict": "inconclusive", "needs": [{"outcome": "promote", "rows": 1200, "likely": 2400}]}
    page = render({**churn(), "verdict": verdict}, {})
    assert "never trained on beside these 143 (1,200 may be enough), and run again." in page
