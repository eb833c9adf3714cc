from __future__ import annotations

import numpy as np
import pytest

from penstock.components.evaluation.metrics import metric
from penstock.components.search.pruning import ERROR_RATE, prunable

AUC = metric("roc_auc", 2)
R2 = metric("r2", 0)


def probabilities(rng: np.random.Generator, y: np.ndarray, signal: float) -> np.ndarray:
    odds = signal * (y - 0.5) + rng.normal(size=len(y))
    positive = 1 / (1 + np.exp(-odds))
    return np.column_stack([1 - positive, positive])


def test_one_that_is_far_behind_is_hopeless_and_one_that_is_close_is_not() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=2000)
    predictions = [probabilities(rng, y, signal) for signal in (1.9, 2.0, 0.2)]
    leader, gaps = prunable(AUC, y, predictions, seed=0, candidates=3, test_to_train=0.25)
    assert leader == 1
    assert list(gaps) == [2]
    scores = [AUC.function(y, prediction) for prediction in predictions]
    assert gaps[2].behind == pytest.approx(scores[1] - scores[2])
    assert 0 < gaps[2].explained < gaps[2].behind


def test_few_rows_prove_little() -> None:
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 6)
    predictions = [probabilities(rng, y, signal) for signal in (3.0, 0.5)]
    assert prunable(AUC, y, predictions, seed=0, candidates=2, test_to_train=0.25)[1] == {}


def test_rows_of_one_group_count_as_one() -> None:
    """A hundred copies of twelve rows prove no more than twelve rows."""
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 6)
    copies = [np.tile(probabilities(rng, y, signal), (100, 1)) for signal in (3.0, 0.5)]
    y = np.tile(y, 100)
    assert list(prunable(AUC, y, copies, seed=0, candidates=2, test_to_train=0.25)[1])
    groups = np.tile(np.arange(12), 100)
    assert prunable(AUC, y, copies, groups=np.zeros(1200), seed=0, candidates=2, test_to_train=0.25) == (0, {})
    assert prunable(AUC, y, copies, groups=groups, seed=0, candidates=2, test_to_train=0.25)[1] == {}


def test_equals_are_hardly_ever_ended() -> None:
    """40 searches among ten candidates that are equally good: at the stated rate, 0.04 of them end one."""
    ended = 0
    for number in range(40):
        rng = np.random.default_rng(number)
        y = rng.normal(size=300)
        predictions = [y + rng.normal(size=300) for _ in range(10)]
        ended += bool(prunable(R2, y, predictions, seed=0, candidates=10, test_to_train=0.25)[1])
    assert ERROR_RATE * 40 < 1
    assert ended == 0


def test_undefined_scores_and_constant_predictions_end_nobody() -> None:
    y = np.zeros(50, dtype=int)
    assert prunable(AUC, y, [np.full((50, 2), 0.5)] * 2, seed=0, candidates=2, test_to_train=0.5) == (0, {})
    y = np.tile([0, 1], 25)
    perfect = np.column_stack([1.0 - y, y])
    assert prunable(AUC, y, [perfect, np.full((50, 2), 0.5)], seed=0, candidates=2, test_to_train=0.5)[1] == {}
