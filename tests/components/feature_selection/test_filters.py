from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2_contingency, pearsonr, spearmanr
from sklearn.base import BaseEstimator
from sklearn.feature_selection import chi2, f_classif, f_regression
from sklearn.metrics import mutual_info_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from penstock.components.catalog import build
from penstock.components.feature_selection.anova import AnovaSelector
from penstock.components.feature_selection.chi_squared import ChiSquaredSelector
from penstock.components.feature_selection.correlation import CorrelationSelector
from penstock.components.feature_selection.information_gain import InformationGainSelector

Array = np.ndarray[Any, Any]


def selector(name: str, problem: str = "classification", **given: Any) -> Any:
    return build(name, given, seed=0, problem=problem)


@parametrize_with_checks(
    [CorrelationSelector(), AnovaSelector(), ChiSquaredSelector(), InformationGainSelector()],
)
def test_they_are_scikit_learn_estimators(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


@pytest.mark.covers("fs-filter-correlation")
def test_a_correlation_of_minus_one_is_as_good_as_of_one() -> None:
    falling = selector("correlation", "regression", keep=1)
    X, y = np.array([[1.0, 1.0], [2.0, 5.0], [3.0, 2.0]]), np.array([3.0, 2.0, 1.0])
    falling.fit(X, y)
    assert pearsonr(X[:, 0], y).statistic == pytest.approx(-1)
    assert falling.scores_[0] == pytest.approx(1)
    assert falling.get_support().tolist() == [True, False]

    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 12))
    y = X @ rng.normal(size=12) + rng.normal(size=80)
    ranks = np.argsort(-selector("correlation", "regression").fit(X, y).scores_)
    assert ranks.tolist() == np.argsort(-f_regression(X, y)[0]).tolist()


@pytest.mark.covers("proc_filter_selection")
def test_scores_are_those_of_the_definitions_on_the_training_rows_alone() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 4, size=(90, 6)).astype(float)
    y = (X[:, 2] + rng.normal(size=90) > 1.5).astype(int)
    train, later = slice(0, 60), slice(60, 90)
    by_line = selector("correlation").fit(X[train], y[train])
    assert by_line.scores_ == pytest.approx([abs(pearsonr(column, y[train]).statistic) for column in X[train].T])
    counted = [mutual_info_score(column, y[train]) for column in X[train].T]
    assert selector("mutual-information").fit(X[train], y[train]).scores_ == pytest.approx(counted)
    assert selector("information-gain").fit(X[train], y[train]).scores_ == pytest.approx(counted)
    changed = X.copy()
    changed[later] = 1e6
    assert np.array_equal(selector("correlation").fit(changed[train], y[train]).scores_, by_line.scores_)
    assert selector("correlation", keep=1).fit(X[train], y[train]).get_support(indices=True).tolist() == [2]


def test_ranks_see_what_a_line_does_not() -> None:
    x = np.linspace(0.1, 5, 40)
    X = np.column_stack([np.exp(3 * x), x + np.random.default_rng(0).normal(scale=1.2, size=40)])
    by_rank = CorrelationSelector(keep=1, measure="spearman").fit(X, x)
    assert by_rank.scores_ == pytest.approx([spearmanr(column, x).statistic for column in X.T])
    assert by_rank.get_support().tolist() == [True, False]
    assert CorrelationSelector(keep=1).fit(X, x).get_support().tolist() == [False, True]


def test_of_three_classes_one_against_the_others_is_enough() -> None:
    y = np.repeat([0, 1, 2], 20)
    X = np.column_stack([np.random.default_rng(0).normal(size=60), y == 1])
    assert CorrelationSelector(keep=1).fit(X, y).scores_[1] == pytest.approx(1)


@pytest.mark.covers("fs-filter-chi2")
def test_chi_squared_of_zeros_and_ones_is_that_of_their_table() -> None:
    level, y = np.array([0.0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 1])
    scores = selector("chi-squared").fit(np.column_stack([level, 1 - level, 2 * level]), y).scores_
    assert scores[:2] == pytest.approx([2.222222, 2.222222], abs=1e-6)
    assert chi2_contingency([[2, 1], [0, 2]], correction=False).statistic == pytest.approx(scores[0])
    assert chi2((1 - level)[:, None], y)[0] + chi2(level[:, None], y)[0] == pytest.approx(scores[0])
    assert scores[2] == pytest.approx(chi2(2 * level[:, None], y)[0][0])  # counts are sums, without a table


@pytest.mark.covers("fs-filter-chi2")
def test_zeros_tell_as_much_as_ones() -> None:
    y = np.repeat(["a", "b"], 100)
    flag, other = np.ones(200), np.zeros(200)
    flag[:20] = 0
    other[:5] = other[100:112] = 1
    ranked = selector("chi-squared", keep=1).fit(np.column_stack([other, flag]), y)
    tables = [[(y[column == value] == name).sum() for name in "ab"] for column in (other, flag) for value in (0, 1)]
    for score, table in zip(ranked.scores_, (tables[:2], tables[2:]), strict=True):
        assert score == pytest.approx(chi2_contingency(table, correction=False).statistic)
    assert ranked.get_support().tolist() == [False, True]


def test_f_is_the_librarys_and_a_constant_column_has_none() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(50, 3)), np.full(50, 7.0)])
    y = rng.integers(0, 3, 50)
    assert AnovaSelector().fit(X, y).scores_[:3] == pytest.approx(f_classif(X[:, :3], y)[0])
    assert AnovaSelector(keep=3).fit(X, y).get_support().tolist() == [True, True, True, False]
    quantity = X[:, 1] + rng.normal(size=50)
    assert AnovaSelector().fit(X, quantity).scores_[:3] == pytest.approx(f_regression(X[:, :3], quantity)[0])
    assert AnovaSelector(keep=1).fit(X, X[:, 1]).get_support(indices=True).tolist() == [1]
    for kind in (CorrelationSelector, ChiSquaredSelector, InformationGainSelector):
        assert kind(keep=3).fit(np.abs(X), y).scores_[3] == pytest.approx(0)


@pytest.mark.covers("met_shannon_entropy")
def test_many_values_are_cut_into_groups_of_equal_size() -> None:
    rng = np.random.default_rng(0)
    x = rng.lognormal(size=400)
    y = (x > np.median(x)).astype(int)
    gain = InformationGainSelector(bins=2).fit(x[:, None], y).scores_[0]
    assert gain == pytest.approx(np.log(2), abs=0.02)
    assert InformationGainSelector(bins=10).fit(rng.normal(size=(400, 1)), y).scores_[0] < 0.05


@pytest.mark.covers("met_shannon_entropy")
@pytest.mark.parametrize(("classes", "bits"), [(2, 1.0), (4, 2.0), (8, 3.0)])
def test_what_a_column_that_tells_all_gains_is_the_entropy_of_the_classes(classes: int, bits: float) -> None:
    y = np.repeat(np.arange(classes), 5)
    scores = selector("information-gain").fit(np.column_stack([y, np.zeros(len(y))]), y).scores_
    assert scores / np.log(2) == pytest.approx([bits, 0.0])
