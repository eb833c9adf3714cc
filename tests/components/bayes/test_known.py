"""Classifiers from what is known: densities, or a list of hypotheses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.bayes.densities import KnownDensityClassifier, draw, log_density
from penstock.components.bayes.hypotheses import FiniteHypotheses
from penstock.components.catalog import build, check_parameters
from penstock.components.catalog import find as find_entry
from penstock.components.diagnostics import find
from penstock.components.teaching.irreducible import bayes_error
from penstock.errors import UsageError

TWO_BELLS = [[{"family": "normal", "loc": 0, "scale": 1}], [{"family": "normal", "loc": 2, "scale": 1}]]


def known(**given: Any) -> Any:
    return build("known-densities", given, seed=0, problem="classification")


def weighed(X: Any, y: Any, **given: Any) -> Any:
    return build("finite-hypotheses", given, seed=0, problem="classification").fit(X, y)


@pytest.mark.parametrize(
    "estimator", [KnownDensityClassifier(), *(FiniteHypotheses(answer) for answer in ("vote", "map", "gibbs"))]
)
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("bayes-known-densities", "ex_ppv_covid")
def test_what_a_positive_test_means() -> None:
    test = [[{"family": "bernoulli", "p": 0.05}], [{"family": "bernoulli", "p": 0.95}]]
    model = known(densities=test, priors=[0.99, 0.01]).fit([[0], [1]], ["healthy", "ill"])
    assert model.predict_proba([[1]])[0, 1] == pytest.approx(0.161016949153, abs=1e-9)
    assert model.predict([[1]]).tolist() == ["healthy"]
    positive_but_healthy, negative_but_ill = (
        float(np.exp(log_density(spec, np.array([[said]])))[0]) for spec, said in zip(test, (1, 0), strict=True)
    )
    assert (positive_but_healthy, negative_but_ill, model.priors_[0]) == pytest.approx((0.05, 0.05, 0.99))
    # The book's fraction has 0.9 for 0.99, which are no shares of all people; made to sum, they are not its number.
    with pytest.raises(ValueError, match="sum to one"):
        known(densities=test, priors=[0.9, 0.01]).fit([[0], [1]], ["healthy", "ill"])
    misprinted = known(densities=test, priors=[90 / 91, 1 / 91]).fit([[0], [1]], ["healthy", "ill"])
    assert misprinted.predict_proba([[1]])[0, 1] == pytest.approx(0.174311926606, abs=1e-9)


@pytest.mark.slow
@pytest.mark.covers("bayes-known-densities", "bayes-error")
def test_nothing_that_is_learnt_beats_what_is_known() -> None:
    rng = np.random.default_rng(0)
    rows = 500_000
    X = np.vstack([draw(spec, rows, rng) for spec in TWO_BELLS])
    y = np.repeat([0, 1], rows)
    model = known(densities=TWO_BELLS, priors=[0.5, 0.5]).fit(X[:: rows // 50], y[:: rows // 50])
    wrong = np.mean(model.predict(X) != y)
    least = bayes_error(TWO_BELLS, [0.5, 0.5])
    assert least == pytest.approx(norm.cdf(-1), abs=1e-8)
    assert least == pytest.approx(0.158655, abs=1e-6)
    assert wrong == pytest.approx(least, abs=0.001)
    taught = rng.permutation(len(y))[:200]
    for name, given in (
        ("gaussian-naive-bayes", {}),
        ("k-nearest-neighbours", {"n_neighbors": 15}),
        ("decision-tree", {}),
    ):
        other = build(name, given, seed=0, problem="classification").fit(X[taught], y[taught])
        fresh = slice(None, None, 200)
        assert np.mean(other.predict(X[fresh]) != y[fresh]) > least - 0.003
    assert np.mean(LogisticRegression().fit(X[taught], y[taught]).predict(X) != y) > least - 0.001


@pytest.mark.covers("bayes-known-densities", "ex_gaussian_2d_factorises")
def test_a_bell_without_correlations_is_a_product_of_bells() -> None:
    joint = {"family": "multivariate-normal", "mean": [0.0, 0.5], "cov": [[4.0, 0.0], [0.0, 0.25]]}
    apart = [{"loc": 0.0, "scale": 2.0}, {"loc": 0.5, "scale": 0.5}]
    at = np.array([[1.0, -1.0]])
    for spec in (joint, apart):
        assert np.exp(log_density(spec, at)) == pytest.approx([0.00156030015932], abs=1e-12)


def test_learnt_bells_have_no_units_and_bear_columns_that_never_change() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 2
    X[y == 1] += 1
    X[:, 2] = 0.0
    said = known().fit(X, y).predict_proba(X)
    other = X * [1e-12, 1e12, 1.0]
    assert known().fit(other, y).predict_proba(other) == pytest.approx(said, abs=1e-9)
    assert said == pytest.approx(known().fit(X[:, :2], y).predict_proba(X[:, :2]), abs=1e-9)


@pytest.mark.covers("bayes-error")
def test_the_least_error_of_several_columns_is_drawn() -> None:
    plane = [[{"loc": 0}, {"loc": 0}], [{"loc": 2}, {"loc": 0}]]
    assert bayes_error(plane, [0.5, 0.5]) == pytest.approx(norm.cdf(-1), abs=0.002)
    joint = [
        {"family": "multivariate-normal", "mean": [0, 0], "cov": [[1, 0], [0, 1]]},
        {"family": "multivariate-normal", "mean": [2, 0], "cov": [[1, 0], [0, 1]]},
    ]
    assert bayes_error(joint, [0.5, 0.5]) == pytest.approx(norm.cdf(-1), abs=0.002)
    assert bayes_error([[{"family": "bernoulli", "p": 0.1}], [{"family": "bernoulli", "p": 0.8}]], [0.5, 0.5]) == (
        pytest.approx(0.15, abs=0.002)
    )
    three = [[{"loc": 0}], [{"loc": 2}], [{"loc": 4}]]  # the one in the middle is lost on both sides
    assert bayes_error(three, [1 / 3] * 3) == pytest.approx(4 / 3 * norm.cdf(-1), abs=1e-8)
    narrow = [[{"loc": 0, "scale": 1}], [{"loc": 50, "scale": 0.001}]]
    assert bayes_error(narrow, [0.5, 0.5]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.covers("bayes-error", "bayes-known-densities")
def test_the_diagnostic_tells_the_least_error_and_that_of_the_rows() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": np.r_[rng.normal(size=200), rng.normal(2, 1, 200)], "y": ["a"] * 200 + ["b"] * 200})
    asked = {"target": "y", "densities": {"a": TWO_BELLS[0], "b": TWO_BELLS[1]}, "priors": {"a": 0.5, "b": 0.5}}
    found = find("bayes-error")(frame, asked)
    assert found.facts["least_error"] == pytest.approx(0.158655, abs=1e-6)
    assert found.facts["error_of_rows"] == pytest.approx(0.158655, abs=0.05)
    assert found.figure is not None
    assert "15.9%" in found.findings[0]
    bells = np.column_stack([norm.pdf(frame["x"]), norm.pdf(frame["x"], 2)])
    doubt = 1 - bells.max(axis=1) / bells.sum(axis=1)  # at each row: 1 - max p(class | x)
    assert found.table["mean doubt"].tolist() == pytest.approx([doubt[:200].mean(), doubt[200:].mean()])
    with pytest.raises(UsageError, match="there is no density named 'norml'") as caught:
        find("bayes-error")(frame, {**asked, "densities": {"a": [{"family": "norml"}], "b": [{}]}})
    assert caught.value.code == "PEN071"


def test_densities_that_do_not_fit_are_refused() -> None:
    X, y = np.zeros((4, 1)), [0, 0, 1, 1]
    for given, words in (
        ({"densities": TWO_BELLS[:1]}, "1 densities are given for 2 classes"),
        ({"densities": [[{}, {}], [{}, {}]]}, "2 densities are given for 1 columns"),
        ({"densities": TWO_BELLS, "priors": [0.5, 0.6]}, "sum to one"),
        ({"densities": [[{"family": "normal", "width": 1}], [{}]]}, "cannot be made of"),
        ({"densities": [[{"scale": -1.0}], [{}]]}, "a scale is above 0"),
    ):
        with pytest.raises(ValueError, match=words):
            known(**given).fit(X, y)


@pytest.mark.covers("bayes-known-densities")
@pytest.mark.parametrize(
    ("densities", "words"),
    [
        (
            ["normal(0, 1)", "normal(2, 1)"],
            r"a density is written {family: normal, loc: 0, scale: 1}, not 'normal\(0, 1\)'",
        ),
        ([["normal"], [{}]], "a density is written .*, not 'normal'"),
        ([[{"family": "norml"}], [{}]], "there is no density named 'norml'; did you mean 'normal'"),
        ([[{"scale": -1.0}], [{}]], "a scale is above 0"),
        ([[{"family": "multivariate-normal", "mean": [0, 0]}], [{}]], "is of all columns together"),
    ],
)
def test_what_is_no_density_is_refused_before_anything_is_fitted(densities: list[Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        check_parameters(find_entry("known-densities"), {"densities": densities})
    assert caught.value.code == "PEN017"
    with pytest.raises(ValueError, match=words):
        known(densities=densities).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.covers("bayes-map-ml-learner")
def test_the_bias_of_a_coin() -> None:
    tosses, X = np.array([1, 1, 1, 0]), np.zeros((4, 1))
    coins = [0.25, 0.5, 0.75]
    model = weighed(X, tosses, hypotheses=coins, prior=[0.1, 0.8, 0.1], predict_by="map")
    assert model.posterior_ == pytest.approx([0.018987, 0.810127, 0.170886], abs=1e-6)
    assert coins[model.best_] == 0.5
    counted = build(
        "finite-hypotheses", {"hypotheses": coins, "prior": [0.1, 0.8, 0.1]}, seed=0, problem="classification"
    )
    assert counted.fit(X[2:], tosses[2:], sample_weight=[3, 1]).posterior_ == pytest.approx(model.posterior_)
    likely = weighed(X, tosses, hypotheses=coins, predict_by="map")
    assert coins[likely.best_] == 0.75
    assert likely.posterior_[2] == pytest.approx(0.586957, abs=1e-6)
    assert likely.predict_proba([[0.0]]).tolist() == [[0.25, 0.75]]


def three_rules(answer: str) -> Any:
    """The first says +, the others -, beyond all rows that were seen, on which they agree: the prior stays."""
    rules = [_Rule(last) for last in (1, 0, 0)]
    return weighed([[0.0], [1.0]], [1, 0], hypotheses=rules, prior=[0.4, 0.3, 0.3], predict_by=answer)


class _Rule:
    """Says 1 at zero, 0 at one, and beyond what it is told to."""

    classes_ = np.array([0, 1])

    def __init__(self, beyond: int) -> None:
        self.beyond = beyond

    def predict_proba(self, X: Any) -> Any:
        says = np.where(X[:, 0] > 1, self.beyond, X[:, 0] == 0).astype(float)
        return np.column_stack([1 - says, says])


@pytest.mark.slow
@pytest.mark.covers("bayes-optimal-vote", "bayes-gibbs", "ex_bayes_optimal_vs_map", "met_gibbs_bayes_bound")
def test_all_hypotheses_together_may_say_otherwise_than_the_best() -> None:
    assert three_rules("map").predict([[5.0]]).tolist() == [1]
    vote = three_rules("vote")
    assert vote.posterior_ == pytest.approx([0.4, 0.3, 0.3])
    assert vote.predict_proba([[5.0]])[0] == pytest.approx([0.6, 0.4])
    assert vote.predict([[5.0]]).tolist() == [0]

    drawn = three_rules("gibbs")
    queries = np.linspace(2, 3, 100_000)[:, None]
    plus = drawn.predict(queries).mean()
    assert plus == pytest.approx(0.4, abs=0.005)
    assert np.array_equal(drawn.predict(queries), drawn.predict(queries))
    # Against truths drawn from the same posterior: 0.48 wrong, at most twice the 0.4 of the vote.
    truth = np.random.default_rng(0).random(100_000) < 0.4
    wrong = {model: float(np.mean(model.predict(queries) != truth)) for model in (drawn, vote)}
    assert wrong[drawn] == pytest.approx(0.48, abs=0.01)
    assert wrong[vote] == pytest.approx(0.4, abs=0.005)
    assert wrong[vote] < wrong[drawn] <= 2 * wrong[vote]
    # A vote over many draws tends to the vote of all.
    assert np.mean([_redrawn(seed).predict([[5.0]])[0] for seed in range(300)]) == pytest.approx(0.4, abs=0.1)


@pytest.mark.covers("bayes-map-ml-learner")
def test_hypotheses_may_know_fewer_classes_than_the_rows_but_no_others() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 1)), np.arange(40) % 2
    fewer, other = LogisticRegression().fit(X, 2 * y), LogisticRegression().fit(X, y)
    three = weighed(X, np.r_[2 * y[:39], 1], hypotheses=[fewer, fewer])
    assert three.predict_proba(X)[:, [0, 2]] == pytest.approx(fewer.predict_proba(X))
    assert not three.predict_proba(X)[:, 1].any()
    with pytest.raises(ValueError, match="hypothesis 2 knows the class '1', which no row has"):
        weighed(X, 2 * y, hypotheses=[fewer, other])


def _redrawn(seed: int) -> Any:
    given = {"hypotheses": [_Rule(last) for last in (1, 0, 0)], "prior": [0.4, 0.3, 0.3], "predict_by": "gibbs"}
    return build("finite-hypotheses", given, seed=seed, problem="classification").fit([[0.0], [1.0]], [1, 0])


def test_stumps_are_weighed_by_brute_force() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = np.digitize(X[:, 0] + 0.3 * rng.normal(size=40), [-0.4, 0.6])
    model = weighed(X, y, cuts=3, noise=0.2)
    likelihoods = []
    for column, cut in zip(model.columns_, model.thresholds_, strict=True):
        for below in range(3):
            for beyond in range(3):
                right = np.where(X[:, column] > cut, beyond, below) == y
                likelihoods.append(right.sum() * np.log(0.8) + (~right).sum() * np.log(0.1))
    posterior = np.exp(np.array(likelihoods) - max(likelihoods))
    assert model.posterior_ == pytest.approx(posterior / posterior.sum())
    proba = np.zeros((40, 3))
    place = 0
    for column, cut in zip(model.columns_, model.thresholds_, strict=True):
        for below in range(3):
            for beyond in range(3):
                says = np.where(X[:, column] > cut, beyond, below)
                proba += model.posterior_[place] * np.where(np.eye(3)[says] == 1, 0.8, 0.1)
                place += 1
    assert model.predict_proba(X) == pytest.approx(proba)
    best = weighed(X, y, cuts=3, noise=0.2, predict_by="map")
    cut, below, beyond = best.best_ // 9, best.best_ // 3 % 3, best.best_ % 3
    assert best.columns_[cut] == 0
    assert best.thresholds_[cut] in X[:, 0]  # the cut is a row's own value, which is not beyond it
    assert np.array_equal(best.predict(X), np.where(X[:, 0] > best.thresholds_[cut], beyond, below))
    with pytest.raises(ValueError, match="2 priors are given for"):
        weighed(X, y, prior=[0.5, 0.5])
