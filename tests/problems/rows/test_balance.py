"""Balancing, in the jobs that fit: training rows alone, and never the baseline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.balancing.balance import balance
from penstock.components.catalog import build
from penstock.components.preprocessing.plan import Step, make_plan
from penstock.components.schema import infer_schema
from penstock.components.search import Candidate
from penstock.errors import DataError
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Fold, Folds
from penstock.model import load_bundle
from penstock.problems.fits import Prepared
from penstock.store import Ref, Store
from tests.stages import fit, prepare, train

Array = np.ndarray[Any, Any]
ROWS, TAUGHT = 120, 80


class Case:
    """A table with a rare class, planned, and cut into one fold."""

    def __init__(self, folder: Path, **changes: Any) -> None:
        rng = np.random.default_rng(0)
        self.store = Store(folder)
        self.y = (np.arange(ROWS) % 6 == 0).astype(np.int64)
        self.X = rng.normal(size=(ROWS, 3)) + self.y[:, None]
        frame = pd.DataFrame(self.X, columns=["a", "b", "c"]).assign(left=np.where(self.y, "yes", "no"))
        self.schema = infer_schema(
            frame, problem="classification", target_type="classes", target="left", positive="yes"
        )
        facts = {name: {"missing": 0.0, "distinct": ROWS} for name in "abc"}
        settings: dict[str, Any] = {"impute": ("median", {}), "scale": ("none", {}), "rare": 0, "text_components": 1}
        self.plan = self.store.put_facts(make_plan(self.schema, facts, **(settings | changes)))
        self.train = self.store.put_frame(frame)
        train, valid = np.arange(TAUGHT), np.arange(TAUGHT, ROWS)
        self.folds = Folds(self.y, 2, [Fold(train, valid)]).save(self.store)

    def prepared(self) -> Prepared:
        return prepare(self.store, self.plan, self.train, self.folds, 0, 0)

    def fitted(self, name: str) -> Array:
        candidate = Candidate(name=name, parameters={}, number=0)
        made = fit(self.store, candidate, "classification", self.prepared(), self.folds)
        return Evidence.load(self.store, made.evidence).prediction

    def trained(self) -> Any:
        model = train(
            self.store,
            "classification",
            plan=self.plan,
            train=self.train,
            folds=self.folds,
            winner=self.store.put_facts({"name": "logistic-regression", "parameters": {}}),
            schema_=self.store.put_facts(self.schema),
            contract=self.store.put_facts({"version": 1, "rules": [], "not_compiled": []}),
            seed=0,
        )
        return load_bundle(self.store.path(model)).pipeline


@pytest.mark.slow
@pytest.mark.parametrize("name", ["class-weights", "random-over-sampling", "smote"])
def test_only_what_teaches_is_balanced(tmp_path: Path, name: str) -> None:
    chosen = Step(name=name)
    plain, case = Case(tmp_path), Case(tmp_path, balance=(name, {}))
    assert case.prepared().train == plain.prepared().train  # by content: as it is balanced only when a model is fitted
    assert case.prepared().valid == plain.prepared().valid
    told = case.fitted("logistic-regression")
    assert told.shape == (ROWS - TAUGHT, 2)
    X, y, weight = balance(chosen, case.X[:TAUGHT], case.y[:TAUGHT], None, seed=0)
    expected = build("logistic-regression", {}, seed=0, problem="classification").fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(told, expected.predict_proba(case.X[TAUGHT:]), atol=1e-12)
    assert told[:, 1].mean() > plain.fitted("logistic-regression")[:, 1].mean() + 0.1
    # The baseline says what the data say.
    assert np.array_equal(case.fitted("dummy"), plain.fitted("dummy"))


def test_the_model_that_ships_is_balanced_and_prepares_new_rows_as_ever(tmp_path: Path) -> None:
    case = Case(tmp_path, balance=("smote", {}))
    pipeline = case.trained()
    X, y, _ = balance(Step(name="smote"), case.X, case.y, None, seed=0)
    expected = build("logistic-regression", {}, seed=0, problem="classification").fit(X, y)
    np.testing.assert_allclose(pipeline[-1].coef_, expected.coef_)
    assert list(pipeline.named_steps) == ["columns", "matrix", "model"]


@pytest.mark.parametrize(
    ("changes", "code", "where", "words"),
    [
        ({"select": ("chi-squared", {})}, "PEN150", "features.select", "scale: min-max"),
        ({"extract": ("nmf", {})}, "PEN150", "features.extract", "scale: min-max"),
        ({"select": ("l1", {"alpha": 50.0})}, "PEN151", "features.select", "a smaller alpha"),
        ({"extract": ("discriminants", {"components": 5})}, "PEN155", "features.extract", "other parameters"),
    ],
    ids=["negatives to chi-squared", "negatives to NMF", "nothing is left", "too many directions"],
)
def test_what_a_step_cannot_take_is_said(
    tmp_path: Path, changes: dict[str, Any], code: str, where: str, words: str
) -> None:
    case = Case(tmp_path, **changes)
    for call in (case.prepared, case.trained):
        with pytest.raises(DataError) as caught:
            call()
        assert (caught.value.code, caught.value.where) == (code, where)
        assert words in caught.value.remedy
    if code == "PEN150":
        assert "'a', 'b', 'c'" in caught.value.what


def test_too_few_rows_of_a_class_for_their_neighbours(tmp_path: Path) -> None:
    case = Case(tmp_path, balance=("smote", {"neighbours": 14}))
    with pytest.raises(DataError, match="a class has 14 training row") as caught:
        case.fitted("logistic-regression")
    assert caught.value.code == "PEN152"


@pytest.mark.covers("proc_fit_transform_on_train")
def test_statistics_are_those_of_the_training_rows_of_each_fold(tmp_path: Path) -> None:
    case = Case(tmp_path, scale=("standard", {}))
    store = case.store
    other = np.arange(40, ROWS)
    folds = Folds(case.y, 2, [*Folds.load(store, case.folds).splits, Fold(other, np.arange(40))]).save(store)

    def prepared(train: Ref, fold: int) -> Prepared:
        return prepare(store, case.plan, train, folds, fold, 0)

    first, second = prepared(case.train, 0), prepared(case.train, 1)
    mean, width = case.X[:TAUGHT].mean(axis=0), case.X[:TAUGHT].std(axis=0)
    np.testing.assert_allclose(store.matrix(first.train), (case.X[:TAUGHT] - mean) / width, atol=1e-12)
    assert first.valid is not None
    np.testing.assert_allclose(store.matrix(first.valid), (case.X[TAUGHT:] - mean) / width, atol=1e-12)
    np.testing.assert_allclose(np.asarray(store.matrix(second.train)).mean(axis=0), 0, atol=1e-12)
    moved = store.frame(case.train)
    moved.loc[TAUGHT:, ["a", "b", "c"]] += 100.0
    again = prepared(store.put_frame(moved), 0)
    assert again.train == first.train
    assert again.valid is not None
    np.testing.assert_allclose(
        np.asarray(store.matrix(again.valid)) - np.asarray(store.matrix(first.valid)),
        np.broadcast_to(100 / width, (ROWS - TAUGHT, 3)),
    )
