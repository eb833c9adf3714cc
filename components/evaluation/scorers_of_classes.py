"""Scores of classes and of their probabilities, of many resamples at once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np

from penstock.components.evaluation.functions import (
    cheapest,
    cost_matrix,
    in_top,
    present,
    signed_log_odds,
)
from penstock.components.evaluation.resampled import Array, Floats, Scorer, as_floats, mean_of, running, weighted_mean


def _neg_cost(y: Array, prediction: Array, *costs: float) -> Scorer:
    matrix = cost_matrix(costs, prediction.shape[1])
    return weighted_mean(-matrix[y, cheapest(prediction, matrix)])


def _top_k_accuracy(y: Array, prediction: Array, k: float) -> Scorer:
    return weighted_mean(in_top(y, prediction, k).astype(np.float64))


def _log_likelihood(y: Array, prediction: Array) -> Floats:
    smallest = np.finfo(prediction.dtype).eps
    likelihood: Floats = np.log(np.clip(prediction[np.arange(len(y)), y], smallest, 1 - smallest))
    return likelihood


def _neg_log_loss(y: Array, prediction: Array) -> Scorer:
    return weighted_mean(_log_likelihood(y, prediction))


def _neg_hinge_loss(y: Array, prediction: Array) -> Scorer:
    return weighted_mean(-np.maximum(0.0, 1 - signed_log_odds(y, prediction)))


def _squared_distance(y: Array, prediction: Array) -> Floats:
    n_classes = prediction.shape[1]
    loss: Floats = ((prediction - np.eye(n_classes)[y]) ** 2).sum(axis=1)
    return loss / 2 if n_classes == 2 else loss


def _neg_brier_score(y: Array, prediction: Array) -> Scorer:
    return weighted_mean(-_squared_distance(y, prediction))


def _shares_of_classes(y: Array, n_classes: int) -> Scorer:
    is_class = np.eye(n_classes)[y]

    def shares(weights: Array) -> Floats:
        share: Floats = np.einsum("rn,nk->rk", as_floats(weights), is_class) / weights.sum(axis=1, keepdims=True)
        return share

    return shares


def _d2_log_loss_score(y: Array, prediction: Array) -> Scorer:
    loss, shares = weighted_mean(-_log_likelihood(y, prediction)), _shares_of_classes(y, prediction.shape[1])

    def score(weights: Array) -> Floats:
        share = shares(weights)
        null = -(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1)
        return 1 - loss(weights) / np.where(null > 0, null, np.nan)

    return score


def _d2_brier_score(y: Array, prediction: Array) -> Scorer:
    n_classes = prediction.shape[1]
    loss, shares = weighted_mean(_squared_distance(y, prediction)), _shares_of_classes(y, n_classes)

    def score(weights: Array) -> Floats:
        null = (1 - (shares(weights) ** 2).sum(axis=1)) / (2 if n_classes == 2 else 1)
        return 1 - loss(weights) / np.where(null > 1e-12, null, np.nan)

    return score


def _roc_auc(y: Array, prediction: Array) -> Scorer:
    return _ordered_pairs(y == 1, y != 1, prediction[:, 1])


def _roc_auc_ovr(y: Array, prediction: Array) -> Scorer:
    return mean_of([_ordered_pairs(y == code, y != code, prediction[:, code]) for code in present(y)])


def _roc_auc_ovo(y: Array, prediction: Array) -> Scorer:
    pairs = permutations(present(y), 2)
    return mean_of([_ordered_pairs(y == first, y == second, prediction[:, first]) for first, second in pairs])


def _ordered_pairs(positive: Array, negative: Array, score: Array) -> Scorer:
    """The area under the ROC curve: the share of (positive, negative) pairs in right order, ties counting half."""
    positives, negatives = np.flatnonzero(positive), np.flatnonzero(negative)
    negatives = negatives[np.argsort(score[negatives], kind="stable")]
    below = np.searchsorted(score[negatives], score[positives], side="left")
    not_above = np.searchsorted(score[negatives], score[positives], side="right")
    tied = not np.array_equal(below, not_above)

    def area(weights: Array) -> Floats:
        passed = running(weights, negatives, start=1)
        ours = weights.take(positives, axis=1)
        halves = passed.take(below, axis=1)
        halves += passed.take(not_above, axis=1) if tied else halves
        pairs = ours.sum(axis=1, dtype=np.float64) * passed[:, -1]
        share: Floats = np.einsum("rp,rp->r", ours, halves, dtype=np.float64) / (2 * pairs)
        return share

    return area


def _average_precision(y: Array, prediction: Array) -> Scorer:
    """Precision at each score that a positive has, weighted by the positives there."""
    score = prediction[:, 1]
    order = np.argsort(-score, kind="stable")
    positives = order[y[order] == 1]
    levels, starts = np.unique(-score[positives], return_index=True)
    last_of_level = np.searchsorted(-score[order], levels, side="right") - 1

    def area(weights: Array) -> Floats:
        if not len(positives):
            return np.full(len(weights), np.nan)
        chosen = running(weights, order).take(last_of_level, axis=1)
        hits = np.add.reduceat(weights.take(positives, axis=1), starts, axis=1)
        found = np.cumsum(hits, axis=1)
        precision = np.where(chosen > 0, found / chosen, 0.0)
        mean: Floats = np.einsum("rl,rl->r", hits, precision) / found[:, -1]
        return mean

    return area


SCORERS: dict[str, Callable[..., Scorer]] = {
    "roc_auc": _roc_auc,
    "roc_auc_ovr": _roc_auc_ovr,
    "roc_auc_ovo": _roc_auc_ovo,
    "average_precision": _average_precision,
    "top_k_accuracy": _top_k_accuracy,
    "neg_cost": _neg_cost,
    "neg_log_loss": _neg_log_loss,
    "neg_brier_score": _neg_brier_score,
    "neg_hinge_loss": _neg_hinge_loss,
    "d2_log_loss_score": _d2_log_loss_score,
    "d2_brier_score": _d2_brier_score,
}
