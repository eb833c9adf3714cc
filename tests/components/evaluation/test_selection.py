from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.evaluation.intervals import resampled
from penstock.components.evaluation.metrics import METRICS
from penstock.components.evaluation.selection import correct_draws, correct_for_selection, draw_scores, rank
from penstock.errors import DataError

Array = np.ndarray[Any, Any]
ROC_AUC = METRICS["roc_auc"]


def probabilities(score: Array) -> Array:
    p = 1 / (1 + np.exp(-score))
    return np.column_stack([1 - p, p])


def noise(n_candidates: int, n_rows: int, rng: np.random.Generator) -> list[Array]:
    return [probabilities(rng.normal(size=n_rows)) for _ in range(n_candidates)]


class TestRank:
    def test_by_mean_of_folds(self) -> None:
        assert rank([[0.5, 0.7], [0.9, 0.5], [0.1, 0.2]]) == [1, 0, 2]

    def test_gives_ties_to_the_earlier_candidate(self) -> None:
        assert rank([[0.3, 0.2, 0.1], [0.4, 0.5, 0.6], [0.6, 0.5, 0.4], [0.1, 0.2, 0.3]]) == [1, 2, 0, 3]

    def test_puts_undefined_candidates_last(self) -> None:
        assert rank([[float("nan"), 1.0], [-5.0, -6.0], [0.1, 0.1]]) == [2, 1, 0]

    def test_of_nothing(self) -> None:
        assert rank([]) == []


class TestCorrectForSelection:
    @pytest.mark.slow
    def test_takes_the_luck_out_of_picking_among_noise(self) -> None:
        naive, corrected = [], []
        for seed in range(25):
            rng = np.random.default_rng(seed)
            y = rng.integers(0, 2, size=200)
            score = correct_for_selection(ROC_AUC, y, noise(20, 200, rng), seed=seed, resamples=100)
            naive.append(score.naive)
            corrected.append(score.corrected.value)
            assert score.corrected.low < 0.5 < score.corrected.high
        assert min(naive) > 0.53
        assert np.mean(naive) > 0.56
        assert np.mean(corrected) == pytest.approx(0.5, abs=0.02)  # its error over 25 draws is 0.006

    @pytest.mark.parametrize("name", ["accuracy", "neg_log_loss", "balanced_accuracy", "average_precision"])
    def test_lowers_the_score_of_the_luckiest(self, name: str) -> None:
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, size=200)
        score = correct_for_selection(METRICS[name], y, noise(40, 200, rng), seed=0)
        assert score.corrected.value < score.naive

    def test_leaves_a_single_candidate_its_score(self) -> None:
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, size=400)
        score = correct_for_selection(ROC_AUC, y, [probabilities(y + rng.normal(size=400))], seed=0)
        assert score.corrected.value == pytest.approx(score.naive, abs=0.005)

    def test_leaves_a_clear_winner_its_score(self) -> None:
        rng = np.random.default_rng(0)
        y = rng.normal(size=300)
        candidates = [y + 0.2 * rng.normal(size=300), *(y + 2 * rng.normal(size=300) for _ in range(20))]
        score = correct_for_selection(METRICS["r2"], y, candidates, seed=0)
        assert score.naive == METRICS["r2"].function(y, candidates[0])
        assert score.corrected.value == pytest.approx(score.naive, abs=0.005)

    @pytest.mark.parametrize("groups", [None, np.repeat(np.arange(20), 4)], ids=["rows", "groups"])
    def test_is_what_plain_loops_give(self, groups: Array | None) -> None:
        rng = np.random.default_rng(1)
        y = rng.integers(0, 2, size=80)
        candidates = noise(6, 80, rng)
        outcomes = []
        for weights in np.concatenate(list(resampled(80, groups, seed=9, resamples=15))):
            drawn = [ROC_AUC.function(y, candidate, weights) for candidate in candidates]
            left = weights == 0
            outcomes.append(ROC_AUC.function(y[left], candidates[int(np.argmax(drawn))][left]))
        score = correct_for_selection(ROC_AUC, y, candidates, groups=groups, seed=9, resamples=15)
        assert score.naive == max(ROC_AUC.function(y, candidate) for candidate in candidates)
        assert score.corrected.value == pytest.approx(np.mean(outcomes), abs=1e-12)
        assert score.corrected.low == pytest.approx(np.quantile(outcomes, 0.025), abs=1e-12)
        assert score.corrected.high == pytest.approx(np.quantile(outcomes, 0.975), abs=1e-12)
        assert score.resamples == 15

    def test_counts_only_resamples_that_define_the_metric(self) -> None:
        rng = np.random.default_rng(0)
        y = np.array([1, 1] + [0] * 30)
        score = correct_for_selection(ROC_AUC, y, noise(5, 32, rng), seed=0, resamples=300)
        # One positive must be drawn and the other not: 2 x (share drawn) x (share not drawn), about.
        assert score.resamples / 300 == pytest.approx(2 * 0.637 * 0.363, abs=0.08)

    def test_refuses_rows_of_one_class(self) -> None:
        with pytest.raises(DataError) as caught:
            correct_for_selection(ROC_AUC, np.zeros(30, dtype=int), noise(3, 30, np.random.default_rng(0)), seed=0)
        assert caught.value.code == "PEN129"

    def test_is_the_same_to_the_bit(self) -> None:
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, size=100)
        candidates = noise(5, 100, rng)
        first, second = (correct_for_selection(ROC_AUC, y, candidates, seed=2, resamples=50) for _ in range(2))
        assert first == second


def test_folds_are_averaged_where_they_pick() -> None:
    """A candidate whose level shifts from fold to fold orders the rows of each fold well, and all together badly."""
    rng = np.random.default_rng(0)
    y, folds = rng.integers(0, 2, size=400), np.arange(400) % 2
    shifting, plain = y + rng.normal(size=400) + 5.0 * folds, y + rng.normal(scale=2.0, size=400)
    candidates = [probabilities(shifting / 10), probabilities(plain / 10)]
    by_folds = correct_draws(draw_scores(ROC_AUC, y, candidates, folds=folds, seed=0, resamples=200))
    means = [np.mean([ROC_AUC.function(y[folds == part], one[folds == part]) for part in (0, 1)]) for one in candidates]
    assert means[0] > means[1]
    assert by_folds.naive == pytest.approx(means[0])
    assert by_folds.corrected.value == pytest.approx(means[0], abs=0.02)
    for mean, interval in zip(means, by_folds.candidates, strict=True):
        assert interval.value == pytest.approx(mean)
        assert interval.low < mean < interval.high
    pooled = correct_draws(draw_scores(ROC_AUC, y, candidates, seed=0, resamples=200))
    assert pooled.candidates[0].high < means[0]
