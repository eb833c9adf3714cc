"""A tree depends on what rows weigh beside each other, not on the unit of the weights."""

from __future__ import annotations

import numpy as np
import pytest

from penstock.components.catalog import build
from penstock.components.trees.growing import grow
from penstock.components.trees.pruning import reduced_error
from penstock.components.trees.rules import Question, Rule, rules_of


@pytest.mark.parametrize("unit", [1e-8, 0.1, 1e8])
@pytest.mark.parametrize("lacking", [False, True])
def test_the_unit_of_weights_does_not_matter(unit: float, lacking: bool) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] * X[:, 1] > 0
    if lacking:
        X[::7, 2] = np.nan
    weight = rng.integers(1, 4, 200).astype(float)
    plain, found = (
        build("id3", {}, seed=0, problem="classification").fit(X, y, sample_weight=weight * size)
        for size in (1.0, unit)
    )
    assert found.score(X, y) == plain.score(X, y) == 1
    assert found.predict_proba(X) == pytest.approx(plain.predict_proba(X))


@pytest.mark.covers("tree-reduced-error-pruning", "tree-rule-post-pruning")
@pytest.mark.parametrize("unit", [1e-8, 0.1, 1.0, 7.0])
def test_rows_that_prune_count_by_their_weight(unit: float) -> None:
    """A held-out row of weight four is four rows: it turns what the other three say."""
    growing = [([0, 0], "Y"), ([0, 0], "Y"), ([0, 0], "Y"), ([0, 1], "N"), ([1, 0], "N"), ([1, 0], "N"), ([1, 1], "N")]
    X, y = np.array([row for row, _ in growing], dtype=float), np.array([label for _, label in growing]) == "Y"
    levels: list[list[float] | None] = [[0.0, 1.0], [0.0, 1.0]]
    tree = grow(
        [line.astype(int) for line in X.T], levels, y.astype(int), np.ones(7),
        n_classes=2, impurity="entropy", max_depth=None, min_samples_leaf=1,
    )  # fmt: skip
    asked, truth = [np.zeros(4, dtype=int), np.ones(4, dtype=int)], np.array([1, 1, 1, 0])
    even, heavy = unit * np.ones(4), unit * np.array([1.0, 1.0, 1.0, 4.0])
    assert (tree.attribute >= 0).sum() == 2
    assert (reduced_error(tree, asked, levels, truth, even).attribute >= 0).sum() == 2 - 1
    assert (reduced_error(tree, asked, levels, truth, heavy).attribute >= 0).sum() == 2
    (no,) = (rule for rule in rules_of(tree) if rule.tests[-1].value == 1 and len(rule.tests) == 2)
    assert no.accuracy(asked, truth, heavy) == pytest.approx(4 / 7)
    assert no.accuracy(asked, truth, even) == pytest.approx(1 / 4)


def test_weights_reach_the_rows_that_prune() -> None:
    """Where columns are noise, what is held out is answered by the heavier class, and the best rule is first."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 2)), np.arange(120) % 2
    for heavy in (0, 1):
        weight = np.where(y == heavy, 1.0, 0.02)
        pruned, listed = (
            build("id3", {"pruning": pruning}, seed=0, problem="classification").fit(X, y, weight)
            for pruning in ("reduced-error", "rules")
        )
        held = pruned.validation_rows_
        by = weight[held]
        right = np.average(pruned.predict(X[held]) == y[held], weights=by)
        assert right >= np.average(y[held] == heavy, weights=by) - 1e-9
        rules = [Rule(tuple(Question(*test) for test in tests), label, node) for tests, label, node in listed.rules_]
        scores = [rule.accuracy(list(X[held].T), y[held], by) for rule in rules]
        assert scores == sorted(scores, reverse=True)
        assert len({round(score, 9) for score in scores}) > 2


@pytest.mark.parametrize("missing", ["mode", "class-mode"])
@pytest.mark.parametrize("unit", [2.0**-27, 1.0])
def test_what_fills_a_gap_is_told_by_weights(missing: str, unit: float) -> None:
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=30), rng.integers(0, 3, 30).astype(float)])
    X[::5, 0], X[1::6, 1] = np.nan, np.nan
    y, times = np.arange(30) % 2, rng.integers(1, 5, 30)
    weighed = build("id3", {"missing": missing}, seed=0, problem="classification").fit(X, y, times * unit)
    repeated = build("id3", {"missing": missing}, seed=0, problem="classification")
    repeated.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert weighed.fills_ == repeated.fills_
    assert np.array_equal(weighed.predict(X), repeated.predict(X))
    column = np.array([[0.0], [0.0], [0.0], [1.0], [np.nan]])
    heavy = build("id3", {"missing": missing}, seed=0, problem="classification")
    assert heavy.fit(column, [0, 0, 1, 1, 1], np.array([1.0, 1.0, 1.0, 9.0, 1.0]) * unit).fills_ == [1]
