from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.preprocessing.imputation.low_rank import LowRankImputer

pytestmark = pytest.mark.usefixtures("one_thread")

EXACT = {"standardise": False, "rounds": 30_000, "tol": 1e-13}


def imputer(**given: Any) -> Any:
    return build("svd", given, seed=0, problem="regression")


def test_scikit_learn_agrees() -> None:
    assert len(check_estimator(LowRankImputer(), on_skip=None)) > 30


@pytest.mark.covers("prep-impute-iterative-svd", "ex_iterative_svd")
def test_a_matrix_of_low_rank_is_found_again() -> None:
    rng = np.random.default_rng(0)
    for shape in ((6, 40), (40, 6)):
        X = rng.normal(size=(shape[0], 2)) @ rng.normal(size=(2, shape[1]))
        holes = np.where(rng.random(shape) < 0.2, np.nan, X)
        learnt = imputer(rank=2, **EXACT).fit(holes)
        assert np.abs(learnt.transform(holes) - X).max() < 1e-7
        steps = np.diff(learnt.objective_)
        assert len(steps) > 10
        assert (steps <= 1e-12).all()

    panel = np.array([[1, 2, 3], [2, np.nan, 6], [3, 6, np.nan], [4, 8, 12]])
    filled = imputer(rank=1, **EXACT).fit_transform(panel)
    assert [filled[1, 1], filled[2, 2]] == pytest.approx([4.0, 9.0], abs=1e-5)
    assert np.array_equal(filled[~np.isnan(panel)], panel[~np.isnan(panel)])


def test_shrinking_goes_downhill_too_and_gives_smaller_values() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 2)) @ rng.normal(size=(2, 8)) + 0.1 * rng.normal(size=(50, 8))
    holes = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    missing = np.isnan(holes)
    plain, soft = (imputer(rank=4, shrink=shrink, rounds=500).fit(holes) for shrink in (0.0, 0.4))
    assert (np.diff(soft.objective_) <= 1e-9).all()
    # Of a whole table, one round: what is lowered is each singular value, by a share of the largest.
    left, values, right = np.linalg.svd(X, full_matrices=False)
    whole = imputer(rank=4, shrink=0.1, rounds=1, standardise=False).fit(X)
    kept = np.maximum(values[:4] - 0.1 * values[0], 0)
    assert whole.strengths_ == pytest.approx(kept / values[:4])
    misfit = np.sum((X - (left[:, :4] * kept) @ right[:4]) ** 2)
    assert whole.objective_ == pytest.approx([misfit / 2 + 0.1 * values[0] * kept.sum()])
    middle = np.nanmean(holes, axis=0)
    spread = [np.abs(learnt.transform(holes) - middle)[missing].mean() for learnt in (plain, soft)]
    assert spread[1] < spread[0]


def test_new_rows_are_filled_by_what_was_learnt() -> None:
    rng = np.random.default_rng(2)
    directions = rng.normal(size=(2, 6))
    X = rng.normal(size=(100, 2)) @ directions * 100 + 1000  # another unit and another middle
    learnt = imputer(rank=2).fit(X)
    later = rng.normal(size=(30, 2)) @ directions * 100 + 1000
    holes = later.copy()
    holes[:, 4] = np.nan
    holes[:15, 1] = np.nan
    assert learnt.transform(holes) == pytest.approx(later, rel=1e-6)
    one_by_one = np.vstack([learnt.transform(row[None]) for row in holes])
    assert one_by_one == pytest.approx(learnt.transform(holes))


def test_rows_and_columns_with_nothing_in_them() -> None:
    X = np.array([[1.0, 2.0, np.nan], [3.0, 6.5, np.nan], [2.0, 4.0, np.nan], [np.nan, np.nan, np.nan]])
    filled = imputer().fit_transform(X)
    assert filled[:, 2].tolist() == [0, 0, 0, 0]
    assert filled[3, :2] == pytest.approx([2.0, 12.5 / 3])
    assert np.isfinite(imputer().fit(X[:1]).transform(X)).all()


def test_a_constant_whose_mean_is_rounded_takes_no_direction() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 5))
    X[rng.random(X.shape) < 0.1] = np.nan
    beside = np.column_stack([X, np.full(40, 0.1)])
    beside[3, 5] = np.nan
    plain = build("svd", {"rank": 2}, seed=0, problem="regression").fit_transform(X)
    for unit in (1.0, 1e-8, 1e8):
        found = build("svd", {"rank": 2}, seed=0, problem="regression").fit_transform(beside * unit) / unit
        assert found[:, :5] == pytest.approx(plain, abs=1e-9)
        assert found[:, 5] == pytest.approx(np.full(40, 0.1), abs=1e-12)
