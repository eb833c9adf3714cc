from __future__ import annotations

import numpy as np
import pytest

from penstock.components.evaluation.gate import decide, rows_needed
from penstock.components.evaluation.intervals import Interval, paired_interval
from penstock.components.evaluation.metrics import METRICS


def difference(value: float, low: float, high: float) -> Interval:
    return Interval(value=value, low=low, high=high, confidence=0.95)


@pytest.mark.parametrize(
    ("low", "value", "high", "rows", "verdict", "words"),
    [
        (0.001, 0.02, 0.04, 500, "promote", "is better"),
        (0.001, 0.002, 0.003, 500, "promote", "is better"),
        (0.0, 0.02, 0.04, 500, "inconclusive", "or none at all"),
        (-0.01, 0.02, 0.04, 500, "inconclusive", "or none at all"),
        (-0.02, 0.0, 0.006, 500, "inconclusive", "or none at all"),
        (-0.004, 0.0, 0.004, 500, "hold", "no gain above the margin of 0.005"),
        (-0.03, -0.01, 0.005, 500, "hold", "no gain above the margin of 0.005"),
        (0.0, 0.0, 0.0, 500, "hold", "no gain above the margin of 0.005"),
        (-0.03, -0.02, -0.01, 500, "hold", "is worse"),
        (0.1, 0.2, 0.3, 49, "inconclusive", "too few rows"),
        (0.1, 0.2, 0.3, 50, "promote", "is better"),
        (-0.3, -0.2, -0.1, 49, "inconclusive", "too few rows"),
    ],
)
def test_verdicts(low: float, value: float, high: float, rows: int, verdict: str, words: str) -> None:
    decided = decide(difference(value, low, high), margin=0.005, rows=rows)
    assert decided.verdict == verdict
    assert words in decided.reason


def test_the_reason_gives_the_numbers() -> None:
    reason = decide(difference(0.0213, 0.0049, 0.0402), margin=0.005, rows=812).reason
    assert "+0.0213, 95 % interval +0.0049 to +0.0402, on 812 rows" in reason


def test_an_identical_model_is_held_without_a_margin() -> None:
    assert decide(difference(0.0, 0.0, 0.0), margin=0.0, rows=500).verdict == "hold"


class TestWhatItWouldTake:
    def test_rows_to_promote_or_to_hold(self) -> None:
        """+0.002 with a reach of 0.008: four times as far as zero, and 8/3 times as far as the margin of 0.005."""
        found = decide(difference(0.002, -0.006, 0.010), margin=0.005, rows=1000)
        surer = ((1.959964 + 0.841621) / 1.959964) ** 2
        promote, hold = found.needs
        assert (promote.outcome, promote.rows, hold.outcome, hold.rows) == ("promote", 16_000, "hold", 7112)
        assert (promote.likely, hold.likely) == pytest.approx((16_000 * surer, 7111.1 * surer), abs=2)
        assert "about 16,000 rows would show that it is better (33,000 with a probability of 80%)" in found.reason
        assert (
            "or about 7,200 rows would show that there is no such gain (15,000 with a probability of 80%)"
            in found.reason
        )

    def test_a_gain_above_the_margin_can_only_be_shown(self) -> None:
        (need,) = decide(difference(0.02, -0.01, 0.05), margin=0.005, rows=200).needs
        assert (need.outcome, need.rows) == ("promote", 450)

    def test_a_loss_can_only_be_shown_to_be_no_gain(self) -> None:
        (need,) = decide(difference(-0.005, -0.025, 0.015), margin=0.005, rows=100).needs
        assert (need.outcome, need.rows) == ("hold", 400)

    def test_groups_are_counted_in_groups(self) -> None:
        assert "on 80 groups; if the difference stays so, about 320 groups" in (
            decide(difference(0.02, -0.02, 0.06), margin=0.005, rows=80, unit="groups").reason
        )

    def test_few_rows_need_at_least_the_fewest(self) -> None:
        found = decide(difference(0.2, 0.1, 0.3), margin=0.005, rows=30)
        assert [need.rows for need in found.needs] == [50]

    def test_no_number_of_rows_settles_a_difference_at_zero_without_a_margin(self) -> None:
        found = decide(difference(0.0, -0.01, 0.01), margin=0.0, rows=500)
        assert (found.verdict, found.needs) == ("inconclusive", [])
        assert "no number of such rows would settle it" in found.reason

    def test_decided_verdicts_need_nothing(self) -> None:
        assert decide(difference(0.02, 0.01, 0.03), margin=0.005, rows=500).needs == []

    @pytest.mark.parametrize(("factor", "distance", "needed"), [(0.1, 0.1, 100), (0.1, 0.0, None), (1.0, 1e-9, None)])
    def test_rows_needed(self, factor: float, distance: float, needed: int | None) -> None:
        assert rows_needed(factor, distance, 100) == needed

    def test_so_many_rows_do_decide(self) -> None:
        """Drawn again with the number of rows that was named, about half of the intervals are above zero."""
        rng = np.random.default_rng(5)

        def found(rows: int) -> Interval:
            gain = 0.1 + rng.normal(size=rows)
            half = 1.96 * gain.std() / np.sqrt(rows)
            return difference(gain.mean(), gain.mean() - half, gain.mean() + half)

        exact = decide(difference(0.1, 0.1 - 0.196, 0.1 + 0.196), margin=0.005, rows=100).needs[0]
        promoted = np.mean([decide(found(exact.rows), 0.005, exact.rows).verdict == "promote" for _ in range(300)])
        likely = np.mean([decide(found(exact.likely), 0.005, exact.likely).verdict == "promote" for _ in range(300)])
        assert promoted == pytest.approx(0.5, abs=0.1)
        assert likely == pytest.approx(0.8, abs=0.08)


def verdicts(gain: float, runs: int, rows: int) -> dict[str, float]:
    """Champion right in 80 % of rows, challenger in `gain` more, with most of their errors in common."""
    rng = np.random.default_rng(7)
    y = np.ones(rows, dtype=int)
    found = {"promote": 0.0, "hold": 0.0, "inconclusive": 0.0}
    for seed in range(runs):
        hard, own, theirs = rng.random((3, rows))
        right = [(hard > 0.15) & (own > 0.05 / 0.85 - gain / 0.85), (hard > 0.15) & (theirs > 0.05 / 0.85)]
        ours, champion = (np.column_stack([1 - sure, sure]).astype(float) for sure in right)
        interval = paired_interval(METRICS["accuracy"], y, ours, champion, seed=seed, resamples=200)
        found[decide(interval, margin=0.005, rows=rows).verdict] += 1 / runs
    return found


@pytest.mark.slow
def test_equal_models_are_rarely_promoted() -> None:
    assert verdicts(0.0, runs=300, rows=200)["promote"] <= 0.05


@pytest.mark.slow
def test_better_models_are_promoted_and_worse_ones_are_not() -> None:
    assert verdicts(0.045, runs=40, rows=600)["promote"] > 0.8
    worse = verdicts(-0.05, runs=40, rows=600)
    assert worse["promote"] == 0
    assert worse["hold"] > 0.8
