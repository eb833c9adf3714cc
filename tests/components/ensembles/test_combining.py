"""Weights of ensembles, trained on predictions for rows that the members had not seen."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from penstock.components.ensembles.combining import Kind, Rows, combine, cross_fitted, weigh
from penstock.components.evaluation.metrics import METRICS

R2 = METRICS["r2"]
KINDS: list[Kind] = ["voting", "stacking", "greedy"]


def regression(errors: list[float], rows: int = 400, seed: int = 0) -> Rows:
    """Members whose predictions are off by independent errors of these sizes."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=rows)
    return Rows(y, None, np.stack([y + rng.normal(scale=error, size=rows) for error in errors]))


@pytest.mark.parametrize("kind", KINDS)
def test_weights_sum_to_one_and_are_not_negative(kind: Kind) -> None:
    weights = weigh(kind, R2, regression([0.3, 0.4, 0.5, 3.0]), ["a", "b", "c", "d"])
    assert weights.sum() == pytest.approx(1)
    assert (weights >= 0).all()
    assert weights[3] < 0.05


def test_voting_takes_the_best_of_each_of_three_methods() -> None:
    weights = weigh("voting", R2, regression([0.3, 0.2, 0.4, 0.5, 0.6]), ["a", "a", "b", "c", "d"])
    assert weights.tolist() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3, 0])


def test_stacking_weighs_independent_errors_by_their_precision() -> None:
    weights = weigh("stacking", R2, regression([0.3, 0.6], rows=20_000), ["a", "b"])
    assert weights[0] / weights[1] == pytest.approx(4, rel=0.15)  # inverse variances


def test_stacking_of_probabilities_gives_probabilities() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=500)
    sharp = 0.7 * np.eye(3)[y] + 0.1
    dull = rng.dirichlet([1, 1, 1], size=500)
    rows = Rows(y, rng.uniform(0.5, 2, size=500), np.stack([sharp, dull]))
    weights = weigh("stacking", METRICS["neg_log_loss"], rows, ["a", "b"])
    assert weights[0] > 0.9
    assert combine(weights, rows.predictions).sum(axis=1) == pytest.approx(np.ones(500))


def test_greedy_selection_is_never_below_its_best_member() -> None:
    rows = regression([0.3, 0.4, 0.5])
    weights = weigh("greedy", R2, rows, ["a", "b", "c"])
    best = max(R2.function(rows.y, one) for one in rows.predictions)
    assert R2.function(rows.y, combine(weights, rows.predictions)) >= best


def test_without_rows_the_weights_are_equal() -> None:
    rows = regression([0.3, 0.4])
    assert weigh("greedy", R2, Rows(rows.y[:0], None, rows.predictions[:, :0]), ["a", "b"]).tolist() == [0.5, 0.5]


@pytest.mark.slow
def test_no_row_has_a_part_in_the_weights_that_judge_it() -> None:
    """Forty members of pure noise: weights chosen on the validation rows would score far above none at all."""
    seen, honest = [], []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = rng.normal(size=100)
        rows = Rows(y, None, rng.normal(size=(40, 100)))
        learn = partial(weigh, "stacking", R2, methods=["m"] * 40)
        judged = cross_fitted(rows, learn, np.arange(100) % 5, np.arange(100))
        seen.append(np.corrcoef(combine(learn(rows), rows.predictions), y)[0, 1])
        honest.append(np.corrcoef(judged, y)[0, 1])
    assert np.mean(seen) > 0.2
    assert abs(np.mean(honest)) < 0.1


@pytest.mark.parametrize("ordered", [False, True], ids=["shuffled", "ordered"])
def test_what_the_weights_of_a_part_are_learnt_from(ordered: bool) -> None:
    rows = regression([0.3, 0.4], rows=60)
    folds, units = np.arange(60) // 20, np.arange(60) // 2 % 25  # rows 50 to 59 repeat units of the first part
    taught: list[np.ndarray] = []

    def learn(part: Rows) -> np.ndarray:
        taught.append(part.y)
        return np.array([0.5, 0.5])

    cross_fitted(rows, learn, folds, units, ordered=ordered)
    if ordered:
        assert [len(y) for y in taught] == [0, 20, 40]
    else:
        assert taught[0].tolist() == rows.y[20:50].tolist()
