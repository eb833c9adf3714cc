from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import ShuffleSplit

from penstock.components import splitting
from penstock.components.splitting.by_time import duration
from penstock.errors import PenstockError
from penstock.evidence.folds import Fold

DAY = np.timedelta64(1, "D")
NO_GAP = np.timedelta64(0, "us")


def cut(n_rows: int, recipe: str, **changes: Any) -> list[Fold]:
    options: dict[str, Any] = {
        "folds": 5, "validation": 0.25, "stratify": True, "seed": 0, "classes": None, "groups": None,
    }  # fmt: skip
    return splitting.folds(n_rows, recipe=recipe, **(options | changes))  # type: ignore[arg-type]


def days(*numbers: int) -> Any:
    return np.array([np.datetime64("2024-01-01") + number * DAY for number in numbers], dtype="datetime64[us]")


class TestResampling:
    @pytest.mark.covers("proc_recipe3_resampling_test")
    def test_draws_fresh_parts_as_shuffle_split_does(self) -> None:
        parts = cut(100, "resampling-and-test", folds=8)
        peer = ShuffleSplit(n_splits=8, test_size=0.25, random_state=0).split(np.zeros(100))
        for part, (train, valid) in zip(parts, peer, strict=True):
            assert part.train.tolist() == sorted(train)
            assert part.valid.tolist() == sorted(valid)
        overlaps = [set(one.valid) & set(other.valid) for one in parts for other in parts if one is not other]
        assert any(overlaps)

    def test_keeps_groups_whole_and_classes_alike(self) -> None:
        groups = np.repeat(np.arange(20), 5)
        for part in cut(100, "resampling-and-test", groups=groups):
            assert not set(groups[part.train]) & set(groups[part.valid])
        classes = np.repeat([0, 1], [80, 20])
        for part in cut(100, "resampling-and-test", classes=classes):
            assert np.bincount(classes[part.valid]).tolist() == [20, 5]


class TestLeaveOneOut:
    def test_leaves_out_each_row_once(self) -> None:
        parts = cut(7, "leave-one-out")
        assert [part.valid.tolist() for part in parts] == [[row] for row in range(7)]
        assert all(len(part.train) == 6 for part in parts)

    def test_leaves_out_each_group_once(self) -> None:
        groups = np.array(list("aabbbc"))
        assert [part.valid.tolist() for part in cut(6, "leave-one-out", groups=groups)] == [[0, 1], [2, 3, 4], [5]]

    def test_refuses_what_nobody_would_wait_for(self) -> None:
        with pytest.raises(PenstockError, match="1001 times") as caught:
            cut(1001, "leave-one-out")
        assert caught.value.code == "PEN212"
        assert "cross-validation-and-test" in caught.value.remedy


class TestOutOfBag:
    @pytest.mark.covers("proc_oob_validation")
    def test_a_third_of_the_rows_is_left_out_and_judges(self) -> None:
        parts = cut(1000, "out-of-bag", folds=50)
        for part in parts:
            assert len(part.train) == 1000
            assert not set(part.train) & set(part.valid)
            assert set(part.train) | set(part.valid) == set(range(1000))
        assert np.mean([len(part.valid) / 1000 for part in parts]) == pytest.approx((1 - 1 / 1000) ** 1000, abs=0.005)

    def test_draws_groups_whole(self) -> None:
        groups = np.repeat(np.arange(10), 3)
        for part in cut(30, "out-of-bag", groups=groups):
            assert not set(groups[part.train]) & set(groups[part.valid])


class TestGiven:
    @pytest.mark.covers("proc_benchmark_split")
    def test_the_named_rows_are_the_test_rows(self) -> None:
        part = pd.Series(["train", "test", None, "test", "dev"], name="part")
        assert splitting.given_rows(part, ["test"]).mask.tolist() == [False, True, False, True, False]
        assert splitting.given_rows(part, ["test", "dev"]).mask.tolist() == [False, True, False, True, True]
        assert splitting.given_rows(pd.Series([1, 2, 2.0]), [2]).mask.tolist() == [False, True, True]

    @pytest.mark.parametrize(("test", "what"), [(["tset"], "'tset'"), (["train", "test", "dev"], "every row")])
    def test_a_value_that_no_row_or_every_row_has_is_refused(self, test: list[str], what: str) -> None:
        with pytest.raises(PenstockError, match=what) as caught:
            splitting.given_rows(pd.Series(["train", "test", "dev"], name="part"), test)
        assert caught.value.code == "PEN210"


class TestByTime:
    @pytest.mark.covers("proc_time_split")
    def test_no_learning_row_is_later_than_a_test_row(self) -> None:
        times = days(*np.random.default_rng(0).integers(0, 300, size=500))
        cut = splitting.earlier_and_later(times, share=0.2, gap=NO_GAP)
        assert times[cut.train].max() < times[cut.test].min()
        assert not (cut.train & cut.test).any()
        assert cut.in_gap == 0
        assert 0.2 <= cut.test.mean() < 0.21

    def test_rows_in_the_gap_belong_to_neither(self) -> None:
        times = days(*range(100))
        cut = splitting.earlier_and_later(times, share=0.2, gap=7 * DAY)
        assert times[cut.test].min() - times[cut.train].max() > 7 * DAY
        assert cut.in_gap == 7

    def test_folds_judge_what_follows_what_they_learnt_from(self) -> None:
        times = days(*np.random.default_rng(1).permutation(120))
        parts = splitting.ordered_folds(times, folds=5, gap=NO_GAP, window=None)
        assert [len(part.train) for part in parts] == [20, 40, 60, 80, 100]
        assert all(len(part.valid) == 20 for part in parts)
        for part in parts:
            assert times[part.train].max() < times[part.valid].min()

    def test_a_window_rolls_and_a_gap_keeps_its_distance(self) -> None:
        times = days(*range(120))
        for part in splitting.ordered_folds(times, folds=5, gap=5 * DAY, window=10 * DAY):
            assert times[part.valid].min() - times[part.train].max() > 5 * DAY
            assert len(part.train) == 10

    def test_equal_moments_stay_on_one_side(self) -> None:
        times = days(*np.repeat(range(12), 10))
        for part in splitting.ordered_folds(times, folds=3, gap=NO_GAP, window=None):
            assert not set(times[part.train]) & set(times[part.valid])

    def test_too_many_ties_are_refused(self) -> None:
        with pytest.raises(PenstockError) as caught:
            splitting.earlier_and_later(days(*[3] * 50), share=0.2, gap=NO_GAP)
        assert caught.value.code == "PEN215"
        with pytest.raises(PenstockError, match="fold 1 of 5") as caught:
            splitting.ordered_folds(days(*[0] * 40, 1, 2), folds=5, gap=NO_GAP, window=None)
        assert "finer time" in caught.value.remedy

    def test_a_missing_time_is_refused(self) -> None:
        with pytest.raises(PenstockError, match="missing in 1 of 3 rows") as caught:
            splitting.times_of(pd.Series([pd.Timestamp("2024-01-01"), pd.NaT, pd.Timestamp("2024-01-02")], name="day"))
        assert caught.value.code == "PEN213"

    @pytest.mark.parametrize(
        ("text", "seconds"), [("7d", 604_800), ("2 weeks", 1_209_600), ("90min", 5_400), ("12h", 43_200)]
    )
    def test_lengths_of_time(self, text: str, seconds: int) -> None:
        assert duration(text, "split.gap") == np.timedelta64(seconds, "s")

    @pytest.mark.parametrize("text", ["", "7", "seven days", "-7d", "7y"])
    def test_other_texts_are_refused(self, text: str) -> None:
        with pytest.raises(PenstockError, match="not a length of time") as caught:
            duration(text, "split.gap")
        assert (caught.value.code, caught.value.where) == ("PEN214", "split.gap")


def test_a_fold_with_one_class_to_learn_from_is_refused() -> None:
    classes = np.repeat([0, 1], 50)
    parts = splitting.ordered_folds(days(*range(100)), folds=4, gap=NO_GAP, window=None)
    with pytest.raises(PenstockError, match="fold 1 have only one class") as caught:
        splitting.require_varied(parts, classes, classes=True)
    assert caught.value.code == "PEN211"
    with pytest.raises(PenstockError, match="only one value of the target") as caught:
        splitting.require_varied(parts, classes.astype(float), classes=False)
    assert "rows with other values" in caught.value.remedy
