"""Different methods that vote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build, check_parameters, find
from penstock.components.ensembles.voting import MixedVotingClassifier, MixedVotingRegressor
from penstock.components.teaching.learning_theory.bounds import majority_error
from penstock.components.trust import trusted_types
from penstock.errors import UsageError
from penstock.store import dump_estimator, read_estimator

pytestmark = pytest.mark.usefixtures("one_thread")

TWO = "logistic-regression + gaussian-naive-bayes"


def voting(problem: str = "classification", **given: Any) -> Any:
    return build("voting", given, seed=0, problem=problem)


@pytest.mark.slow
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
    folds = [member.predict_proba(X) for member in model.ensemble_.estimators_]
    assert np.allclose(model.predict_proba(X), np.average(folds, axis=0, weights=[2, 1, 1]))
    votes = voting(members=f"{TWO} + decision-tree", vote="majority").fit(X, y)
    said = np.stack([model.classes_[member.predict(X)] for member in votes.ensemble_.estimators_])
    shares = votes.predict_proba(X)
    assert np.array_equal(shares, np.stack([(said == name).mean(axis=0) for name in "abc"], axis=1))
    assert np.array_equal(votes.predict(X), votes.classes_[shares.argmax(axis=1)])
    weighed = voting(members=f"{TWO} + decision-tree", vote="majority", weights="4 + 1 + 1").fit(X, y)
    counted = np.stack([(said == name).T @ [4, 1, 1] / 6 for name in "abc"], axis=1)
    assert weighed.predict_proba(X) == pytest.approx(counted)
    assert np.array_equal(weighed.predict(X), said[0])  # the others together have half of its weight
    assert not np.array_equal(votes.predict(X), said[0])
    values = voting("regression", members="ridge + decision-tree").fit(X, X[:, 0])
    assert np.allclose(values.predict(X), np.mean([one.predict(X) for one in values.ensemble_.estimators_], axis=0))
    tilted = voting("regression", members="ridge + decision-tree", weights="3 + 1").fit(X, X[:, 1])
    line, tree = (one.predict(X) for one in tilted.ensemble_.estimators_)
    assert tilted.predict(X) == pytest.approx(0.75 * line + 0.25 * tree)
    for wrong in ("1 + 2", "much + little + none", "-1 + 1 + 1"):
        with pytest.raises(ValueError, match="a number for each of"):
            voting(members=f"{TWO} + decision-tree", weights=wrong).fit(X, y)


@pytest.mark.covers("ens-voting")
def test_members_may_have_parameters_of_their_own(tmp_path: Path) -> None:
    X, y = make_classification(120, 4, random_state=0)
    listed = [{"decision-tree": {"max_depth": 2}}, "logistic-regression", {"k-nearest-neighbours": {"n_neighbors": 1}}]
    model = voting(members=listed, weights="2 + 1 + 1").fit(X, y)
    tree, _, nearest = model.ensemble_.estimators_
    assert (tree.max_depth, nearest.n_neighbors) == (2, 1)
    alone = [build(name, given, seed=0, problem="classification").fit(X, y) for name, given in _apart(listed)]
    shares = np.average([one.predict_proba(X) for one in alone], axis=0, weights=[2, 1, 1])
    assert model.predict_proba(X) == pytest.approx(shares)
    joined = voting(members="ridge + decision-tree", problem="regression").fit(X, X[:, 0])
    apart = voting(members=["ridge", "decision-tree"], problem="regression").fit(X, X[:, 0])
    assert np.array_equal(joined.predict(X), apart.predict(X))
    path = tmp_path / "model.skops"
    path.write_bytes(dump_estimator(clone(model).fit(X, y)))
    assert np.array_equal(read_estimator(path, trusted_types()).predict_proba(X), model.predict_proba(X))
    bagged = build("bagging", {"base": listed[0], "n_estimators": 3}, seed=0, problem="classification").fit(X, y)
    assert {one.max_depth for one in bagged.ensemble_.estimators_} == {2}


def _apart(members: list[Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(one, {}) if isinstance(one, str) else next(iter(one.items())) for one in members]


@pytest.mark.parametrize(
    ("member", "words"),
    [
        ({"ridge": {"alhpa": 1.0}}, "'ridge' has no parameter 'alhpa'; did you mean 'alpha'"),
        ({"ridge": {"alpha": -1.0}}, "'alpha' parameter of"),
        ({"ridge": {"alpha": [1.0, 2.0]}}, "gives 'ridge' several values of 'alpha', and it can have but one"),
        ({"rigde": {}}, "'rigde' is none: did you mean 'ridge'"),
        ({"voting": {}}, "'voting' is none"),
        ("sparse-signal", "no part of another method knows these: let it run by itself"),
        ({"ridge": {}, "decision-tree": {}}, "a method is named, or has its parameters below its name"),
        ({"ridge": 3}, "a method is named, or has its parameters below its name"),
        ("ridge + decision-tree", "'ridge [+] decision-tree' is none"),
    ],
)
def test_a_member_that_cannot_be_is_refused_before_anything_is_fitted(member: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        check_parameters(find("voting"), {"members": ["decision-tree", member]}, problem="regression")
    assert (caught.value.code, caught.value.where) == ("PEN017", "members")
    with pytest.raises(UsageError, match="'members' names no method"):
        check_parameters(find("stacking"), {"members": []}, problem="regression")


@pytest.mark.slow
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
