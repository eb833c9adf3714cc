"""Fitting with weights, in the jobs that fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from penstock.components.catalog import takes_weights, weighable
from penstock.components.preprocessing.plan import make_plan
from penstock.components.schema import infer_schema
from penstock.components.search import Candidate
from penstock.errors import UsageError
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Fold, Folds
from penstock.model import load_bundle
from penstock.problems import find
from penstock.problems.fits import Prepared
from penstock.spec.checked import load_checked_spec
from penstock.store import Store
from tests.stages import fit, train

Array = np.ndarray[Any, Any]
ROWS = 60


def rows(problem: str) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(ROWS, 3))
    value = X @ [1.0, -2.0, 0.5] + rng.normal(size=ROWS)
    y = value if problem == "regression" else (value > 0).astype(np.int64)
    return X, y, rng.integers(1, 4, ROWS).astype(float)


def fitted(store: Store, method: str, problem: Any, copied: bool) -> tuple[Array, float]:
    """Predictions and score of the last 20 rows, the others having trained: with weights, or each so many times."""
    X, y, weight = rows(problem)
    train, valid = np.arange(ROWS - 20), np.arange(ROWS - 20, ROWS)
    if copied:
        train = np.repeat(train, weight[train].astype(int))
    n_classes, weight = 0 if problem == "regression" else 2, np.ones(ROWS) if copied else weight
    prepared = Prepared(
        train=store.put_matrix(X[train]), valid=store.put_matrix(X[valid]), names=store.put_facts(["a", "b", "c"])
    )
    candidate = Candidate(name=method, parameters={}, number=0)
    result = fit(
        store,
        candidate,
        problem,
        prepared,
        folds=Folds(y, n_classes, [Fold(train, valid)], weight=weight).save(store),
    )
    return Evidence.load(store, result.evidence).prediction, result.score


@pytest.mark.parametrize(("method", "problem"), [("ridge", "regression"), ("logistic-regression", "classification")])
def test_a_row_of_weight_two_is_that_row_twice(tmp_path: Path, method: str, problem: str) -> None:
    store = Store(tmp_path)
    weighted, score = fitted(store, method, problem, copied=False)
    copied, plain_score = fitted(store, method, problem, copied=True)
    np.testing.assert_allclose(weighted, copied, atol=1e-4)
    assert score != plain_score  # the rows that evaluate are weighted as well


def test_the_model_that_ships_is_weighted(tmp_path: Path) -> None:
    store = Store(tmp_path)
    X, y, weight = rows("regression")
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(w=weight, y=y)
    schema = infer_schema(frame, problem="regression", target_type="quantity", target="y", roles={"w": "weight"})
    facts = {name: {"missing": 0.0, "distinct": ROWS} for name in "abc"}
    nothing = ("none", {})
    plan = make_plan(schema, facts, impute=("median", {}), scale=nothing, rare=0.01, text_components=5)

    def trained(**weights: Array) -> Array:
        model = train(
            store,
            "regression",
            plan=store.put_facts(plan),
            train=store.put_frame(frame),
            folds=Folds(y, **weights).save(store),
            winner=store.put_facts({"name": "ridge", "parameters": {}}),
            schema_=store.put_facts(schema),
            contract=store.put_facts({"version": 1, "rules": [], "not_compiled": []}),
            seed=0,
        )
        return np.asarray(load_bundle(store.path(model)).pipeline[-1].coef_)

    from sklearn.linear_model import Ridge

    expected = Ridge().fit(X, y, sample_weight=weight).coef_
    np.testing.assert_allclose(trained(weight=weight), expected, rtol=1e-9)
    assert not np.allclose(trained(), expected, rtol=1e-3)


@pytest.mark.parametrize("problem", ["classification", "regression"])
def test_every_model_tried_by_default_takes_weights(problem: Any) -> None:
    assert set(find(problem).candidates) | {"dummy"} <= set(weighable(problem, find(problem).model_kinds))
    assert not takes_weights("k-nearest-neighbours", problem)


@pytest.mark.parametrize(
    ("changes", "code", "where", "words"),
    [
        ({"models": ["logistic-regression", "k-nearest-neighbours"]}, "PEN164", "models.1", "hist-gradient-boosting"),
        (
            {"problem": "clustering", "data": {"source": "d.csv"}},
            "PEN165",
            "data.columns.w",
            "declare `w: ignore`",
        ),
    ],
    ids=["a model without weights", "clustering"],
)
def test_weights_nobody_could_use_are_refused_before_anything_runs(
    tmp_path: Path, changes: dict[str, Any], code: str, where: str, words: str
) -> None:
    document = {"name": "p", "problem": "classification", "data": {"source": "d.csv", "target": "y"}} | changes
    document["data"]["columns"] = {"w": "weight"}
    file = tmp_path / "p.yaml"
    file.write_text(yaml.safe_dump(document))
    with pytest.raises(UsageError) as caught:
        load_checked_spec(str(file))
    assert caught.value.code == code
    assert where in caught.value.where
    assert words in caught.value.remedy
