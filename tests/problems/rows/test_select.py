"""Choosing among candidates, in the jobs that fit and choose."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.polynomial.legendre import legvander
from sklearn.datasets import make_classification, make_moons

from penstock.actions.component import fingerprints
from penstock.components import catalog
from penstock.components.ensembles.chosen import build_chosen
from penstock.components.evaluation.one_standard_error import declared
from penstock.components.search import Candidate
from penstock.components.splitting import folds as cut_folds
from penstock.components.splitting import scored_on
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Fold, Folds
from penstock.problems.fits import Fit, Prepared
from penstock.problems.selection import Selected, SelectionEvidence, SelectRequest, SelectSettings
from penstock.store import Store
from penstock.tasks.select import select
from tests.stages import fit

Array = np.ndarray[Any, Any]


class Search:
    """Candidates on folds of matrices that need no preparation."""

    def __init__(self, store: Store, X: Array, y: Array, *, metric: str | None = None, **split: Any) -> None:
        self.store, self.X, self.y, self.metric = store, X, y, metric
        self.problem: Any = "classification" if y.dtype.kind == "i" else "regression"
        given: dict[str, Any] = {
            "recipe": "cross-validation-and-test",
            "folds": 5,
            "stratify": True,
            "validation": 0.25,
        }
        given |= split
        classes = y if self.problem == "classification" else None
        self.parts = given.pop("parts", None) or cut_folds(len(y), seed=0, classes=classes, groups=None, **given)
        n_classes, parts = 0 if classes is None else len(np.unique(y)), [Fold(*part) for part in self.parts]
        self.folds = Folds(y, n_classes, parts, scored_on=scored_on(given["recipe"])).save(store)

    def fit(
        self,
        number: int,
        name: str,
        parameters: dict[str, Any],
        columns: Sequence[int] | None = None,
        preparation: Any = None,
    ) -> Fit:
        candidate = Candidate(name=name, parameters=parameters, preparation=preparation or {}, number=number)
        X = self.X if columns is None else self.X[:, columns]
        results = []
        for fold, (train, valid) in enumerate(self.parts):
            matrices = {"train": self.store.put_matrix(X[train]), "valid": self.store.put_matrix(X[valid])}
            prepared = Prepared(**matrices, names=self.store.put_facts([]))
            results.append(fit(self.store, candidate, self.problem, prepared, self.folds, fold, metric=self.metric))
        return Fit(candidate=candidate, status="finished", results=results)

    def choose(self, fits: list[Fit], rule: Any = "best", ensembles: Any = ()) -> tuple[Selected, SelectionEvidence]:
        """The winner with its evidence, and what was seen of the others."""
        known = declared(fit.candidate.name for fit in fits)
        components = fingerprints(known, self.problem, self.store)
        settings = SelectSettings(
            metric=self.metric,
            rule=rule,
            simplicity=known,
            ensembles=list(ensembles),
            components=components,
            seed=0,
        )
        request = SelectRequest(settings=settings, fits=fits, folds=self.folds)
        made, store = select.function(self.store, self.problem, request), self.store
        assert made.unseen is not None
        evidence = store.facts(made.evidence)
        return Selected(store.facts(made.winner), evidence, Evidence.load(store, made.unseen)), evidence


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.mark.covers("met_cv_error", "ex_cv_fold_error")
def test_the_error_of_a_fold_is_that_of_the_rows_held_out(store: Store) -> None:
    """Four values and the mean of the others' half: 4.25 each, and not the 0.25 of the training rows."""
    y = np.array([1.0, 2.0, 3.0, 4.0])
    halves = [(np.array([2, 3]), np.array([0, 1])), (np.array([0, 1]), np.array([2, 3]))]
    search = Search(store, np.zeros((4, 1)), y, metric="neg_root_mean_squared_error", parts=halves)
    fit = search.fit(0, "dummy", {})
    predictions = [Evidence.load(store, result.evidence).prediction for result in fit.results]
    held_out = [
        float(((y[valid] - prediction) ** 2).sum()) for (_, valid), prediction in zip(halves, predictions, strict=True)
    ]
    assert held_out == pytest.approx([8.5, 8.5], abs=1e-9)
    learnt = [float(((y[train] - y[train].mean()) ** 2).sum()) for train, _ in halves]
    assert learnt == pytest.approx([0.5, 0.5], abs=1e-9)
    scores = search.choose([fit])[1].compared[0].folds
    assert np.mean(np.square(scores)) == pytest.approx(4.25, abs=1e-9)


@pytest.mark.covers("met_loo_error")
def test_leave_one_out_of_least_squares_is_known_without_refitting(store: Store) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(25, 3))
    y = X @ [1.0, -2.0, 0.5] + rng.normal(size=25)
    search = Search(store, X, y, metric="neg_root_mean_squared_error", recipe="leave-one-out")
    _, evidence = search.choose([search.fit(0, "linear-regression", {})])
    design = np.column_stack([np.ones(25), X])
    hat = design @ np.linalg.pinv(design)
    residuals = (y - hat @ y) / (1 - np.diag(hat))
    assert evidence.compared[0].score ** 2 == pytest.approx(np.mean(residuals**2))


@pytest.mark.covers("met_oob_error", "cl_oob_estimates_test_error")
@pytest.mark.slow
def test_out_of_bag_error_of_200_trees_is_near_the_test_error(store: Store) -> None:
    """600 rows to learn from, 2400 to test, 5 % of the labels flipped; trees on samples of rows and columns."""
    X, y = make_classification(3000, 20, n_informative=6, flip_y=0.1, random_state=0)  # half of 10 % change
    learning, test = slice(600), slice(600, None)
    split = {"recipe": "out-of-bag", "folds": 200}
    search = Search(store, X[learning], y[learning].astype(np.int64), metric="accuracy", **split)
    parameters = {"max_features": "sqrt"}
    _, evidence = search.choose([search.fit(0, "decision-tree", parameters)])
    out_of_bag = 1 - evidence.compared[0].score
    forest = [
        catalog.build("decision-tree", parameters, seed=0, problem="classification").fit(X[train], y[train])
        for train, _ in search.parts
    ]
    votes = {
        name: np.mean([tree.predict_proba(X[rows]) for tree in forest], axis=0).argmax(axis=1)
        for name, rows in (("learning", learning), ("test", test))
    }
    assert abs(out_of_bag - np.mean(votes["test"] != y[test])) < 0.04
    assert np.mean(votes["learning"] != y[learning]) < 0.01


@pytest.mark.covers("proc_hyperparameters_not_on_training_error", "cl_training_error_cannot_choose_k")
def test_training_error_would_choose_one_neighbour_and_lose(store: Store) -> None:
    X, y = make_moons(2400, noise=0.35, random_state=0)
    taught, test = slice(400), slice(400, None)
    search = Search(store, X[taught], y[taught].astype(np.int64), metric="accuracy")
    fits = [
        search.fit(number, "k-nearest-neighbours", {"n_neighbors": k})
        for number, k in enumerate((1, 3, 7, 15, 25, 41, 61))
    ]
    selection, evidence = search.choose(fits)
    winner = selection.winner

    def error(parameters: dict[str, Any], rows: slice) -> float:
        model = catalog.build("k-nearest-neighbours", parameters, seed=0, problem="classification")
        return float(np.mean(model.fit(X[taught], y[taught]).predict(X[rows]) != y[rows]))

    assert error({"n_neighbors": 1}, taught) == 0
    assert min(error(fit.candidate.parameters, taught) for fit in fits[1:]) > 0  # so it alone would be chosen
    assert winner.parameters["n_neighbors"] > 1
    assert error(winner.parameters, test) <= error({"n_neighbors": 1}, test) - 0.03
    assert evidence.compared[0].score == max(one.score for one in evidence.compared)


@pytest.mark.covers("proc_hyperparameters_not_on_training_error", "cl_train_monotone_validation_u")
def test_training_error_never_rises_with_the_degree_and_validation_error_does(store: Store) -> None:
    rng = np.random.default_rng(1)
    x = rng.uniform(size=425)
    y = np.sin(2 * np.pi * x) + rng.normal(scale=0.2, size=425)
    parts = [(np.arange(25), np.arange(25, 425))]
    search = Search(store, legvander(2 * x - 1, 14), y, metric="neg_root_mean_squared_error", parts=parts)
    fits = [
        search.fit(degree, "linear-regression", {"fit_intercept": False}, list(range(degree + 1)))
        for degree in range(15)
    ]
    selection, evidence = search.choose(fits)
    valid = {one.candidate.number: one.score**2 for one in evidence.compared}
    train = [float(np.linalg.lstsq(search.X[:25, : degree + 1], y[:25], rcond=None)[1][0]) / 25 for degree in range(15)]
    assert (np.diff(train) <= 1e-12).all()
    best = min(valid, key=lambda degree: valid[degree])
    assert 2 <= best <= 7
    assert valid[14] > 2 * valid[best]
    assert evidence.number == best
    assert selection.unseen is not None


def friends(store: Store) -> tuple[Search, list[Fit]]:
    """Two methods that each see one half of the columns: their mean is better than either."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = (X.sum(axis=1) + rng.normal(scale=0.5, size=300) > 0).astype(np.int64)
    search = Search(store, X, y)
    fits = [
        search.fit(0, "dummy", {}),
        search.fit(1, "logistic-regression", {"C": 1.0}, [0, 1]),
        search.fit(2, "linear-discriminant-analysis", {}, [2, 3]),
    ]
    return search, fits


@pytest.mark.slow
def test_ensembles_are_candidates_among_others(store: Store) -> None:
    search, fits = friends(store)
    selection, evidence = search.choose(fits, ensembles=["voting", "stacking", "greedy"])
    ranked = {one.candidate.name: one for one in evidence.compared}
    single = max(ranked[name].score for name in ("logistic-regression", "linear-discriminant-analysis"))
    for kind in ("voting", "stacking", "greedy"):
        ensemble = ranked[f"{kind}-ensemble"]
        assert ensemble.score > single + 0.03
        assert len(ensemble.folds) == 5
        assert ensemble.low < ensemble.score < ensemble.high
        assert {member.name for member in ensemble.members} == set(ranked) - {
            "dummy", "voting-ensemble", "stacking-ensemble", "greedy-ensemble",
        }  # fmt: skip
    assert sorted(one.candidate.number for one in evidence.compared) == [0, 1, 2, 3, 4, 5]
    winner = selection.winner
    assert winner.name.endswith("-ensemble")
    assert set(evidence.alike) <= {f"{name} #{one.candidate.number}" for name, one in ranked.items()}
    model = build_chosen(winner, seed=0, problem="classification").fit(search.X, search.y)
    weights = [member.weight for member in winner.members]
    parts = [part.predict_proba(search.X) for part in model.estimators_]
    assert model.predict_proba(search.X) == pytest.approx(np.average(parts, axis=0, weights=weights))
    unseen = selection.unseen
    assert unseen is not None
    assert unseen.units.tolist() == list(range(300))
    assert np.mean(unseen.prediction.argmax(axis=1) == search.y) > 0.8


@pytest.mark.slow
def test_an_ensemble_of_one_is_left_out_with_the_reason(store: Store) -> None:
    search, fits = friends(store)
    _, evidence = search.choose(fits[:2], ensembles=["voting"])
    assert evidence.left_out[0].candidate.name == "voting-ensemble"
    assert "fewer than two candidates finished" in evidence.left_out[0].reason
    twins = [fits[1], search.fit(2, "logistic-regression", {"C": 2.0}, [0, 1])]
    _, evidence = search.choose(twins, ensembles=["voting"])
    assert "alone" in evidence.left_out[0].reason


@pytest.mark.slow
def test_members_are_prepared_alike(store: Store) -> None:
    """What ships prepares its rows once."""
    search, fits = friends(store)
    other = search.fit(3, "decision-tree", {"max_depth": 2}, [0, 1], preparation={"scale": {"robust": {}}})
    _, evidence = search.choose([*fits, other], ensembles=["greedy", "voting"])
    for one in evidence.compared:
        assert "decision-tree" not in [member.name for member in one.members]
    _, evidence = search.choose([fits[0], fits[1], other], ensembles=["voting"])
    assert "fewer than two candidates" in evidence.left_out[0].reason


def test_the_tests_against_the_winner(store: Store) -> None:
    search, fits = friends(store)
    twin = search.fit(3, "logistic-regression", {"C": 0.9}, [0, 1])
    _, evidence = search.choose([*fits, twin])
    ranked = {one.candidate.number: one for one in evidence.compared}
    winner = evidence.compared[0]
    assert winner.against is None
    assert winner.over_folds.low < winner.score < winner.over_folds.high
    against = ranked[0].against
    assert against.test == "rows"
    assert not against.alike
    assert against.decisions.p < 0.001
    other = ranked[1 if winner.candidate.number == 3 else 3]
    if winner.candidate.number in (1, 3):
        assert other.against.alike
    assert ranked[0].against.adjusted >= ranked[0].against.p


@pytest.mark.slow
def test_of_three_folds_the_rows_tell_a_model_from_the_baseline(store: Store) -> None:
    search, _ = friends(store)
    few = Search(store, search.X, search.y, folds=3)
    fits = [
        few.fit(0, "dummy", {}),
        *(few.fit(place, "logistic-regression", {"C": 1.0 / place}) for place in range(1, 7)),
    ]
    _, evidence = few.choose(fits)
    dummy = evidence.compared[-1]
    assert dummy.candidate.name == "dummy"
    assert dummy.against.test == "rows"
    assert not dummy.against.alike
    assert dummy.over_folds is not None


def test_one_fold_is_judged_by_its_rows(store: Store) -> None:
    search, fits = friends(store)
    held_out = Search(store, search.X, search.y, recipe="train-validation-test")
    fits = [held_out.fit(0, "dummy", {}), held_out.fit(1, "logistic-regression", {"C": 1.0})]
    _, evidence = held_out.choose(fits, ensembles=[])
    assert evidence.compared[0].over_folds is None
    assert evidence.compared[1].against.test == "rows"
    assert not evidence.compared[1].against.alike


def test_the_simplest_within_one_standard_error_wins(store: Store) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = X @ [1.0, 1.0, 0.0] + rng.normal(size=120)
    search = Search(store, X, y)
    fits = [
        search.fit(0, "dummy", {}),
        search.fit(1, "ridge", {"alpha": 0.01}),
        search.fit(2, "ridge", {"alpha": 8.0}),
        search.fit(3, "ridge", {"alpha": 5000.0}),
        search.fit(4, "random-forest", {"n_estimators": 20}),
    ]
    best, plain = search.choose(fits)
    simplest, evidence = search.choose(fits, rule="one-standard-error")
    assert simplest.winner.parameters == {"alpha": 8.0}
    assert simplest.winner.name == "ridge"
    scores = {one.candidate.number: one.score for one in evidence.compared}
    assert scores[2] >= max(scores.values()) - evidence.standard_error > scores[3]
    assert evidence.rule == "one-standard-error"
    assert plain.best == evidence.best
    assert best.winner.parameters != {"alpha": 8.0}


@pytest.mark.slow
def test_many_folds_are_compared_by_their_scores(store: Store) -> None:
    search, _ = friends(store)
    folds = Search(store, search.X, search.y, folds=10)
    _, evidence = folds.choose([folds.fit(0, "dummy", {}, [0]), folds.fit(1, "logistic-regression", {}, [0, 1])])
    (against,) = [one.against for one in evidence.compared if one.against]
    assert against.test == "folds"
    assert not against.alike
    assert against.low > 0
