from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.preprocessing.imputation.class_mode import ClassModeImputer
from penstock.components.preprocessing.imputation.iterative import RoundsImputer
from penstock.components.preprocessing.imputation.nearest import NearestImputer
from penstock.components.preprocessing.imputation.row_mean import RowMeanImputer

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
# The notes' nine days: the outlook of the fifth is missing, on which the game was played.
OUTLOOK = ["Sunny", "Sunny", "Overcast", "Rain", None, "Rain", "Overcast", "Sunny", "Sunny"]
PLAYED = np.array([0, 0, 1, 1, 1, 0, 1, 0, 1])


def days() -> pd.DataFrame:
    return pd.DataFrame({"outlook": pd.Series(OUTLOOK, dtype="str")})


def imputer(name: str, problem: str = "classification", **given: Any) -> Any:
    return build(name, given, seed=0, problem=problem)


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [ClassModeImputer(), NearestImputer(), RoundsImputer(), RowMeanImputer()])
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("prep-impute-mode")
def test_the_commonest_of_all_rows() -> None:
    counts = pd.Series(OUTLOOK).value_counts()
    assert counts.to_dict() == {"Sunny": 4, "Overcast": 2, "Rain": 2}
    learnt = imputer("mode").fit(days())
    assert learnt.transform(days())[4, 0] == "Sunny"
    later = pd.DataFrame({"outlook": pd.Series(["Rain", "Rain", None], dtype="str")})
    assert learnt.transform(later)[:, 0].tolist() == ["Rain", "Rain", "Sunny"]


@pytest.mark.covers("prep-impute-class-mode", "proc_missing_values")
def test_the_commonest_of_the_class_where_it_is_known() -> None:
    counts = days()["outlook"][PLAYED == 1].value_counts()
    assert counts.to_dict() == {"Overcast": 2, "Rain": 1, "Sunny": 1}
    learnt = imputer("class-mode")
    assert learnt.fit_transform(days(), PLAYED)[4, 0] == "Overcast"
    assert learnt.transform(days())[4, 0] == "Sunny"
    assert imputer("mode").fit_transform(days(), PLAYED)[4, 0] == "Sunny"


def test_a_class_in_which_all_is_missing_is_filled_from_all_rows() -> None:
    X = np.array([[1.0, 5.0], [1.0, 6.0], [2.0, 6.0], [np.nan, np.nan], [np.nan, 7.0]])
    filled = imputer("class-mode").fit_transform(X, [0, 0, 0, 1, 1])
    assert filled.tolist() == [[1, 5], [1, 6], [2, 6], [1, 7], [1, 7]]


def test_neighbours_are_measured_in_standard_deviations() -> None:
    rng = np.random.default_rng(0)
    near = rng.normal(size=200)
    X = np.column_stack([near, 3 * near + 10, 1e6 * rng.normal(size=200)])
    holes = X.copy()
    holes[:20, 1] = np.nan
    filled = imputer("k-nearest", neighbours=3).fit_transform(holes)
    assert np.array_equal(filled[20:], X[20:])
    assert np.corrcoef(filled[:20, 1], X[:20, 1])[0, 1] > 0.9
    # A column a million times as wide would decide alone if distances were taken in its own unit.
    assert np.abs(filled[:20, 1] - X[:20, 1]).mean() < 1.5


def test_rounds_find_what_a_line_explains_and_leave_their_input_alone() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=100)
    X = np.asfortranarray(np.column_stack([x, 2 * x + 1, rng.normal(size=100)]))
    X[:10, 1] = np.nan
    given = X.copy()
    filled = imputer("iterative").fit_transform(X)
    assert filled[:10, 1] == pytest.approx(2 * x[:10] + 1, abs=0.01)
    assert np.array_equal(X, given, equal_nan=True)


def test_a_constant_that_was_chosen() -> None:
    X = np.array([[1.0], [np.nan]])
    assert imputer("constant").fit_transform(X).tolist() == [[1.0], [0.0]]
    assert imputer("constant", value=-9).fit_transform(X).tolist() == [[1.0], [-9.0]]
    assert imputer("constant", value="dull").fit_transform(days())[4, 0] == "dull"


# The course's five users and four films; what is not there was not rated.
RATINGS = np.array(
    [
        [np.nan, 1, 5, 4],
        [3, np.nan, 2, np.nan],
        [np.nan, 1, np.nan, 4],
        [np.nan, np.nan, 5, 3],
        [2, np.nan, 3, np.nan],
    ]
)


@pytest.mark.covers("prep-impute-constant-mean", "ex_ratings_completion")
def test_ratings_filled_with_zero_and_with_means_of_films_and_users() -> None:
    known = ~np.isnan(RATINGS)
    assert known.sum() == 11
    assert imputer("mean").fit(RATINGS).statistics_ == pytest.approx([2.5, 1, 3.75, 11 / 3])

    def missed(filled: Array) -> float:
        left, sizes, right = np.linalg.svd(filled, full_matrices=False)
        two = (left[:, :2] * sizes[:2]) @ right[:2]
        return float(((two - RATINGS)[known] ** 2).sum())

    zero = imputer("constant", value=0).fit_transform(RATINGS)
    assert np.linalg.svd(zero, compute_uv=False) == pytest.approx(
        [9.52684032696, 4.62688706248, 2.56256017365, 0.514310073939], abs=1e-8
    )
    assert missed(zero) == pytest.approx(2.91879728807, abs=1e-8)
    assert missed(imputer("row-mean").fit_transform(RATINGS)) == pytest.approx(2.62045871047, abs=1e-8)
    assert missed(imputer("mean").fit_transform(RATINGS)) == pytest.approx(0.317721867726, abs=1e-8)
    alone = np.array([[np.nan, 3.0, np.nan, np.nan]])
    assert imputer("row-mean").fit(RATINGS).transform(alone).tolist() == [[3.0] * 4]
    nothing = np.full((1, 4), np.nan)
    assert imputer("row-mean").fit(RATINGS).transform(nothing)[0] == pytest.approx([2.5, 1, 3.75, 11 / 3])


@pytest.mark.covers("proc_missing_values")
def test_the_class_fills_training_rows_only() -> None:
    """New rows have no class yet: asked with one, it refuses; without, all rows together fill."""
    learnt = imputer("class-mode")
    assert learnt.fit_transform(days(), PLAYED)[4, 0] == "Overcast"
    assert learnt.transform(days())[4, 0] == "Sunny"
    with pytest.raises(TypeError):
        learnt.transform(days(), PLAYED)


def test_rounds_do_not_ask_for_units_nor_where_zero_is() -> None:
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(40, 2)) @ rng.normal(size=(2, 5)) * 2**10) / 2**10
    X[rng.random(X.shape) < 0.1] = np.nan
    near = build("iterative", {}, seed=0, problem="regression").fit_transform(X)
    for unit in (1e-8, 1e-5, 1e5, 1e8):
        found = build("iterative", {}, seed=0, problem="regression").fit_transform(X * unit) / unit
        assert found == pytest.approx(near, abs=1e-6)
    there = build("iterative", {}, seed=0, problem="regression").fit_transform(X + 1e9)
    assert there - 1e9 == pytest.approx(near, abs=1e-5)


def test_as_many_classes_as_rows_are_needed() -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        imputer("class-mode").fit_transform(days(), PLAYED[:5])
