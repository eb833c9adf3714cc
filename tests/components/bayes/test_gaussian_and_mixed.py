"""Naive Bayes with a bell for each column, with words, with expectations, and with columns of several kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.bayes.categorical import CategoricalNaiveBayes
from penstock.components.bayes.gaussian import GaussianNaiveBayes
from penstock.components.bayes.mixed import MixedNaiveBayes
from penstock.components.bayes.multinomial import MultinomialNaiveBayes
from penstock.components.catalog import build, check_parameters
from penstock.components.catalog import find as find_entry
from penstock.components.diagnostics import find
from penstock.components.preprocessing.texts import TextEncoder
from penstock.components.teaching.diagnostics.naive_bayes_border import quadratic_boundary
from penstock.errors import DataError, UsageError


def bayes(kind: str, **given: Any) -> Any:
    return build(f"{kind}-naive-bayes", given, seed=0, problem="classification")


@pytest.mark.parametrize(
    "estimator",
    [
        GaussianNaiveBayes(),
        GaussianNaiveBayes(ddof=1),
        CategoricalNaiveBayes(m=2.0, expected="overall"),
        MultinomialNaiveBayes(rescale=False),
        MixedNaiveBayes(),
    ],
)
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers(
    "bayes-gaussian-nb", "proc_naive_bayes_recipe", "ex_gaussian_nb_variance", "met_nb_estimates", "met_nb_posterior"
)
def test_the_variance_of_either_school() -> None:
    x, y = np.array([1.0, 2.0, 3.0, 7.0, 8.0])[:, None], [0, 0, 0, 1, 1]
    for ddof, variance in ((0, 2 / 3), (1, 1.0)):
        model = bayes("gaussian", ddof=ddof, var_smoothing=0.0).fit(x, y)
        assert model.var_[0, 0] == pytest.approx(variance)
        assert model.predict_proba(x).sum(axis=1) == pytest.approx(np.ones(5))
    four = np.array([1.0, 2.0, 4.0, 7.0, 0.0, 1.0])[:, None]
    for ddof, variance in ((0, 5.25), (1, 7.0)):
        model = bayes("gaussian", ddof=ddof, var_smoothing=0.0).fit(four, [0, 0, 0, 0, 1, 1])
        assert (model.theta_[0, 0], model.var_[0, 0]) == pytest.approx((3.5, variance))
    X, y = load_iris(return_X_y=True)
    model = bayes("gaussian", ddof=1, var_smoothing=0.0).fit(X, y)
    assert model.var_[0] == pytest.approx(X[y == 0].var(axis=0, ddof=1))
    # What smooths is added once, whatever the squares are divided by.
    smooth = bayes("gaussian", ddof=1, var_smoothing=0.1).fit(X, y)
    assert smooth.var_[0] == pytest.approx(X[y == 0].var(axis=0, ddof=1) + 0.1 * X.var(axis=0).max())
    # Prior times the product of densities, in logs, normalised, and the greatest of them.
    priors = [0.6, 0.3, 0.1]
    model = bayes("gaussian", var_smoothing=0.0, priors=priors).fit(X, y)
    by_hand = np.log(priors) + np.column_stack(
        [
            np.sum(
                -np.log(2 * np.pi * part.var(axis=0)) / 2 - (X - part.mean(axis=0)) ** 2 / (2 * part.var(axis=0)),
                axis=1,
            )
            for part in (X[y == code] for code in range(3))
        ]
    )
    assert model.predict_joint_log_proba(X) == pytest.approx(by_hand)
    shares = np.exp(by_hand) / np.exp(by_hand).sum(axis=1, keepdims=True)
    assert model.predict_proba(X) == pytest.approx(shares)
    assert np.array_equal(model.predict(X), shares.argmax(axis=1))


def test_what_a_bell_cannot_be_made_of() -> None:
    x = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [9.0, 5.0]])
    model = bayes("gaussian", var_smoothing=0.0).fit(x, [0, 0, 1, 1])  # the second column tells nothing
    alone = bayes("gaussian", var_smoothing=0.0).fit(x[:, :1], [0, 0, 1, 1])
    assert model.predict_proba(x) == pytest.approx(alone.predict_proba(x[:, :1]))
    assert np.isfinite(bayes("gaussian").fit(np.ones((4, 2)), [0, 0, 1, 1]).predict_proba(np.ones((1, 2)))).all()
    with pytest.raises(ValueError, match="class '1' has a single value in column 0"):
        bayes("gaussian", var_smoothing=0.0).fit([[1.0], [2.0], [3.0], [3.0]], [0, 0, 1, 1])
    with pytest.raises(ValueError, match="class '1' has 1 sample"):
        bayes("gaussian", ddof=1).fit([[1.0], [2.0], [3.0]], [0, 0, 1])


@pytest.mark.covers("bayes-nb-boundary")
def test_the_border_of_two_bells_is_quadratic() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * [1.0, 2.0, 0.5]
    y = np.arange(60) % 3 > 0
    X[y] = X[y] * [2.0, 0.7, 1.0] + 1
    model = bayes("gaussian").fit(X, y)
    a, b, c = quadratic_boundary(model)
    fresh = rng.normal(size=(200, 3))
    joint = model.predict_joint_log_proba(fresh)
    assert fresh**2 @ a + fresh @ b + c == pytest.approx(joint[:, 0] - joint[:, 1], abs=1e-11)
    model.var_ = np.tile(model.var_[:1], (2, 1))
    assert quadratic_boundary(model)[0].tolist() == [0.0, 0.0, 0.0]

    frame = pd.DataFrame(X[:, :2], columns=["u", "v"]).assign(y=np.where(y, "yes", "no"), word="w")
    found = find("naive-bayes-border")(frame, {"target": "y"})
    two = bayes("gaussian").fit(X[:, :2], y)
    assert found.table["square"].to_list() == pytest.approx(quadratic_boundary(two)[0])
    assert found.facts["constant"] == pytest.approx(quadratic_boundary(two)[2])
    assert found.figure is not None
    with pytest.raises(DataError, match="1 classes") as caught:
        find("naive-bayes-border")(frame.assign(y=0), {"target": "y"})
    assert caught.value.code == "PEN070"


@pytest.mark.covers("bayes-nb-boundary")
@pytest.mark.parametrize("ddof", [0, 1])
def test_the_border_of_more_bells_is_quadratic_in_pieces(ddof: int) -> None:
    X, y = load_iris(return_X_y=True)
    joint = bayes("gaussian", ddof=ddof).fit(X, y).predict_joint_log_proba(X)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=y)
    found = find("naive-bayes-border")(frame, {"target": "y", "ddof": ddof})
    assert len(found.facts["constants"]) == 3
    for first, second in ((0, 1), (0, 2), (1, 2)):
        pair = found.table.loc[(str(first), str(second))]
        border = X**2 @ pair["square"].to_numpy() + X @ pair["straight"].to_numpy() + pair["constant"].iloc[0]
        assert border == pytest.approx(joint[:, first] - joint[:, second], abs=1e-9)


@pytest.mark.covers("bayes-m-estimate-nb", "ex_m_estimate", "met_smoothed_probability")
def test_an_expectation_counts_for_some_rows() -> None:
    # Five rows of class 1, none of which has the last of three values.
    x = np.array([0, 0, 1, 1, 1, 2, 2, 0])[:, None]
    y = np.array([1] * 5 + [0] * 3)
    model = bayes("categorical", m=3.0).fit(x, y).pipeline_[-1]
    assert np.exp(model.feature_log_prob_[0][1, 2]) == pytest.approx((0 + 3 / 3) / (5 + 3)) == 0.125
    # Of six words, ten positions in the class, two of them this word: (2 + 1) / (10 + 6).
    words = bayes("multinomial", rescale=False).fit([[2, 4, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]], [1, 0]).pipeline_[-1]
    assert np.exp(words.feature_log_prob_[1, 0]) == pytest.approx(0.1875, abs=1e-9)
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, size=(80, 3)), rng.integers(0, 2, 80)
    for alpha in (0.5, 1.0, 3.0):
        same = bayes("categorical", m=alpha * 4, expected="uniform").fit(X, y)
        library = CategoricalNB(alpha=alpha).fit(X, y)
        assert same.predict_proba(X) == pytest.approx(library.predict_proba(X), abs=1e-12)
    given = [[0.1, 0.2, 0.3, 0.4]] * 3
    endless = bayes("categorical", m=1e12, expected=given).fit(X, y).pipeline_[-1]
    assert np.exp(endless.feature_log_prob_[1][0]) == pytest.approx(given[1], abs=1e-9)
    overall = bayes("categorical", m=1e12, expected="overall").fit(X, y).pipeline_[-1]
    assert np.exp(overall.feature_log_prob_[0][1]) == pytest.approx(np.bincount(X[:, 0]) / 80, abs=1e-9)
    with pytest.raises(ValueError, match="column 0 a share for each of its 4 categories"):
        bayes("categorical", m=1.0, expected=[[0.5, 0.5]]).fit(X, y)


def texts(lines: list[str]) -> pd.DataFrame:
    return pd.DataFrame({"text": lines})


@pytest.mark.covers("bayes-text-nb", "proc_naive_bayes_recipe", "ex_nb_text_small")
@pytest.mark.parametrize(
    ("documents", "query", "vocabulary", "first", "shares"),
    [
        (
            [("good , good film", 1), ("bad film", 0)], "good unseen bad good",
            4, 0.654986522911, {("good", 1): 0.375, ("bad", 0): 1 / 3},
        ),
        (
            [("good fun !", 1), ("good good plot", 1), ("bad plot", 0), ("bad boring fun", 0)], "good plot unseen",
            6, 0.770700636943, {},
        ),
    ],
    ids=["film", "plot"],
)  # fmt: skip
def test_words_are_counted_position_by_position(
    documents: Any, query: str, vocabulary: int, first: float, shares: Any
) -> None:
    encoder = TextEncoder(by="bag-of-words").fit(texts([text for text, _ in documents]))
    words = [name.removeprefix("text: ") for name in encoder.get_feature_names_out()]
    assert len(words) == vocabulary
    counts = encoder.transform(texts([text for text, _ in documents]))
    model = bayes("multinomial", alpha=1.0, rescale=False).fit(counts, [label for _, label in documents])
    found = np.exp(model.pipeline_[-1].feature_log_prob_)
    for (word, label), share in shares.items():
        assert found[label, words.index(word)] == pytest.approx(share)
    asked = encoder.transform(texts([query]))
    assert model.predict_proba(asked)[0, 1] == pytest.approx(first, abs=1e-9)
    if vocabulary == 6:
        assert model.predict_joint_log_proba(asked)[0] == pytest.approx([-4.7957905456, -3.58351893846], abs=1e-9)


def test_texts_as_words_are_saved_and_missing_ones_are_empty(tmp_path: Any) -> None:
    from penstock.components.trust import trusted_types
    from penstock.store import dump_estimator, read_estimator

    frame = pd.DataFrame({"text": ["a b", None, "b ! c"]})
    encoder = TextEncoder(by="bag-of-words").fit(frame)
    assert encoder.transform(frame)[1].tolist() == [0.0] * 4
    path = tmp_path / "encoder.skops"
    path.write_bytes(dump_estimator(encoder))
    assert np.array_equal(read_estimator(path, trusted_types()).transform(frame), encoder.transform(frame))


@pytest.mark.covers("bayes-mixed-nb")
def test_a_distribution_for_each_column() -> None:
    rng = np.random.default_rng(0)
    amounts, flags, kinds = rng.normal(size=(90, 2)), rng.integers(0, 2, (90, 2)), rng.integers(0, 5, (90, 1))
    y = (amounts[:, 0] + flags[:, 1] + rng.normal(size=90) > 0.5).astype(int)
    alone = bayes("mixed").fit(amounts, y)
    assert alone.families_ == ["gaussian"] * 2
    assert alone.predict_joint_log_proba(amounts) == pytest.approx(
        GaussianNB().fit(amounts, y).predict_joint_log_proba(amounts), abs=1e-12
    )
    whole = np.hstack([amounts, flags, kinds])
    model = bayes("mixed").fit(whole, y)
    assert model.families_ == ["gaussian", "gaussian", "bernoulli", "bernoulli", "categorical"]
    blocks = [
        bayes("gaussian").fit(amounts, y).predict_joint_log_proba(amounts),
        bayes("bernoulli").fit(flags, y).predict_joint_log_proba(flags),
        bayes("categorical", bins=10).fit(kinds, y).predict_joint_log_proba(kinds),
    ]
    prior = np.log(np.bincount(y) / 90)
    assert model.predict_joint_log_proba(whole) == pytest.approx(sum(blocks) - 2 * prior, abs=1e-10)
    order = [4, 2, 0, 3, 1]
    turned = bayes("mixed").fit(whole[:, order], y)
    assert turned.predict_proba(whole[:, order]) == pytest.approx(model.predict_proba(whole), abs=1e-12)
    told = bayes("mixed", families=["gaussian"] * 5).fit(whole, y)
    assert told.predict_proba(whole) == pytest.approx(GaussianNB().fit(whole, y).predict_proba(whole))
    unseen = whole.copy()
    unseen[:, 4] = 99  # a category never met tells nothing
    others = bayes("mixed").fit(whole[:, :4], y)
    assert model.predict_proba(unseen) == pytest.approx(others.predict_proba(whole[:, :4]))
    with pytest.raises(ValueError, match=r"one of gaussian, .* for each of 5 columns; it names 2"):
        bayes("mixed", families=["gaussian", "poisson"]).fit(whole, y)
    with pytest.raises(UsageError, match=r"'families' has to name one of gaussian, .*not 'cauchy'") as caught:
        check_parameters(find_entry("mixed-naive-bayes"), {"families": ["gaussian", "cauchy"]})
    assert caught.value.code == "PEN017"
    check_parameters(find_entry("mixed-naive-bayes"), {"families": ["poisson", "exponential"]})


@pytest.mark.covers("bayes-mixed-nb")
def test_counts_and_waiting_times_beside_amounts() -> None:
    rng = np.random.default_rng(0)
    y, weights = np.arange(120) % 2, rng.integers(1, 4, 120)
    X = np.column_stack([rng.poisson(2 + 3 * y), rng.exponential(1 + y), rng.normal(size=120)])
    model = bayes("mixed", families=["poisson", "exponential", "gaussian"]).fit(X, y, weights)
    bell = bayes("gaussian").fit(X[:, 2:], y, weights).predict_joint_log_proba(X[:, 2:])
    for code in (0, 1):
        counts, waits, _ = np.average(X[y == code], axis=0, weights=weights[y == code])
        by_hand = stats.poisson(counts).logpmf(X[:, 0]) + stats.expon(scale=waits).logpdf(X[:, 1]) + bell[:, code]
        assert model.predict_joint_log_proba(X)[:, code] == pytest.approx(by_hand)
    assert model.score(X, y) > 0.8
    none = bayes("mixed", families=["poisson"]).fit([[0], [0], [3], [5]], [0, 0, 1, 1])
    assert none.predict([[0], [4]]).tolist() == [0, 1]
    assert none.predict_proba([[-1]]).tolist() == [[0.5, 0.5]]
    waits = bayes("mixed", families=["exponential"]).fit([[0.0], [1.0], [2.0], [9.0]], [0, 0, 1, 1])
    assert waits.predict_proba([[1e30], [1e20]]).tolist() == [[0.0, 1.0]] * 2
    with pytest.raises(ValueError, match="Negative values in data passed to a column of the family 'exponential'"):
        bayes("mixed", families=["exponential"]).fit([[-1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="not whole in data passed to a column of the family 'poisson'"):
        bayes("mixed", families=["poisson"]).fit([[0.5], [2.0]], [0, 1])


@pytest.mark.slow
@settings(max_examples=5, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), kind=st.sampled_from(["gaussian", "mixed", "categorical"]))
def test_whatever_the_data(seed: int, kind: str) -> None:
    """Rows may come in any order, and a weight of two is the row twice."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=30), rng.integers(0, 2, 30), rng.integers(0, 4, 30)])
    y, weights = np.arange(30) % 3, rng.integers(1, 3, 30)
    model = bayes(kind)
    whole, order = model.fit(X, y).predict_proba(X), rng.permutation(30)
    assert model.fit(X[order], y[order]).predict_proba(X) == pytest.approx(whole, abs=1e-9)
    weighted = model.fit(X, y, weights).predict_proba(X)
    repeated = model.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).predict_proba(X)
    assert weighted == pytest.approx(repeated, abs=1e-6)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), unit=st.floats(1e-4, 1e4), shift=st.floats(-100, 100))
def test_bells_have_no_units(seed: int, unit: float, shift: float) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
    other = X * [unit, 3.0] + shift
    for ddof in (0, 1):
        said = bayes("gaussian", ddof=ddof, var_smoothing=0.0).fit(X, y).predict_proba(X)
        again = bayes("gaussian", ddof=ddof, var_smoothing=0.0).fit(other, y).predict_proba(other)
        assert again == pytest.approx(said, abs=1e-5)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e9 + 0.1])
def test_a_column_that_never_changes_counts_for_nothing_whatever_its_value(value: float) -> None:
    """The mean of equal numbers is rounded, and would be a bell of no width but of some."""
    rng = np.random.default_rng(0)
    for size in (7, 10, 29):
        x, y = rng.normal(size=(size, 1)), np.arange(size) % 3 == 0
        for weights in (None, rng.uniform(0.1, 2, size)):
            alone = bayes("gaussian", var_smoothing=0.0).fit(x, y, weights)
            beside = bayes("gaussian", var_smoothing=0.0).fit(np.c_[x, np.full(size, value)], y, weights)
            fresh = rng.normal(size=(5, 1))
            asked = np.c_[fresh, np.full(5, value)]
            assert beside.predict_proba(asked) == pytest.approx(alone.predict_proba(fresh))
    with pytest.raises(ValueError, match="class 'True' has a single value in column 0"):
        bayes("gaussian", var_smoothing=0.0).fit(np.where(y[:, None], value, x), y)


@pytest.mark.parametrize("kind", ["gaussian", "mixed"])
def test_weights_in_any_unit(kind: str) -> None:
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(30, 2)) + 5, np.arange(30) % 2, rng.uniform(0.5, 2, 30)
    plain = bayes(kind).fit(X, y, weights).predict_proba(X)
    for unit in (1e-8, 1e8):
        assert bayes(kind).fit(X, y, weights * unit).predict_proba(X) == pytest.approx(plain)
    if kind == "gaussian":  # one row less is one, too
        for unit in (1e-8, 1 / 30, 0.5):
            model = bayes(kind, ddof=1, var_smoothing=0.0).fit(X, y, np.full(30, unit))
            assert model.var_[1] == pytest.approx(X[y == 1].var(axis=0, ddof=1))
        counts = np.arange(30) % 3 + 1
        repeated = np.repeat(X[y == 1], counts[y == 1], axis=0)
        assert bayes(kind, ddof=1, var_smoothing=0.0).fit(X, y, counts).var_[1] == pytest.approx(
            repeated.var(axis=0, ddof=1)
        )
    rare = np.where(y == 1, 1e-12, 1.0)  # a class that hardly counts still has its own bell
    assert bayes("gaussian").fit(X, y, rare).theta_[1] == pytest.approx(X[y == 1].mean(axis=0))


@pytest.mark.parametrize("kind", ["gaussian", "mixed", "bernoulli", "categorical", "multinomial"])
def test_no_weight_is_negative(kind: str) -> None:
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        bayes(kind).fit([[0.0], [1.0], [2.0], [5.0]], [0, 0, 1, 1], [1.0, -1.0, 1.0, 1.0])


@pytest.mark.covers("bayes-mixed-nb")
def test_what_is_asked_of_all_columns_reaches_the_block_of_each() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 1)), np.arange(60) % 3 > 0
    for family, asked, same in (
        ("gaussian", {"var_smoothing": 0.5}, {"var_smoothing": 0.5}),
        ("categorical", {"few": 3, "alpha": 0.2}, {"bins": 3, "alpha": 0.2}),
        ("bernoulli", {"alpha": 7.0}, {"alpha": 7.0}),
    ):
        found = bayes("mixed", families=[family], **asked).fit(X, y)
        assert found.predict_proba(X) == pytest.approx(bayes(family, **same).fit(X, y).predict_proba(X))
        even = bayes("mixed", families=[family], fit_prior=False, **asked).fit(X, y)
        difference = found.predict_joint_log_proba(X) - even.predict_joint_log_proba(X)
        assert difference == pytest.approx(np.tile(np.log([2 / 3, 4 / 3]), (60, 1)))
    for family in ("poisson", "exponential"):  # nothing but zeros tells nothing
        none = bayes("mixed", families=[family]).fit(np.zeros((4, 1)), [0, 1, 1, 1])
        assert none.predict_proba([[0.0], [3.0]]) == pytest.approx(np.array([[0.25, 0.75]] * 2))
