"""Every method of the catalogue, drawn many times from its space, fits small data and answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.catalog import Entry, build, entries
from penstock.components.preprocessing.plan import KEEP_MISSING
from penstock.store import dump_estimator
from tests.methods import problems_of

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
ROWS = 80
# Draws are fitted with less of what costs time and decides nothing here.
QUICK: dict[str, dict[str, Any]] = {
    "ada-boost": {"n_estimators": 5},
    "bagging": {"n_estimators": 3},
    "random-subspace": {"n_estimators": 3},
    "stacking": {"folds": 2},
    "backward-elimination": {"folds": 2},
    "exhaustive-selection": {"keep": 2, "folds": 2},
    "extra-trees": {"n_estimators": 5},
    "forward-selection": {"folds": 2},
    "gradient-boosting": {"n_estimators": 5},
    "hist-gradient-boosting": {"max_iter": 5},
    "hold-out-wrapper": {"keep": 2},
    "mlp": {"epochs": 2},
    "perceptron": {"max_iter": 5},
    "random-forest": {"n_estimators": 5},
    "stability-selection": {"pairs": 5, "threshold": 0.6, "wrong": 20.0},
    "tree-importance": {"trees": 5},
}
# Each draw of these is a search of its own.
SLOW = ("backward-elimination", "exhaustive-selection", "forward-selection", "hold-out-wrapper")


def data(case: str) -> tuple[Array, Array | None]:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(ROWS, 6))
    X[:, 5] = rng.integers(0, 2, ROWS)
    signal = X[:, 0] - X[:, 1] + rng.normal(scale=0.3, size=ROWS)
    targets = {"two classes": (signal > 0).astype(int), "three classes": np.digitize(signal, [-0.5, 0.5])}
    return X, {**targets, "quantity": signal, "nothing": None, "no target": None}[case]


def as_met_by(kind: str, X: Array) -> Any:
    """The matrix with holes for imputers, and as a table of levels for encoders."""
    if kind == "imputer":
        return np.where(np.random.default_rng(2).random(X.shape) < 0.2, np.nan, X)
    if kind == "encoder":
        return pd.DataFrame(X.round().astype(str)).astype("str").mask(X > 1.5)
    return np.abs(X) if kind == "non-negative" else X


NON_NEGATIVE = ("chi-squared", "nmf")


def met(entry: Entry, X: Array) -> Any:
    return as_met_by("non-negative" if entry.name in NON_NEGATIVE else entry.kind, X)


CASES = {
    "classification": ["two classes", "three classes"],
    "regression": ["quantity"],
    "clustering": ["nothing"],
    "density": ["no target"],
}
STEPS = ("clipper", "imputer", "basis", "encoder", "scaler")
# These make as many columns as they are told to.
WIDE = ("explicit-kernel-map", "kernel-map", "kernel-pca", "random-features")


def tried_on(entry: Entry) -> tuple[str, ...]:
    """A step that is for every problem looks at no target, so that one of them is enough."""
    if entry.kind in STEPS and len(problems_of(entry)) >= 3:
        return ("clustering",)
    # A step without a look at the target does the same for both.
    return tuple(
        one for one in problems_of(entry) if one in CASES and (one != "density" or entry.kind == "density-estimator")
    )


TRIED = [
    pytest.param(entry.name, problem, case, id=f"{entry.name}-{case}")
    for entry in entries().values()
    if entry.kind != "balancer"  # which takes rows apart, and has tests of its own
    for problem in tried_on(entry)
    for case in CASES[problem]
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "problem", "case"), TRIED)
def test_every_draw_fits_and_answers(name: str, problem: str, case: str) -> None:
    X, y = data(case)
    entry = entries()[name]
    X = met(entry, X)
    rng = np.random.default_rng(0)
    seen: set[str] = set()
    for number in range(3 if name in SLOW else 8):
        drawn = {key: domain.draw(rng) for key, domain in entry.space_for(problem).items()}
        if repr(drawn) in seen:
            continue
        seen.add(repr(drawn))
        estimator = build(name, drawn | QUICK.get(name, {}), seed=number, problem=problem).fit(X, y)
        if entry.kind in STEPS:
            shown = np.asarray(estimator.transform(X))
            assert shown.shape[0] == ROWS
            assert entry.kind in ("encoder", "basis") or shown.shape == X.shape
        elif entry.kind in ("selector", "extractor"):
            shown = estimator.transform(X)
            assert shown.shape[0] == ROWS
            assert shown.shape[1] >= 1
            assert shown.shape[1] <= X.shape[1] or name in WIDE
        elif problem == "classification":
            shown = estimator.predict_proba(X)
            assert shown.shape == (ROWS, len(np.unique(y)))
            assert np.allclose(shown.sum(axis=1), 1.0)
        elif problem == "density":
            shown = estimator.score_samples(X)
            assert shown.shape == (ROWS,)
        else:
            shown = estimator.predict(X)
            assert shown.shape == (ROWS,)
        assert np.isfinite(shown).all() or name == KEEP_MISSING


@pytest.mark.slow
@pytest.mark.parametrize(("name", "problem", "case"), TRIED)
def test_the_same_seed_gives_the_same_bytes(name: str, problem: str, case: str) -> None:
    X, y = data(case)
    X = met(entries()[name], X)
    quick = QUICK.get(name, {})
    dumps = {dump_estimator(build(name, quick, seed=7, problem=problem).fit(X, y)) for _ in range(2)}
    assert len(dumps) == 1


def test_the_baseline_is_the_share_of_the_classes_or_the_mean() -> None:
    X, y = data("three classes")
    assert y is not None
    shares = build("dummy", {}, seed=0, problem="classification").fit(X, y).predict_proba(X)
    assert np.allclose(shares, np.bincount(y) / ROWS)
    X, y = data("quantity")
    assert y is not None
    assert np.allclose(build("dummy", {}, seed=0, problem="regression").fit(X, y).predict(X), y.mean())
