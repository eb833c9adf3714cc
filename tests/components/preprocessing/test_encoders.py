from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.preprocessing.frequency import FrequencyEncoder
from penstock.components.preprocessing.hashing import HashingEncoder
from penstock.components.preprocessing.target import InnerFoldTargetEncoder
from penstock.store import dump_estimator


def levels(*values: str | None, name: str = "city") -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(values, dtype="str")})


def encoder(name: str, problem: str = "classification", **given: Any) -> Any:
    return build(name, given, seed=0, problem=problem)


@pytest.mark.parametrize("estimator", [FrequencyEncoder(), HashingEncoder(), InnerFoldTargetEncoder()])
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("prep-one-hot")
def test_a_column_for_each_level() -> None:
    brands = ["Fiat", "Toyota", "Ford"]
    frame = levels(*brands)
    # Columns come by the alphabet; in the order in which the levels are told it is their second.
    coded = encoder("one-hot", rare=None, categories=[brands]).fit_transform(frame)
    assert coded.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert encoder("one-hot", rare=None).fit_transform(frame).sum(axis=1).tolist() == [1, 1, 1]
    classes = encoder("one-hot", rare=None, categories=[["1", "2", "3", "4", "5"]]).fit_transform(levels("2"))
    assert classes.tolist() == [[0, 1, 0, 0, 0]]


def test_the_share_of_rows_with_missing_as_a_level_and_new_ones_at_zero() -> None:
    learnt = encoder("frequency").fit(levels("a", "a", "b", None))
    assert learnt.transform(levels("a", "b", None, "new")).ravel().tolist() == [0.5, 0.25, 0.25, 0.0]
    whole = encoder("frequency").fit(levels("a", "b"))
    assert whole.transform(levels(None)).ravel().tolist() == [0.0]


def test_no_rows_own_target_is_in_its_features() -> None:
    """Levels that say nothing: encoded on the rows themselves they would seem to know the target."""
    rng = np.random.default_rng(0)
    frame = levels(*(f"level {number}" for number in rng.integers(0, 100, 400)))
    y = rng.integers(0, 2, 400)
    honest = encoder("target").fit_transform(frame, y).ravel()
    leaking = encoder("target").fit(frame, y).transform(frame).ravel()
    assert abs(np.corrcoef(honest, y)[0, 1]) < 0.2
    assert np.corrcoef(leaking, y)[0, 1] > 0.3


def test_levels_become_the_mean_target() -> None:
    frame, y = levels(*["a", "b"] * 50, None, None), np.array([10.0, 20.0] * 50 + [30.0, 30.0])
    learnt = encoder("target", "regression", smooth=0.0).fit(frame, y)
    assert learnt.transform(levels("a", "b", None, "new")).ravel() == pytest.approx([10, 20, 30, y.mean()])
    whole_numbers = encoder("target", "regression", smooth=0.0).fit(levels("a", "b", "b"), np.array([1.0, 2.0, 4.0]))
    assert whole_numbers.transform(levels("b")).tolist() == [[3.0]]
    three = encoder("target").fit(levels("a", "b", "c", "a"), np.array([0, 1, 2, 0]))
    assert three.transform(levels("a")).shape == (1, 3)
    assert list(three.get_feature_names_out()) == ["city_0", "city_1", "city_2"]


def test_hashes_need_no_memory_of_the_levels() -> None:
    few, many = levels("a", "b"), levels(*(f"level {number}" for number in range(5000)))
    learnt = encoder("hashing", columns=16).fit(few)
    assert len(dump_estimator(learnt)) == len(dump_estimator(encoder("hashing", columns=16).fit(many)))
    shown = learnt.transform(many)
    assert shown.shape == (5000, 16)
    assert np.abs(shown).sum(axis=1).tolist() == [1.0] * 5000
    assert abs(shown.sum()) < 500
    assert encoder("hashing", signs=False).fit(few).transform(few).min() == 0.0
    assert not np.array_equal(learnt.transform(levels("a")), learnt.transform(levels(None)))


def test_a_whole_number_is_hashed_as_one_level_however_it_is_stored() -> None:
    whole = pd.DataFrame({"zone": [1, 2, 30]})
    learnt = encoder("hashing", columns=64).fit(whole)
    assert learnt.transform(whole.astype(float)).tolist() == learnt.transform(whole).tolist()
    beside_missing = learnt.transform(pd.DataFrame({"zone": [1, 2, None, 1.5]}))
    assert beside_missing[:2].tolist() == learnt.transform(whole)[:2].tolist()
    assert beside_missing[3].tolist() != beside_missing[0].tolist()


def test_classes_as_whole_numbers_of_pandas_get_a_column_each() -> None:
    towns, y = levels(*"abcabcabc"), pd.Series([0, 1, 2] * 3)
    plain, other = (encoder("target").fit_transform(towns, classes) for classes in (y, y.astype("Int64")))
    assert other.tolist() == plain.tolist()
