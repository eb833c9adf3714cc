"""Weights by column or by row, whichever are fewer; and no Gram matrix that could not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.catalog import build
from penstock.components.kernels.gram import gram_bytes, road


def solved(name: str, X: Any, y: Any, alpha: float) -> Any:
    given = {"alpha": alpha, "fit_intercept": False, **({"kernel": "linear"} if name == "kernel-ridge" else {})}
    return build(name, given, seed=0, problem="regression").fit(X, y)


@pytest.mark.covers("proc_primal_or_dual", "ex_dual_ridge")
def test_both_roads_lead_to_the_same_weights() -> None:
    X, y = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]), np.array([1.0, 2.0])
    expected = [0.120930232558, 0.409302325581, 0.502325581395]
    assert solved("ridge", X, y, 0.5).coef_ == pytest.approx(expected, abs=1e-9)
    assert X.T @ solved("kernel-ridge", X, y, 0.5).dual_coef_ == pytest.approx(expected, abs=1e-9)
    assert road(*X.shape) == "dual"
    assert road(3, 2) == "primal"


@pytest.mark.covers("proc_primal_or_dual")
def test_few_rows_of_very_many_columns_are_solved_by_row() -> None:
    """By column it would take a matrix of 80 GB."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(10, 100_000))
    model = solved("ridge", X, rng.normal(size=10), 1.0)
    dual = solved("kernel-ridge", X, model.predict(X), 1.0)
    assert model.coef_.shape == (100_000,)
    assert dual.dual_coef_.shape == (10,)
    assert (road(10, 100_000), road(100_000, 10)) == ("dual", "primal")


@pytest.mark.covers("proc_primal_or_dual", "ex_gram_memory")
def test_a_gram_matrix_of_a_million_rows_is_refused_before_it_is_begun() -> None:
    assert [gram_bytes(rows) for rows in (1_000, 1_000_000)] == [8_000_000, 8_000_000_000_000]
    assert road(10**6, 10**6) == "neither"
    with pytest.raises(ValueError, match=r"takes 8,000 GB: take at most 32000 rows, or a method without such a matrix"):
        solved("kernel-ridge", np.zeros((10**6, 1)), np.zeros(10**6), 1.0)
