from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.evaluation.intervals import bootstrap_interval, paired_interval, resampled
from penstock.components.evaluation.metrics import METRICS
from penstock.errors import DataError
from tests.components.evaluation.test_scorers import task

Array = np.ndarray[Any, Any]
ACCURACY = METRICS["accuracy"]
ROC_AUC = METRICS["roc_auc"]
RMSE = METRICS["neg_root_mean_squared_error"]


def right_or_wrong(right: Array) -> tuple[Array, Array]:
    """A task of class 1 whose prediction is right where told."""
    sure = np.asarray(right, dtype=float)
    return np.ones(len(sure), dtype=int), np.column_stack([1 - sure, sure])


class TestResampled:
    def test_draws_as_many_rows_as_there_are(self) -> None:
        weights = np.concatenate(list(resampled(50, None, seed=0, resamples=2000)))
        assert weights.shape == (2000, 50)
        assert (weights.sum(axis=1) == 50).all()
        assert weights.mean(axis=0) == pytest.approx(np.ones(50), abs=0.1)
        assert (weights > 0).mean() == pytest.approx(1 - (1 - 1 / 50) ** 50, abs=0.005)

    def test_draws_groups_whole(self) -> None:
        groups = np.array(["a", "b", "b", "c", "c", "c"], dtype=object)
        weights = np.concatenate(list(resampled(6, groups, seed=0, resamples=300)))
        assert (weights[:, 1] == weights[:, 2]).all()
        assert (weights[:, 3] == weights[:, 5]).all()
        assert (weights[:, [0, 1, 3]].sum(axis=1) == 3).all()

    def test_blocks_do_not_change_what_is_drawn(self, monkeypatch: pytest.MonkeyPatch) -> None:
        at_once = np.concatenate(list(resampled(40, None, seed=3, resamples=100)))
        monkeypatch.setattr("penstock.components.evaluation.intervals.WEIGHTS_AT_ONCE", 40 * 7)
        assert np.array_equal(at_once, np.concatenate(list(resampled(40, None, seed=3, resamples=100))))

    @pytest.mark.parametrize(("n_rows", "groups"), [(1, None), (60, np.zeros(60))])
    def test_refuses_a_single_unit(self, n_rows: int, groups: Array | None) -> None:
        with pytest.raises(DataError, match="tell nothing of chance") as caught:
            next(resampled(n_rows, groups, seed=0, resamples=10))
        assert caught.value.code == "PEN129"
        assert "at least two" in caught.value.remedy


class TestBootstrapInterval:
    def test_by_hand(self) -> None:
        """Two rows, one right: a quarter of the resamples score 0, a quarter 1."""
        y, prediction = right_or_wrong(np.array([True, False]))
        interval = bootstrap_interval(ACCURACY, y, prediction, seed=0)
        assert interval.model_dump() == {"value": 0.5, "low": 0.0, "high": 1.0, "confidence": 0.95}
        narrow = bootstrap_interval(ACCURACY, y, prediction, seed=0, confidence=0.1)
        assert (narrow.low, narrow.high) == (0.5, 0.5)

    def test_has_the_width_that_theory_says(self) -> None:
        y, prediction = right_or_wrong(np.arange(400) % 5 > 0)
        interval = bootstrap_interval(ACCURACY, y, prediction, seed=1, resamples=4000)
        error = np.sqrt(0.8 * 0.2 / 400)
        assert interval.value == 0.8
        assert interval.low == pytest.approx(0.8 - 1.96 * error, abs=0.006)
        assert interval.high == pytest.approx(0.8 + 1.96 * error, abs=0.006)

    @pytest.mark.slow
    def test_covers_the_truth(self) -> None:
        rng = np.random.default_rng(0)
        covered = 0
        for seed in range(200):
            y, prediction = right_or_wrong(rng.random(150) < 0.8)
            interval = bootstrap_interval(ACCURACY, y, prediction, seed=seed, resamples=250)
            covered += interval.low <= 0.8 <= interval.high
        assert 0.90 <= covered / 200 <= 0.99

    @pytest.mark.slow
    def test_covers_the_auc_of_two_gaussians(self) -> None:
        rng = np.random.default_rng(1)
        truth = 0.7602499389065233  # of two unit Gaussians one apart: Phi(1 / sqrt(2))
        covered = 0
        for seed in range(200):
            y = np.arange(160) % 2
            score = rng.normal(size=160) + y
            interval = bootstrap_interval(ROC_AUC, y, np.column_stack([-score, score]), seed=seed, resamples=200)
            covered += interval.low <= truth <= interval.high
        assert 0.90 <= covered / 200 <= 0.99

    @pytest.mark.slow
    def test_covers_the_truth_of_groups_only_where_groups_are_drawn(self) -> None:
        """Forty customers whose ten rows are right or wrong together."""
        rng = np.random.default_rng(2)
        groups = np.repeat(np.arange(40), 10)
        covered = {"rows": 0, "groups": 0}
        for seed in range(200):
            y, prediction = right_or_wrong(np.repeat(rng.random(40) < 0.7, 10))
            for kind, drawn in (("rows", None), ("groups", groups)):
                interval = bootstrap_interval(ACCURACY, y, prediction, groups=drawn, seed=seed, resamples=200)
                covered[kind] += interval.low <= 0.7 <= interval.high
        assert covered["rows"] / 200 < 0.6
        assert covered["groups"] / 200 > 0.88

    def test_is_the_same_to_the_bit(self) -> None:
        y, prediction = task("roc_auc", 300, np.random.default_rng(0))
        assert bootstrap_interval(ROC_AUC, y, prediction, seed=4) == bootstrap_interval(ROC_AUC, y, prediction, seed=4)
        assert bootstrap_interval(ROC_AUC, y, prediction, seed=4) != bootstrap_interval(ROC_AUC, y, prediction, seed=5)

    def test_leaves_out_resamples_of_one_class(self) -> None:
        y = np.array([1] + [0] * 19)
        score = np.linspace(0.9, 0.1, 20)
        interval = bootstrap_interval(ROC_AUC, y, np.column_stack([1 - score, score]), seed=0)
        assert (interval.value, interval.high) == (1.0, 1.0)
        assert interval.low < 0.1  # of the positive rows one is known

    @pytest.mark.parametrize("name", ["roc_auc", "r2"])
    def test_refuses_rows_that_do_not_define_the_metric(self, name: str) -> None:
        y, prediction = task(name, 30, np.random.default_rng(0))
        with pytest.raises(DataError, match="is not defined on these rows") as caught:
            bootstrap_interval(METRICS[name], np.zeros_like(y), prediction, seed=0)
        assert caught.value.code == "PEN129"
        assert "choose another metric" in caught.value.remedy

    def test_refuses_no_rows(self) -> None:
        with pytest.raises(DataError, match="is not defined on these rows"):
            bootstrap_interval(ACCURACY, np.zeros(0, dtype=int), np.zeros((0, 2)), seed=0)


class TestPairedInterval:
    def test_of_equal_predictions_is_nothing(self) -> None:
        y, prediction = task("roc_auc", 100, np.random.default_rng(0))
        interval = paired_interval(ROC_AUC, y, prediction, prediction, seed=0)
        assert (interval.value, interval.low, interval.high) == (0.0, 0.0, 0.0)

    @pytest.mark.parametrize("name", [name for name in METRICS if name not in ("neg_max_error", "top_k_accuracy")])
    def test_turns_its_sign_with_the_order(self, name: str) -> None:
        rng = np.random.default_rng(0)
        y, ours = task(name, 200, rng)
        theirs = ours[rng.permutation(200)]
        forth = paired_interval(METRICS[name], y, ours, theirs, seed=0)
        back = paired_interval(METRICS[name], y, theirs, ours, seed=0)
        assert forth.low > 0
        assert (forth.value, forth.low) == pytest.approx((-back.value, -back.high))

    def test_is_narrower_than_unpaired(self) -> None:
        rng = np.random.default_rng(0)
        y = rng.normal(size=300)
        champion = y + rng.normal(size=300)
        challenger = champion + 0.05 * rng.normal(size=300)
        paired = paired_interval(RMSE, y, challenger, champion, seed=0)
        alone = bootstrap_interval(RMSE, y, challenger, seed=0)
        assert paired.high - paired.low < 0.3 * (alone.high - alone.low)

    @pytest.mark.slow
    def test_covers_the_true_difference(self) -> None:
        rng = np.random.default_rng(3)
        covered = 0
        for seed in range(200):
            y = np.ones(150, dtype=int)
            ours, theirs = right_or_wrong(rng.random(150) < 0.85)[1], right_or_wrong(rng.random(150) < 0.75)[1]
            interval = paired_interval(ACCURACY, y, ours, theirs, seed=seed, resamples=200)
            covered += interval.low <= 0.1 <= interval.high
        assert 0.90 <= covered / 200 <= 0.99

    def test_is_wider_where_rows_come_in_groups(self) -> None:
        rng = np.random.default_rng(0)
        groups = np.repeat(np.arange(30), 8)
        y = np.ones(240, dtype=int)
        ours = right_or_wrong(np.repeat(rng.random(30) < 0.8, 8))[1]
        theirs = right_or_wrong(np.repeat(rng.random(30) < 0.8, 8))[1]
        plain = paired_interval(ACCURACY, y, ours, theirs, seed=0)
        grouped = paired_interval(ACCURACY, y, ours, theirs, groups=groups, seed=0)
        assert grouped.high - grouped.low > 2 * (plain.high - plain.low)
