"""Different methods together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.ensembles.mixed import (
    MixedStackingClassifier,
    MixedStackingRegressor,
    MixedVotingClassifier,
    MixedVotingRegressor,
)
from penstock.components.learning_theory.bounds import majority_error

pytestmark = pytest.mark.usefixtures("one_thread")

TWO = "logistic-regression + gaussian-naive-bayes"


def mixed(name: str, problem: str = "classification", **given: Any) -> Any:
    return build(name, given, seed=0, problem=problem)


@pytest.mark.parametrize(
    "estimator",
    [
        MixedVotingClassifier(members=TWO),
        MixedVotingRegressor(members="ridge + linear-regression"),
        MixedStackingRegressor(members="ridge + linear-regression", folds=2),
    ],
)
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.slow
def test_scikit_learn_agrees_on_stacking() -> None:
    assert len(check_estimator(MixedStackingClassifier(members=TWO, folds=2), on_skip=None)) > 30


@pytest.mark.covers("ens-voting")
def test_the_mean_the_vote_and_their_weights() -> None:
    X, y = make_classification(200, 5, n_classes=3, n_informative=4, n_redundant=0, random_state=0)
    y = np.array(["a", "b", "c"])[y]
    model = mixed("voting", members=f"{TWO} + decision-tree", weights="2 + 1 + 1").fit(X, y)
    parts = [member.predict_proba(X) for member in model.ensemble_.estimators_]
    assert np.allclose(model.predict_proba(X), np.average(parts, axis=0, weights=[2, 1, 1]))
    votes = mixed("voting", members=f"{TWO} + decision-tree", vote="majority").fit(X, y)
    said = np.stack([model.classes_[member.predict(X)] for member in votes.ensemble_.estimators_])
    shares = votes.predict_proba(X)
    assert np.array_equal(shares, np.stack([(said == name).mean(axis=0) for name in "abc"], axis=1))
    assert np.array_equal(votes.predict(X), votes.classes_[shares.argmax(axis=1)])
    values = mixed("voting", "regression", members="ridge + decision-tree").fit(X, X[:, 0])
    assert np.allclose(values.predict(X), np.mean([one.predict(X) for one in values.ensemble_.estimators_], axis=0))
    for wrong in ("1 + 2", "much + little + none", "-1 + 1 + 1"):
        with pytest.raises(ValueError, match="a number for each of"):
            mixed("voting", members=f"{TWO} + decision-tree", weights=wrong).fit(X, y)


@pytest.mark.covers("ens-voting")
def test_a_vote_of_independent_voters_is_better_and_of_equal_ones_is_not() -> None:
    """A column for each voter, which is its answer; trees that see one column each are the members."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 50_000)
    for voters, wrong in ((11, 0.078225), (21, 0.026390)):
        said = np.where(rng.random((voters, len(truth))) < 0.3, 1 - truth, truth).T.astype(float)
        members = " + ".join(["decision-tree"] * voters)
        vote = mixed("voting", members=members, vote="majority").fit(said[:200], truth[:200])
        vote.ensemble_.estimators_ = [
            make_pipeline(ColumnTransformer([("own", "passthrough", [voter])]), member).fit(said, truth)
            for voter, member in enumerate(vote.ensemble_.estimators_)
        ]
        assert np.mean(vote.predict(said) != truth) == pytest.approx(wrong, abs=0.003)
        assert majority_error(voters, 0.3) == pytest.approx(wrong, abs=1e-6)
    small = np.where(rng.random(2000) < 0.3, 1 - truth[:2000], truth[:2000])[:, None].astype(float)
    alike = " + ".join(["decision-tree"] * 5)
    model = mixed("voting", members=alike, vote="majority").fit(small, truth[:2000])
    assert np.mean(model.predict(small) != truth[:2000]) == pytest.approx(0.3, abs=0.03)
    one = build("decision-tree", {}, seed=0, problem="classification").fit(small, truth[:2000])
    assert np.array_equal(model.predict(small), one.predict(small))


@pytest.mark.covers("ens-stacking", "proc_stacking")
def test_the_model_on_top_learns_from_what_members_say_of_other_rows() -> None:
    """The courses' own weights hang on rows that they do not give; what tells the leak from the honest way does not."""
    X, y = make_classification(400, 5, n_informative=3, n_redundant=0, flip_y=0.3, random_state=0)
    members = "k-nearest-neighbours + logistic-regression"
    stacked = mixed("stacking", members=members).fit(X, y)
    named = [("1-nn", KNeighborsClassifier(1)), ("logistic", LogisticRegression())]
    inside = StackingClassifier([(name, model.fit(X, y)) for name, model in named], LogisticRegression(), cv="prefit")
    outside = StackingClassifier(named, LogisticRegression(), cv=5)
    by_heart, honest = (model.fit(X, y).final_estimator_.coef_[0] for model in (inside, outside))
    # Fitted on rows that they know, the neighbour is trusted above all: the signature of the leak.
    assert inside.score(X, y) == 1.0
    assert by_heart[0] > 5 * abs(by_heart[1])
    assert honest[1] > honest[0] > 0
    assert list(stacked.ensemble_.named_estimators_) == ["k-nearest-neighbours 1", "logistic-regression 2"]
    assert stacked.ensemble_.final_estimator_.coef_[0][1] > 0
    # Ours goes the honest way also with a member that knows its rows by heart: a tree, like one neighbour.
    ours = mixed("stacking", members="decision-tree + logistic-regression").fit(X, y).ensemble_
    known = StackingClassifier(ours.estimators, LogisticRegression(max_iter=1000), cv="prefit")
    known.estimators = [(name, member.fit(X, y)) for name, member in known.estimators]
    tree, line = known.fit(X, y).final_estimator_.coef_[0]
    assert known.score(X, y) == 1.0
    assert tree > 5 * abs(line)
    honest_tree, honest_line = ours.final_estimator_.coef_[0]
    assert 0 < honest_tree < tree / 3
    assert honest_line > line


@pytest.mark.covers("proc_stacking")
def test_no_member_has_seen_the_row_that_it_is_asked_about() -> None:
    """Members that know a row by heart would say its label, which is a coin; the model on top then trusts nobody."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    model = mixed("stacking", members="decision-tree + extra-trees", folds=4).fit(X, y)
    assert all(member.score(X, y) == 1.0 for member in model.ensemble_.estimators_)
    assert model.score(X, y) < 1.0 or abs(model.ensemble_.final_estimator_.coef_).max() < 2
    assert model.ensemble_.cv == 4


@pytest.mark.slow
@pytest.mark.covers("ens-voting")
def test_one_network_from_several_starts() -> None:
    pytest.importorskip("torch")
    X, y = make_classification(80, 4, random_state=0)
    first, second = mixed("voting", members="mlp + mlp").fit(X, y).ensemble_.estimators_
    assert not np.array_equal(first.predict_proba(X), second.predict_proba(X))
    alone = build("mlp", {}, seed=0, problem="classification").fit(X, y)
    assert np.array_equal(first.predict_proba(X), alone.predict_proba(X))
