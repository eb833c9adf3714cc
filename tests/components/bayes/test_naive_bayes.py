from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.bayes.bernoulli import BernoulliNaiveBayes
from penstock.components.bayes.binning import Binner
from penstock.components.bayes.categorical import CategoricalNaiveBayes
from penstock.components.bayes.multinomial import MultinomialNaiveBayes
from penstock.components.catalog import build

# The notes' nine days: temperature (hot, mild, cool), humidity (high, normal), wind (weak, strong), and the game.
DAYS = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 0, 0], [2, 1, 0], [2, 1, 1], [2, 1, 1], [1, 0, 0], [2, 1, 0]])
PLAYED = np.array([0, 0, 1, 1, 1, 0, 1, 0, 1])
QUERY = np.array([[2, 0, 1]])


def bayes(kind: str, **given: Any) -> Any:
    return build(f"{kind}-naive-bayes", given, seed=0, problem="classification")


@pytest.mark.parametrize(
    "estimator", [BernoulliNaiveBayes(), MultinomialNaiveBayes(), CategoricalNaiveBayes(), Binner()]
)
def test_scikit_learn_agrees(estimator: Any) -> None:
    checks = check_estimator(estimator, on_skip=None)
    assert len(checks) > 30


@pytest.mark.covers("bayes-categorical-nb", "ex_laplace_smoothing_denominator", "met_smoothed_probability")
def test_counted_categories_and_their_smoothing() -> None:
    counted = bayes("categorical", alpha=0.0).fit(DAYS, PLAYED)
    joint = np.exp(counted.pipeline_[-1].predict_joint_log_proba(QUERY))[0]
    assert joint == pytest.approx([0.041667, 0.026667], abs=1e-6)
    assert counted.predict_proba(QUERY)[0, 1] == pytest.approx(0.390244, abs=1e-6)
    smoothed = bayes("categorical", alpha=1.0).fit(DAYS, PLAYED)
    assert smoothed.predict_proba(QUERY)[0, 1] == pytest.approx(0.445545, abs=1e-6)
    even = bayes("categorical", alpha=1e9).fit(DAYS, PLAYED)
    assert np.exp(even.pipeline_[-1].feature_log_prob_[0][0]) == pytest.approx([1 / 3] * 3, abs=1e-6)

    # Counts 4 and 2 of six rows: the number of categories belongs below the line; the number of all rows would not sum.
    x = np.array([0] * 4 + [1] * 2 + [0, 0, 1, 1])[:, None]
    shares = np.exp(bayes("categorical").fit(x, [1] * 6 + [0] * 4).pipeline_[-1].feature_log_prob_[0][1])
    assert shares == pytest.approx([0.625, 0.375], abs=1e-9)
    assert shares.sum() == pytest.approx(1.0)
    assert (4 + 1) / (6 + 10) + (2 + 1) / (6 + 10) == 0.5
    played = DAYS[PLAYED == 1, 2]
    printed = [(np.sum(played == wind) + 1) / (len(played) + len(DAYS)) for wind in (0, 1)]
    assert sum(printed) == pytest.approx(0.5)


@pytest.mark.covers("bayes-bernoulli-nb")
def test_yes_and_no_are_counted() -> None:
    X = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    y = np.array([0, 0, 1])
    model = bayes("bernoulli", alpha=0).fit(X, y)
    assert np.exp(model.pipeline_[-1].feature_log_prob_) == pytest.approx(np.array([[1.0, 0.5], [0.0, 1.0]]))
    assert model.predict([[0, 1], [1, 0]]).tolist() == [1, 0]
    assert model.predict_proba([[0, 1], [1, 0]]).tolist() == [[0, 1], [1, 0]]
    assert np.array_equal(model.predict_proba(X), bayes("categorical", alpha=0).fit(X, y).predict_proba(X))
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(60, 4)).astype(float)
    y = rng.integers(0, 3, size=60)
    same = bayes("categorical").fit(X, y).predict_proba(X)
    assert bayes("bernoulli").fit(X, y).predict_proba(X) == pytest.approx(same, abs=1e-12)


@pytest.mark.covers("bayes-bernoulli-nb", "bayes-categorical-nb")
@pytest.mark.parametrize("kind", ["bernoulli", "categorical", "mixed", "multinomial"])
def test_what_a_class_has_never_shown_is_impossible_without_smoothing(kind: str) -> None:
    X, y = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), np.array([0, 0, 1])
    model = bayes(kind, alpha=0).fit(X, y)
    asked = [[0, 1], [1, 1], [0, 0]]
    assert model.predict(asked).tolist() == [1, 0, 0]
    # The last row can be in no class (or, an empty bag, in any): it is answered by how common they are.
    assert model.predict_proba(asked)[1:] == pytest.approx(np.array([[1, 0], [2 / 3, 1 / 3]]))
    assert model.predict_proba(asked).sum(axis=1) == pytest.approx(np.ones(3))
    rng = np.random.default_rng(0)
    X, y, weights = rng.integers(0, 2, (200, 6)), rng.integers(0, 3, 200), rng.uniform(0.1, 3, 200)
    X[y == 1, 2], X[y == 2, 4] = 1, 0
    shares = bayes(kind, alpha=0).fit(X, y, weights).predict_proba(rng.integers(0, 2, (100, 6)))
    assert shares.sum(axis=1) == pytest.approx(np.ones(100))
    almost = bayes(kind, alpha=1e-13).fit(X, y, weights)
    assert bayes(kind, alpha=0).fit(X, y, weights).predict_proba(X) == pytest.approx(almost.predict_proba(X), abs=1e-9)


def test_words_that_no_class_has() -> None:
    model = bayes("multinomial", alpha=0, rescale=False).fit([[2, 1, 0], [1, 0, 0], [0, 0, 0]], [0, 1, 2])
    asked = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert model.predict_proba(asked) == pytest.approx(np.array([[0.4, 0.6, 0], [1, 0, 0], [1 / 3] * 3]))


def test_yes_is_above_the_mean_however_the_column_was_scaled() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = (X[:, 0] > 0.1).astype(int)
    shares = bayes("bernoulli").fit(X, y).predict_proba(X)
    assert np.array_equal(bayes("bernoulli").fit(X * 100 + 7, y).predict_proba(X * 100 + 7), shares)
    whole = np.c_[X, np.ones(80)]  # the same in all rows: it tells nothing
    plain, wider = (bayes("bernoulli", alpha=0).fit(rows, y) for rows in (X, whole))
    assert np.array_equal(plain.predict_proba(X), wider.predict_proba(whole))


def test_multinomial_reads_counts_as_the_words_of_a_bag() -> None:
    words = ["good", "fun", "!", "plot", "bad", "boring"]
    texts = [("good fun !", 1), ("good good plot", 1), ("bad plot", 0), ("bad boring fun", 0)]
    X = np.array([[text.split().count(word) for word in words] for text, _ in texts], dtype=float)
    # Without a word that occurs twice, counts are between zero and one already.
    once = np.minimum(X, 1.0)
    model = bayes("multinomial").fit(once, [label for _, label in texts])
    assert np.exp(model.pipeline_[-1].feature_log_prob_[1, 0]) == pytest.approx((2 + 1) / (5 + 6))
    # Beyond what the training rows have is as much as they have.
    within, beyond = model.predict_proba(np.array([[0.0, 1.0, 0, 0, 0, 0], [-5.0, 9.0, 0, 0, 0, 0]]))
    assert beyond == pytest.approx(within)


def test_bins_are_values_where_these_are_few_and_quantiles_otherwise() -> None:
    rng = np.random.default_rng(0)
    flag = (np.arange(100) < 30).astype(float)
    codes = Binner(4).fit_transform(np.column_stack([flag, rng.normal(size=100), np.r_[np.zeros(60), np.arange(40)]]))
    assert np.array_equal(codes[:, 0], flag)
    assert np.bincount(codes[:, 1]).tolist() == [24, 25, 25, 26]
    assert (np.bincount(codes[:, 2]) > 0).all()
    assert Binner(2).fit([[0.5], [1.0]]).transform([[-9.0], [9.0]]).tolist() == [[0], [1]]


@pytest.mark.covers("bayes-categorical-nb", "bayes-mixed-nb")
@pytest.mark.parametrize("kind", ["categorical", "mixed"])
@pytest.mark.parametrize("levels", [8, 12, 50])
def test_levels_are_never_merged(kind: str, levels: int) -> None:
    x = np.tile(np.arange(levels, dtype=float), 10)[:, None]
    y = np.random.default_rng(0).permutation(np.arange(levels) % 3 == 0).astype(int)[x[:, 0].astype(int)]
    model = bayes(kind).fit(x, y)
    assert model.score(x, y) == 1.0
    counts = np.array([[np.sum(y == c), np.sum((y == c) & (x[:, 0] == 3))] for c in (0, 1)])
    by_hand = np.log(counts[:, 0] / len(y) * (counts[:, 1] + 1) / (counts[:, 0] + levels))
    assert model.predict_joint_log_proba([[3.0]])[0] == pytest.approx(by_hand)
    told = bayes("mixed", families=["categorical"]).fit(x, y)
    assert told.predict_proba(x) == pytest.approx(model.predict_proba(x))


@pytest.mark.covers("bayes-categorical-nb", "bayes-mixed-nb")
@pytest.mark.parametrize("kind", ["categorical", "mixed"])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_a_level_never_met_tells_nothing(kind: str, alpha: float) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, [8, 3], (80, 2)).astype(float), np.arange(80) % 4 > 0
    model = bayes(kind, alpha=alpha).fit(X, y)
    alone = bayes(kind, alpha=alpha).fit(X[:, 1:], y)
    for code in (-2, -1, 8):  # missing, unknown to the encoder, later than all
        asked = [[code, 2.0], [code, 0.0]]
        assert model.predict_proba(asked) == pytest.approx(alone.predict_proba([[2.0], [0.0]]))
    assert model.predict_proba([[-1.0, -1.0]])[0] == pytest.approx([0.25, 0.75])


@pytest.mark.parametrize("kind", ["categorical", "mixed"])
def test_amounts_so_large_that_all_are_whole_are_still_amounts(kind: str) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
    fresh = rng.normal(size=(20, 2))
    plain = bayes(kind).fit(X, y).predict_proba(fresh)
    assert bayes(kind).fit(X * 2.0**70, y).predict_proba(fresh * 2.0**70) == pytest.approx(plain)


@pytest.mark.parametrize("values", [[0.5, np.nextafter(0.5, 1), 2.5], [2.0**53, 2.0**53 + 2]])
def test_neighbouring_numbers_have_bins_of_their_own(values: list[float]) -> None:
    x = np.array(values)[:, None]
    assert Binner().fit_transform(x)[:, 0].tolist() == list(range(len(values)))


def test_no_bin_is_empty_where_most_rows_have_the_smallest_number() -> None:
    x = np.r_[np.zeros(60), np.arange(40) + 0.5][:, None]
    assert np.bincount(Binner(4).fit_transform(x)[:, 0]).tolist() == [74, 26]
    heavy = Binner(4).fit(x, sample_weight=np.r_[np.full(60, 0.01), np.ones(40)])
    assert np.bincount(heavy.transform(x)[:, 0]).tolist() == [69, 10, 10, 11]


@pytest.mark.covers("bayes-m-estimate-nb")
@pytest.mark.parametrize("shares", [[[0.5, 0.4]], [[0.5, 0.6]], [[1.5, -0.5]], [[1.0]], []])
def test_expected_shares_sum_to_one(shares: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="'expected' has to give column 0 a share for each of its 2 categories"):
        bayes("categorical", m=2.0, expected=shares).fit([[0], [1], [1]], [0, 0, 1])


@pytest.mark.parametrize("kind", ["mixed", "categorical", "bernoulli", "multinomial", "gaussian"])
def test_a_row_that_weighs_nothing_is_no_row(kind: str) -> None:
    rng = np.random.default_rng(0)
    X, y = np.c_[rng.normal(size=30), rng.integers(0, 2, 30), np.full(30, 0.1)], np.arange(30) % 2
    stray = np.vstack([X, [[99.0, 7.0, 3.0]]])
    without = bayes(kind).fit(X, y)
    beside = bayes(kind).fit(stray, [*y, 2], np.r_[np.ones(30), 0.0])
    assert beside.classes_.tolist() == [0, 1]
    assert beside.predict_proba(X) == pytest.approx(without.predict_proba(X))
    if kind == "mixed":
        assert beside.families_ == ["gaussian", "bernoulli", "gaussian"]
