"""The correlation study of prepared features."""

from __future__ import annotations

import numpy as np
import pytest

from penstock.components.analysis.prepared import study_correlations


def test_redundant_features_and_those_that_go_with_the_outcome_are_named() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    X[:, 3] = -2 * X[:, 0]
    X = np.column_stack([X, np.ones(300)])
    y = 3 * X[:, 1] + rng.normal(size=300)
    found = study_correlations(X, ["a", "b", "c", "minus a", "constant"], y, 0)
    assert found["with_target"][0]["feature"] == "b"
    assert found["with_target"][0]["r"] == pytest.approx(np.corrcoef(X[:, 1], y)[0, 1])
    assert {found["pairs"][0]["one"], found["pairs"][0]["other"]} == {"a", "minus a"}
    assert found["pairs"][0]["r"] == pytest.approx(-1)
    assert found["redundant"] == 1
    assert found["with_target"][-1] == {"feature": "constant", "r": 0.0}


def test_of_classes_it_is_r_with_the_second_of_more_the_correlation_ratio() -> None:
    y = np.repeat([0, 1, 2], 100)
    X = (y == 1).astype(float)[:, None]
    assert study_correlations(X, ["a"], y, 3)["with_target"] == [{"feature": "a", "r": pytest.approx(1)}]
    noisy = np.random.default_rng(1).normal(size=(300, 1)) - y[:, None]
    between = sum(100 * (noisy[y == code].mean() - noisy.mean()) ** 2 for code in range(3))
    assert study_correlations(noisy, ["a"], y, 3)["with_target"][0]["r"] == pytest.approx(
        np.sqrt(between / ((noisy - noisy.mean()) ** 2).sum())
    )
    assert study_correlations(-X, ["a"], (y == 1).astype(int), 2)["with_target"][0]["r"] == pytest.approx(-1)
    assert study_correlations(X, ["a"], None, 0)["with_target"] == []


def test_large_tables_are_thinned() -> None:
    rng = np.random.default_rng(0)
    found = study_correlations(rng.normal(size=(12_000, 300)), [str(n) for n in range(300)], rng.normal(size=12_000), 0)
    assert (found["rows"], found["features"], found["compared"]) == (4000, 300, 200)
