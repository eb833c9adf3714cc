from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from penstock.components.search import Search, Trial
from tests.searching import make_search

CHOICES: list[tuple[str, dict[str, Any]]] = [("logistic-regression", {}), ("random-forest", {})]


def begin(strategy: str, choices: list[tuple[str, dict[str, Any]]] = CHOICES, **changes: Any) -> Search:
    options: dict[str, Any] = {"problem": "classification", "candidates": 13, "batch": 6, "seed": 0}
    return make_search(choices, strategy=strategy, **(options | changes))  # type: ignore[arg-type]


def score(trial: Trial) -> float:
    """Best for a logistic regression with C near 0.03."""
    if trial.candidate.name != "logistic-regression":
        return -10.0
    return -abs(math.log10(trial.candidate.parameters["C"] / 0.03))


def play(search: Search) -> list[list[Trial]]:
    batches = []
    while batch := search.ask():
        batches.append(batch)
        search.tell([score(trial) for trial in batch])
    return batches


class TestHalving:
    def test_many_on_few_rows_then_the_best_third_on_three_times_as_many(self) -> None:
        batches = play(begin("halving", batch=100))
        assert [len(batch) for batch in batches] == [1 + 36, 1 + 12, 1 + 4]
        assert [batch[0].share for batch in batches] == pytest.approx([1 / 9, 1 / 3, 1])
        for before, after in itertools.pairwise(batches):
            contestants = sorted((score(trial) for trial in before[1:]), reverse=True)
            assert sorted((score(trial) for trial in after[1:]), reverse=True) == contestants[: len(after) - 1]

    def test_all_rounds_cost_as_much_as_the_budget_on_all_rows(self) -> None:
        cost = sum(trial.share for batch in play(begin("halving")) for trial in batch if trial.candidate.number)
        assert cost == pytest.approx(12)

    def test_the_baseline_goes_through_every_round(self) -> None:
        rounds = [trial.share for batch in play(begin("halving")) for trial in batch if trial.candidate.name == "dummy"]
        assert rounds == pytest.approx([1 / 9, 1 / 3, 1])

    def test_failed_candidates_fall_out(self) -> None:
        search = begin("halving", batch=100)
        first = search.ask()
        search.tell([None] * (len(first) - 1) + [0.5])
        assert search.ask()[-1].candidate == first[-1].candidate

    def test_batches_change_nothing(self) -> None:
        together = [trial for batch in play(begin("halving", batch=100)) for trial in batch]
        assert [trial for batch in play(begin("halving", batch=5)) for trial in batch] == together


class TestTpe:
    def test_starts_with_the_baseline_and_every_default(self) -> None:
        names = [trial.candidate.name for trial in begin("tpe").ask()]
        assert names[:3] == ["dummy", "logistic-regression", "random-forest"]

    def test_later_suggestions_gather_where_scores_are_good(self) -> None:
        batches = play(begin("tpe", candidates=61, batch=10))
        trials = [trial for batch in batches for trial in batch]
        assert [trial.candidate.number for trial in trials] == list(range(61))
        early, late = trials[3:23], trials[41:]
        assert sum(map(score, late)) / len(late) > sum(map(score, early)) / len(early)
        assert max(map(score, trials)) > -0.2

    def test_the_same_seed_and_scores_give_the_same_suggestions(self) -> None:
        assert play(begin("tpe", candidates=25)) == play(begin("tpe", candidates=25))
        assert play(begin("tpe", candidates=25)) != play(begin("tpe", candidates=25, seed=1))

    def test_nothing_is_tried_twice_and_a_small_space_comes_to_its_end(self) -> None:
        trials = [
            trial
            for batch in play(begin("tpe", [("ridge", {"alpha": [1.0, 2.0]})], problem="regression"))
            for trial in batch
        ]
        tried = [repr(trial.candidate.parameters) for trial in trials[1:]]
        assert len(tried) == len(set(tried)) == 2

    def test_a_failed_candidate_does_not_end_the_search(self) -> None:
        search = begin("tpe")
        while batch := search.ask():
            search.tell([None if trial.candidate.number % 2 else float("nan") for trial in batch])
