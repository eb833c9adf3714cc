"""Different methods that vote."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.ensembles.voting import MixedVotingClassifier, MixedVotingRegressor
from penstock.components.learning_theory.bounds import majority_error

pytestmark = pytest.mark.usefixtures("one_thread")

TWO = "logistic-regression + gaussian-naive-bayes"


def voting(problem: str = "classification", **given: Any) -> Any:
    return build("voting", given, seed=0, problem=problem)


@pytest.mark.parametrize(
    "estimator",
    [
        MixedVotingClassifier(members=TWO),
        MixedVotingRegressor(members="ridge + linear-regression"),
    ],
)
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("ens-voting")
def test_the_mean_the_vote_and_their_weights() -> None:
    X, y = make_classification(200, 5, n_classes=3, n_informative=4, n_redundant=0, random_state=0)
    y = np.array(["a", "b", "c"])[y]
    model = voting(members=f"{TWO} + decision-tree", weights="2 + 1 + 1").fit(X, y)
    parts = [member.predict_proba(X) for member in model.ensemble_.estimators_]
    assert np.allclose(model.predict_proba(X), np.average(parts, axis=0, weights=[2, 1, 1]))
    votes = voting(members=f"{TWO} + decision-tree", vote="majority").fit(X, y)
    said = np.stack([model.classes_[member.predict(X)] for member in votes.ensemble_.estimators_])
    shares = votes.predict_proba(X)
    assert np.array_equal(shares, np.stack([(said == name).mean(axis=0) for name in "abc"], axis=1))
    assert np.array_equal(votes.predict(X), votes.classes_[shares.argmax(axis=1)])
    values = voting("regression", members="ridge + decision-tree").fit(X, X[:, 0])
    assert np.allclose(values.predict(X), np.mean([one.predict(X) for one in values.ensemble_.estimators_], axis=0))
    for wrong in ("1 + 2", "much + little + none", "-1 + 1 + 1"):
        with pytest.raises(ValueError, match="a number for each of"):
            voting(members=f"{TWO} + decision-tree", weights=wrong).fit(X, y)


@pytest.mark.covers("ens-voting")
def test_a_vote_of_independent_voters_is_better_and_of_equal_ones_is_not() -> None:
    """A column for each voter, which is its answer; trees that see one column each are the members."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 50_000)
    for voters, wrong in ((11, 0.078225), (21, 0.026390)):
        said = np.where(rng.random((voters, len(truth))) < 0.3, 1 - truth, truth).T.astype(float)
        members = " + ".join(["decision-tree"] * voters)
        vote = voting(members=members, vote="majority").fit(said[:200], truth[:200])
        vote.ensemble_.estimators_ = [
            make_pipeline(ColumnTransformer([("own", "passthrough", [voter])]), member).fit(said, truth)
            for voter, member in enumerate(vote.ensemble_.estimators_)
        ]
        assert np.mean(vote.predict(said) != truth) == pytest.approx(wrong, abs=0.003)
        assert majority_error(voters, 0.3) == pytest.approx(wrong, abs=1e-6)
    small = np.where(rng.random(2000) < 0.3, 1 - truth[:2000], truth[:2000])[:, None].astype(float)
    alike = " + ".join(["decision-tree"] * 5)
    model = voting(members=alike, vote="majority").fit(small, truth[:2000])
    assert np.mean(model.predict(small) != truth[:2000]) == pytest.approx(0.3, abs=0.03)
    one = build("decision-tree", {}, seed=0, problem="classification").fit(small, truth[:2000])
    assert np.array_equal(model.predict(small), one.predict(small))


@pytest.mark.slow
@pytest.mark.covers("ens-voting")
def test_one_network_from_several_starts() -> None:
    pytest.importorskip("torch")
    X, y = make_classification(80, 4, random_state=0)
    first, second = voting(members="mlp + mlp").fit(X, y).ensemble_.estimators_
    assert not np.array_equal(first.predict_proba(X), second.predict_proba(X))
    alone = build("mlp", {}, seed=0, problem="classification").fit(X, y)
    assert np.array_equal(first.predict_proba(X), alone.predict_proba(X))
