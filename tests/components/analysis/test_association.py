from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import contingency, pearsonr, spearmanr
from sklearn.metrics import mutual_info_score

from penstock.components.analysis.association import (
    MIN_PAIRS,
    correlations,
    cramers_v,
    cross_table,
    entropy,
    mutual_information,
    pair_tables,
    pooled,
    seriate,
    square,
)
from penstock.components.analysis.table import Coded

TABLE = np.array([[30, 10, 5], [8, 25, 12]])


def with_gaps(rows: int = 80) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.normal(size=rows)
    frame = pd.DataFrame({"x": x, "y": x + rng.normal(size=rows), "z": np.exp(x), "w": rng.normal(size=rows)})
    return frame.mask(rng.random(frame.shape) < 0.1)


def test_correlations_are_those_of_the_rows_where_both_are_known() -> None:
    frame = with_gaps()
    found = correlations(frame)
    for one, other in (("x", "y"), ("x", "z"), ("y", "w")):
        both = frame[[one, other]].dropna()
        assert found["pearson"].loc[one, other] == pytest.approx(pearsonr(both[one], both[other])[0], rel=1e-12)
        assert found["spearman"].loc[one, other] == pytest.approx(spearmanr(both[one], both[other])[0], rel=1e-12)
        assert found["covariance"].loc[one, other] == pytest.approx(np.cov(both.T)[0, 1], rel=1e-12)
        assert found["rows"].loc[one, other] == len(both) < len(frame)


@pytest.mark.covers("proc_correlation_study")
def test_covariance_is_symmetric_with_variances_on_the_diagonal_and_a_copy_has_r_1() -> None:
    frame = with_gaps().assign(copy=lambda made: 3 - 2 * made["x"])
    found = correlations(frame)
    np.testing.assert_array_equal(found["covariance"], found["covariance"].T)
    np.testing.assert_allclose(np.diag(found["covariance"]), frame.var(ddof=1), rtol=1e-12)
    assert found["pearson"].loc["x", "copy"] == pytest.approx(-1, abs=1e-12)


def test_few_rows_and_constants_have_no_correlation() -> None:
    frame = pd.DataFrame({"x": np.arange(20.0), "same": 1.0, "few": [1.0] * (MIN_PAIRS - 1) + [np.nan] * 11})
    found = correlations(frame)
    assert np.isnan(found["pearson"].loc["x", ["same", "few"]]).all()


def test_cramers_v_is_scipys_and_its_correction_bergsmas() -> None:
    assert cramers_v(TABLE, corrected=False) == pytest.approx(contingency.association(TABLE, "cramer"), rel=1e-12)
    # By hand: n = 90, phi2 = 0.2329 - 2/89, rows 2 - 1/89, columns 3 - 4/89.
    phi2 = contingency.association(TABLE, "cramer") ** 2
    by_hand = np.sqrt((phi2 - 2 / 89) / (2 - 1 / 89 - 1))
    assert cramers_v(TABLE) == pytest.approx(by_hand, rel=1e-12)


def test_noise_is_not_related_after_the_correction() -> None:
    rng = np.random.default_rng(1)
    tables = [np.histogram2d(rng.integers(0, 9, 120), rng.integers(0, 9, 120), bins=9)[0] for _ in range(50)]
    plain, corrected = ([cramers_v(table, corrected=way) for table in tables] for way in (False, True))
    assert np.mean(plain) > 0.2
    assert np.mean(corrected) < 0.06
    plain, corrected = ([mutual_information(table, corrected=way) for table in tables] for way in (False, True))
    assert np.mean(plain) > 0.2
    assert np.mean(corrected) < np.mean(plain) / 4


def test_rare_groups_are_pooled() -> None:
    table = np.array([[40, 0, 2], [0, 50, 0], [3, 0, 0], [0, 0, 1]])
    assert pooled(table).tolist() == [[40, 0, 2], [0, 50, 0], [3, 0, 1]]
    families = np.concatenate([np.repeat(np.arange(19), 4), np.full(600, 19)])  # of four rows each, and all others
    sparse = cross_table(families, np.where(families < 19, families, np.arange(676) % 20), (20, 20))
    assert cramers_v(sparse) > 0.25
    assert cramers_v(pooled(sparse)) < 0.1
    copy = cross_table(families, families, (20, 20))
    assert cramers_v(pooled(copy)) == pytest.approx(1)


def test_equal_columns_have_v_1_and_single_levels_0() -> None:
    assert cramers_v(np.diag([20, 30, 50])) == pytest.approx(1)
    assert cramers_v(np.array([[20, 30]])) == 0
    assert mutual_information(np.array([[20, 0], [0, 0]])) == 0


@pytest.mark.covers("ex_mutual_information_table")
def test_mutual_information_of_the_worked_example() -> None:
    table = np.array([[4, 1], [1, 4]])
    assert mutual_information(table, corrected=False) == pytest.approx(0.192744757022, abs=1e-9)


def test_mutual_information_is_scikit_learns_less_the_correction() -> None:
    plain = mutual_info_score(None, None, contingency=TABLE)
    assert mutual_information(TABLE, corrected=False) == pytest.approx(plain, rel=1e-12)
    assert mutual_information(TABLE) == pytest.approx(plain - 2 / (2 * 90), rel=1e-12)
    assert entropy(np.array([5, 5, 0])) == pytest.approx(np.log(2))


def test_tables_of_all_pairs_leave_out_missing_values() -> None:
    rng = np.random.default_rng(2)
    coded = {name: Coded(rng.integers(-1, 3, 200), ["a", "b", "c"]) for name in "uvw"}
    tables = pair_tables(coded)
    assert [*tables] == [("u", "v"), ("u", "w"), ("v", "w")]
    for (one, other), table in tables.items():
        np.testing.assert_array_equal(table, cross_table(coded[one].codes, coded[other].codes, (3, 3)))
        both = (coded[one].codes >= 0) & (coded[other].codes >= 0)
        np.testing.assert_array_equal(table, pd.crosstab(coded[one].codes[both], coded[other].codes[both]))


def test_a_square_holds_each_value_twice() -> None:
    made = square(["a", "b"], {("a", "b"): 0.5})
    assert made.to_numpy().tolist() == [[1, 0.5], [0.5, 1]]


def test_related_columns_stand_together_whatever_their_sign() -> None:
    rng = np.random.default_rng(3)
    cores = rng.normal(size=(300, 3))
    signs = np.array([1, -1, 1, 1, -1, 1])
    mixed = np.repeat(cores, 2, axis=1) * signs + rng.normal(scale=0.3, size=(300, 6))
    shuffled = [3, 0, 5, 2, 4, 1]
    order = [shuffled[place] // 2 for place in seriate(np.corrcoef(mixed[:, shuffled].T))]
    assert [order[place] == order[place + 1] for place in (0, 2, 4)] == [True] * 3
