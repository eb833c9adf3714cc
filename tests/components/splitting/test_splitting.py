from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

from penstock.components import splitting
from penstock.errors import DataError
from penstock.evidence.folds import Fold

NAMES = np.array([f"customer-{number}" for number in range(2000)], dtype=object)


def choose(ids: Any, share: float = 0.2, seed: int = 0, classes: Any = None, groups: Any = None) -> splitting.TestRows:
    return splitting.test_rows(ids, share=share, seed=seed, classes=classes, groups=groups)


def cut(n_rows: int, **changes: Any) -> list[Fold]:
    options: dict[str, Any] = {
        "recipe": "cross-validation-and-test",
        "folds": 5,
        "validation": 0.25,
        "stratify": True,
        "seed": 0,
        "classes": None,
        "groups": None,
    }
    return splitting.folds(n_rows, **(options | changes))


def hash_of(name: str, seed: int) -> float:
    digest = hashlib.blake2b(name.encode(), digest_size=8, key=str(seed).encode()).digest()
    return int.from_bytes(digest, "little") / 2**64


class TestRowIds:
    def test_are_the_key_as_text(self) -> None:
        frame = pd.DataFrame({"id": [7, 8, 10]}, index=[5, 6, 7])
        ids = splitting.row_ids(frame, key="id", source="a.csv")
        assert ids.tolist() == ["7", "8", "10"]
        assert ids.index.tolist() == [5, 6, 7]

    def test_do_not_hang_on_the_dtype_of_the_key(self) -> None:
        whole = pd.DataFrame({"id": [7, 8]})
        assert splitting.row_ids(whole, key="id", source="").equals(
            splitting.row_ids(whole.astype("float64"), key="id", source="")
        )

    def test_without_a_key_name_source_and_position(self) -> None:
        frame = pd.DataFrame({"x": [1.0, 1.0, 1.0]})
        ids = splitting.row_ids(frame, key=None, source="data/churn.csv")
        digest = hashlib.blake2b(b"data/churn.csv", digest_size=6).hexdigest()
        assert ids.tolist() == [f"{digest}-0", f"{digest}-1", f"{digest}-2"]
        assert not set(ids) & set(splitting.row_ids(frame, key=None, source="data/other.csv"))

    def test_refuse_a_repeated_key(self) -> None:
        frame = pd.DataFrame({"id": ["a", "b", "a", "c", "b", "b"]})
        with pytest.raises(DataError) as caught:
            splitting.row_ids(frame, key="id", source="")
        assert caught.value.code == "PEN115"
        assert "5 rows share theirs with another: 'a', 'b'" in caught.value.what
        assert "`group: id`" in caught.value.remedy

    def test_name_at_most_five_repeated_keys(self) -> None:
        frame = pd.DataFrame({"id": [*range(8), *range(8)]})
        with pytest.raises(DataError, match="'0', '1', '2', '3', '4' and 3 more"):
            splitting.row_ids(frame, key="id", source="")

    def test_refuse_a_missing_key(self) -> None:
        frame = pd.DataFrame({"id": ["a", None, "b", None]})
        with pytest.raises(DataError, match=r"missing in 2 row\(s\), at positions 1, 3") as caught:
            splitting.row_ids(frame, key="id", source="")
        assert caught.value.code == "PEN115"
        assert "leave out `key`" in caught.value.remedy


class TestTestRows:
    def test_are_those_whose_hash_is_under_the_share(self) -> None:
        expected = [hash_of(name, 7) < 0.2 for name in NAMES]
        assert choose(NAMES, seed=7).mask.tolist() == expected

    def test_never_change_between_versions(self) -> None:
        """Written down once: a change here moves rows between the sides of every pipeline in use."""
        chosen = np.flatnonzero(choose(NAMES[:50], seed=7).mask)
        assert chosen.tolist() == [5, 10, 16, 18, 20, 25, 29, 36, 38, 44, 45]

    @pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
    def test_are_the_share_of_the_rows(self, share: float) -> None:
        sizes = np.array([choose(NAMES, share, seed).mask.sum() for seed in range(20)])
        spread = np.sqrt(len(NAMES) * share * (1 - share))
        assert abs(sizes.mean() - len(NAMES) * share) < 4 * spread / np.sqrt(20)
        assert 0.5 < sizes.std() / spread < 1.6

    def test_of_two_seeds_have_nothing_in_common_but_chance(self) -> None:
        both = choose(NAMES, 0.5, seed=1).mask & choose(NAMES, 0.5, seed=2).mask
        assert abs(both.mean() - 0.25) < 0.04

    def test_accept_a_series_and_a_list_alike(self) -> None:
        assert np.array_equal(choose(pd.Series(NAMES, dtype="str")).mask, choose(NAMES.tolist()).mask)

    @settings(max_examples=40, deadline=None)
    @given(
        names=st.lists(st.text(max_size=8), min_size=30, max_size=120, unique=True),
        size=st.integers(15, 120),
        share=st.floats(0.05, 0.6),
        seed=st.integers(0, 2**31 - 1),
        n_classes=st.integers(1, 4),
    )
    def test_survive_the_growth_of_the_data(
        self, names: list[str], size: int, share: float, seed: int, n_classes: int
    ) -> None:
        classes = np.arange(len(names)) % n_classes
        before = choose(names[:size], share, seed, classes[:size])
        after = choose(names, share, seed, classes)
        settled = np.array([hash_of(name, seed) < share for name in names])
        assert after.mask[settled].all()
        assert before.mask[settled[:size]].all()
        beyond = {"before": before.mask & ~settled[:size], "after": after.mask & ~settled}
        assert beyond["before"].sum() == sum(before.topped_up.values())
        assert beyond["after"].sum() == sum(after.topped_up.values())

    def test_do_not_hang_on_the_order_of_the_rows(self) -> None:
        order = np.random.default_rng(0).permutation(len(NAMES))
        classes = (np.arange(len(NAMES)) % 400 == 0).astype(int)
        straight, mixed = choose(NAMES, classes=classes), choose(NAMES[order], classes=classes[order])
        assert np.array_equal(straight.mask[order], mixed.mask)
        assert straight.topped_up == mixed.topped_up

    def test_top_up_a_rare_class_by_lowest_hash(self) -> None:
        classes = np.zeros(len(NAMES), dtype=int)
        classes[:14], classes[14:18], classes[18] = 1, 2, 3
        chosen = choose(NAMES, 0.01, 3, classes)
        by_hash = {name: hash_of(name, 3) for name in NAMES}
        lowest_five = sorted(NAMES[:14], key=by_hash.__getitem__)[:5]
        lowest_two = sorted(NAMES[14:18], key=by_hash.__getitem__)[:2]
        assert set(NAMES[:14][chosen.mask[:14]]) == set(lowest_five)
        assert set(NAMES[14:18][chosen.mask[14:18]]) == set(lowest_two)  # at most half of the class
        already = {code: sum(by_hash[name] < 0.01 for name in NAMES[classes == code]) for code in (1, 2)}
        assert chosen.topped_up == {1: 5 - already[1], 2: 2 - already[2]}
        assert not chosen.mask[18] or by_hash[NAMES[18]] < 0.01  # the only row of a class stays with the training rows

    def test_without_classes_are_not_topped_up(self) -> None:
        chosen = choose(NAMES[:12], 0.2, seed=7)
        assert chosen.mask.tolist() == [hash_of(name, 7) < 0.2 for name in NAMES[:12]]
        assert 0 < chosen.mask.sum() < 5
        assert chosen.topped_up == {}

    def test_take_groups_whole(self) -> None:
        groups = np.array([f"g{number % 300}" for number in range(len(NAMES))], dtype=object)
        chosen = choose(NAMES, groups=groups)
        expected = [hash_of(group, 0) < 0.2 for group in groups]
        assert chosen.mask.tolist() == expected
        assert chosen.topped_up == {}

    def test_do_not_hang_on_the_dtype_of_the_group(self) -> None:
        groups = np.arange(len(NAMES)) % 100
        assert np.array_equal(choose(NAMES, groups=groups).mask, choose(NAMES, groups=groups.astype(float)).mask)

    @pytest.mark.slow
    @settings(max_examples=60, deadline=None)
    @given(
        groups=st.lists(st.integers(0, 12), min_size=20, max_size=80),
        share=st.floats(0.01, 0.5),
        seed=st.integers(0, 1000),
    )
    def test_top_up_by_whole_groups(self, groups: list[int], share: float, seed: int) -> None:
        group = np.array(groups)
        classes = (np.arange(len(groups)) % 5 == 0).astype(int)
        try:
            chosen = choose(NAMES[: len(groups)], share, seed, classes, group)
        except DataError as error:
            assume(error.code != "PEN117")
            raise
        assert not set(group[chosen.mask]) & set(group[~chosen.mask])
        for code, added in chosen.topped_up.items():
            own = classes == code
            settled = np.array([hash_of(str(number), seed) < share for number in groups])
            assert 0 < added <= (own & chosen.mask & ~settled).sum()

    def test_leave_a_class_half_of_its_groups(self) -> None:
        groups = np.repeat(["a", "b", "c", "d"], [1, 1, 1, 97])
        chosen = choose(NAMES[:100], 0.0001, 0, np.zeros(100, dtype=int), groups)
        assert len(set(groups[chosen.mask])) == 2
        assert "d" not in set(groups[chosen.mask])  # it alone is more than half of the rows
        assert chosen.topped_up == {0: 2}

    def test_refuse_what_cannot_be_parted(self) -> None:
        with pytest.raises(DataError, match="10 rows of 1 groups are too few") as caught:
            choose(NAMES[:10], groups=np.zeros(10))
        assert caught.value.code == "PEN117"
        assert "of other groups" in caught.value.remedy
        with pytest.raises(DataError, match="3 rows are too few"):
            choose(NAMES[:3], 0.0001)

    def test_refuse_rows_without_a_group(self) -> None:
        groups = np.array(["a", None, "b", "a"], dtype=object)
        with pytest.raises(DataError, match="1 of 4 rows have no group, at positions 1") as caught:
            choose(NAMES[:4], groups=groups)
        assert caught.value.code == "PEN128"
        assert "give every row its group" in caught.value.remedy


class TestFolds:
    @pytest.mark.covers("proc_equal_folds_properly_sampled")
    @pytest.mark.parametrize("n_folds", [2, 3, 5, 10])
    def test_are_equal_disjoint_and_stratified(self, n_folds: int) -> None:
        classes = np.random.default_rng(1).choice(3, size=503, p=[0.7, 0.2, 0.1])
        parts = cut(503, folds=n_folds, classes=classes)
        assert len(parts) == n_folds
        assert np.array_equal(np.sort(np.concatenate([part.valid for part in parts])), np.arange(503))
        sizes = [len(part.valid) for part in parts]
        assert max(sizes) - min(sizes) <= 1
        for part in parts:
            assert part.train.dtype == part.valid.dtype == np.int64
            assert np.array_equal(np.sort(np.concatenate(part)), np.arange(503))
            for code, count in enumerate(np.bincount(classes)):
                assert abs((classes[part.valid] == code).sum() - count / n_folds) <= 1

    def test_without_classes_are_equal_and_disjoint(self) -> None:
        parts = cut(101, folds=4)
        assert sorted(len(part.valid) for part in parts) == [25, 25, 25, 26]
        assert np.array_equal(np.sort(np.concatenate([part.valid for part in parts])), np.arange(101))

    @pytest.mark.covers("proc_shuffle_before_split", "cl_unshuffled_split")
    def test_are_shuffled(self) -> None:
        X, y = load_iris(return_X_y=True)

        def accuracy(parts: Any) -> float:
            model = KNeighborsClassifier(5)
            return float(np.mean([model.fit(X[train], y[train]).score(X[valid], y[valid]) for train, valid in parts]))

        assert accuracy(KFold(3).split(X)) == 0.0
        assert accuracy(cut(150, folds=3, stratify=False, classes=y)) > 0.93
        assert accuracy(cut(150, folds=3, classes=y)) > 0.93
        test = choose(NAMES[:150], classes=y).mask
        assert accuracy([(np.flatnonzero(~test), np.flatnonzero(test))]) > 0.93  # not the last rows, all of one class

    @pytest.mark.covers("proc_shuffle_before_split")
    def test_of_rows_in_order_of_time_are_blocks_that_follow_each_other(self) -> None:
        times = np.datetime64("2024-01-01", "us") + np.arange(60) * np.timedelta64(1, "D")
        parts = splitting.ordered_folds(times, folds=5, gap=np.timedelta64(0, "us"), window=None)
        assert [(part.train[-1], part.valid[0], part.valid[-1]) for part in parts] == [
            (10 * number - 1, 10 * number, 10 * number + 9) for number in range(1, 6)
        ]

    @pytest.mark.parametrize("recipe", ["cross-validation-and-test", "train-validation-test"])
    @pytest.mark.parametrize("grouped", [False, True])
    @pytest.mark.parametrize("stratify", [False, True])
    def test_follow_the_seed(self, recipe: str, grouped: bool, stratify: bool) -> None:
        options = {
            "recipe": recipe,
            "stratify": stratify,
            "classes": np.arange(200) % 3,
            "groups": np.arange(200) // 4 if grouped else None,
        }
        same, again, other = cut(200, **options), cut(200, **options), cut(200, seed=1, **options)
        assert all(np.array_equal(a.valid, b.valid) for a, b in zip(same, again, strict=True))
        assert any(not np.array_equal(a.valid, b.valid) for a, b in zip(same, other, strict=True))

    @pytest.mark.parametrize("recipe", ["cross-validation-and-test", "train-validation-test"])
    @pytest.mark.parametrize("stratify", [False, True])
    def test_keep_groups_on_one_side(self, recipe: str, stratify: bool) -> None:
        rng = np.random.default_rng(0)
        groups = np.array([f"patient {number}" for number in rng.integers(0, 40, size=300)], dtype=object)
        for part in cut(300, recipe=recipe, stratify=stratify, classes=rng.integers(0, 2, 300), groups=groups):
            assert len(part.valid)
            assert not set(groups[part.train]) & set(groups[part.valid])
            assert np.array_equal(np.sort(np.concatenate(part)), np.arange(300))

    def test_stratify_whole_groups(self) -> None:
        """The shares of the classes are alike over the folds, though a group is of one class."""
        groups = np.repeat(np.arange(60), 5)
        classes = (groups < 12).astype(int)
        shares = [classes[part.valid].mean() for part in cut(300, classes=classes, groups=groups)]
        assert max(shares) - min(shares) < 0.12
        unbalanced = [classes[part.valid].mean() for part in cut(300, classes=classes, groups=groups, stratify=False)]
        assert max(unbalanced) - min(unbalanced) > 0.12

    def test_of_train_validation_test_are_one(self) -> None:
        classes = np.arange(200) % 10 == 0
        (part,) = cut(200, recipe="train-validation-test", classes=classes)
        assert (len(part.train), len(part.valid)) == (150, 50)
        assert classes[part.valid].sum() == 5
        (plain,) = cut(200, recipe="train-validation-test")
        assert len(plain.valid) == 50

    def test_refuse_a_class_rarer_than_the_folds(self) -> None:
        classes = np.array([0] * 20 + [1] * 3)
        with pytest.raises(DataError, match=r"class 1 has 3 training row\(s\), which cannot fill 5 folds") as caught:
            cut(23, classes=classes)
        assert caught.value.code == "PEN116"
        assert "set `folds: 3`, say `stratify: false`" in caught.value.remedy
        assert len(cut(23, classes=classes, folds=3)) == 3
        assert len(cut(23, classes=classes, stratify=False)) == 5

    def test_refuse_fewer_rows_than_folds(self) -> None:
        with pytest.raises(DataError, match=r"4 training row\(s\) cannot fill 5 folds") as caught:
            cut(4)
        assert caught.value.code == "PEN116"

    @pytest.mark.parametrize("stratify", [False, True])
    def test_refuse_fewer_groups_than_folds(self, stratify: bool) -> None:
        with pytest.raises(DataError, match=r"4 group\(s\) cannot fill 5 folds") as caught:
            cut(100, groups=np.arange(100) % 4, classes=np.arange(100) % 2, stratify=stratify)
        assert caught.value.code == "PEN117"
        assert "fewer folds" in caught.value.remedy

    @pytest.mark.parametrize(
        ("n_rows", "changes", "code"),
        [
            (20, {"classes": np.array([0] * 19 + [1])}, "PEN116"),
            (6, {"classes": np.arange(6) % 3, "validation": 0.2}, "PEN116"),
            (1, {}, "PEN116"),
            (30, {"groups": np.zeros(30)}, "PEN117"),
        ],
        ids=["a class of one row", "fewer held-out rows than classes", "one row", "one group"],
    )
    def test_of_train_validation_test_refuse_too_few(self, n_rows: int, changes: dict[str, Any], code: str) -> None:
        with pytest.raises(DataError) as caught:
            cut(n_rows, recipe="train-validation-test", **changes)
        assert caught.value.code == code


class TestOverlap:
    def test_is_found(self) -> None:
        assert splitting.ids_meet(["c", "a", "b"], pd.Series(["b", "d", "c"])) == ["b", "c"]
        assert splitting.ids_meet(["a"], ["b"]) == []

    def test_is_refused(self) -> None:
        splitting.refuse_overlap(["a", "b"], ["c"])
        with pytest.raises(DataError, match=r"2 row\(s\) to be evaluated on were seen in fitting: 'b', 'c'") as caught:
            splitting.refuse_overlap(["a", "b", "c"], ["c", "b"])
        assert caught.value.code == "PEN118"
        assert "not trained on" in caught.value.remedy
