"""The score of one prediction, by scikit-learn's functions: greater is better, NaN where the rows do not define it.

`prediction` holds probabilities of the classes, or values. Where a share has nothing to count, it is zero.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
from sklearn import metrics as sk

Array = np.ndarray[Any, Any]
NOTHING = float("nan")


def decided(prediction: Array) -> Array:
    """The class of highest probability; of two, the positive one above 0.5."""
    codes: Array = np.argmax(prediction, axis=1)
    return codes


def cheapest(prediction: Array, costs: Array) -> Array:
    """The answer of least expected cost; `costs` has true classes in rows and answers in columns."""
    codes: Array = np.argmin(np.einsum("nk,kj->nj", prediction, costs), axis=1)
    return codes


def cost_matrix(costs: tuple[float, ...], n_classes: int) -> Array:
    """Rows are true classes, columns answers; without costs every error costs 1."""
    return np.reshape(costs, (n_classes, n_classes)) if costs else 1 - np.eye(n_classes)


def in_top(y: Array, prediction: Array, k: float) -> Array:
    """Whether the true class is among the k likeliest; of equals the later class is taken, as scikit-learn does."""
    likeliest = np.argsort(prediction, axis=1, kind="stable")[:, ::-1][:, : int(k)]
    hits: Array = (likeliest == y[:, None]).any(axis=1)
    return hits


def present(codes: Array, weight: Array | None = None) -> Array:
    return np.unique(codes if weight is None else codes[weight > 0])


def roc_auc(y: Array, prediction: Array, weight: Array | None = None) -> float:
    if len(present(y, weight)) < 2:
        return NOTHING
    return float(sk.roc_auc_score(y, prediction[:, 1], sample_weight=weight))


def roc_auc_ovr(y: Array, prediction: Array, weight: Array | None = None) -> float:
    """The mean over the classes that occur in these rows; scikit-learn wants them all to occur."""
    occurring = present(y, weight)
    if len(occurring) < 2:
        return NOTHING
    return float(
        np.mean([sk.roc_auc_score(y == code, prediction[:, code], sample_weight=weight) for code in occurring])
    )


def roc_auc_ovo(y: Array, prediction: Array, weight: Array | None = None) -> float:
    """The mean over ordered pairs of the classes that occur; scikit-learn takes no weights here."""
    occurring = present(y, weight)
    if len(occurring) < 2:
        return NOTHING
    areas = []
    for first, second in permutations(occurring, 2):
        rows = (y == first) | (y == second)
        given = None if weight is None else weight[rows]
        areas.append(sk.roc_auc_score(y[rows] == first, prediction[rows, first], sample_weight=given))
    return float(np.mean(areas))


def average_precision(y: Array, prediction: Array, weight: Array | None = None) -> float:
    if 1 not in present(y, weight):
        return NOTHING
    return float(sk.average_precision_score(y, prediction[:, 1], sample_weight=weight))


def accuracy(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return float(sk.accuracy_score(y, decided(prediction), sample_weight=weight))


def balanced_accuracy(y: Array, prediction: Array, weight: Array | None = None) -> float:
    """Recall averaged over the classes that occur: balanced_accuracy_score without its warning about the others."""
    labels = present(y, weight)
    return float(sk.recall_score(y, decided(prediction), labels=labels, average="macro", sample_weight=weight))


def specificity(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return float(sk.recall_score(y, decided(prediction), pos_label=0, sample_weight=weight, zero_division=0))


def f_beta(y: Array, prediction: Array, weight: Array | None = None, *, beta: float) -> float:
    return float(sk.fbeta_score(y, decided(prediction), beta=beta, sample_weight=weight, zero_division=0))


def _shares(name: str, y: Array, prediction: Array, weight: Array | None, average: str) -> float:
    score = {"f1": sk.f1_score, "precision": sk.precision_score, "recall": sk.recall_score, "jaccard": sk.jaccard_score}
    if weight is not None:  # a class that only rows without weight have does not occur
        y, prediction, weight = y[weight > 0], prediction[weight > 0], weight[weight > 0]
    return float(score[name](y, decided(prediction), average=average, sample_weight=weight, zero_division=0))


def f1(y: Array, prediction: Array, weight: Array | None = None, *, average: str = "binary") -> float:
    return _shares("f1", y, prediction, weight, average)


def precision(y: Array, prediction: Array, weight: Array | None = None, *, average: str = "binary") -> float:
    return _shares("precision", y, prediction, weight, average)


def recall(y: Array, prediction: Array, weight: Array | None = None, *, average: str = "binary") -> float:
    return _shares("recall", y, prediction, weight, average)


def jaccard(y: Array, prediction: Array, weight: Array | None = None, *, average: str = "binary") -> float:
    return _shares("jaccard", y, prediction, weight, average)


def matthews_corrcoef(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return float(sk.matthews_corrcoef(y, decided(prediction), sample_weight=weight))


def cohen_kappa(y: Array, prediction: Array, weight: Array | None = None) -> float:
    guess = decided(prediction)
    if len(np.union1d(present(y, weight), present(guess, weight))) < 2:
        return NOTHING
    return float(sk.cohen_kappa_score(y, guess, sample_weight=weight))


def top_k_accuracy(y: Array, prediction: Array, weight: Array | None = None, *, k: float) -> float:
    """scikit-learn's warns where k is the number of classes, and wants labels that do not occur."""
    return float(np.average(in_top(y, prediction, k), weights=weight))


def neg_cost(y: Array, prediction: Array, weight: Array | None = None, *, costs: tuple[float, ...] = ()) -> float:
    matrix = cost_matrix(costs, prediction.shape[1])
    return -float(np.average(matrix[y, cheapest(prediction, matrix)], weights=weight))


def neg_log_loss(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.log_loss(y, prediction, labels=np.arange(prediction.shape[1]), sample_weight=weight))


def neg_brier_score(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.brier_score_loss(y, prediction, labels=np.arange(prediction.shape[1]), sample_weight=weight))


def signed_log_odds(y: Array, prediction: Array) -> Array:
    """The margin y z of two classes: z is the log-odds of the positive class, y is -1 or 1."""
    smallest = np.finfo(np.float64).eps
    positive = np.clip(prediction[:, 1], smallest, 1 - smallest)
    margins: Array = np.where(y == 1, 1.0, -1.0) * (np.log(positive) - np.log1p(-positive))
    return margins


def neg_hinge_loss(y: Array, prediction: Array, weight: Array | None = None) -> float:
    """Of the log-odds: nothing for rows that are right by odds of e to 1. scikit-learn's turns round for one class."""
    return -float(np.average(np.maximum(0.0, 1 - signed_log_odds(y, prediction)), weights=weight))


def _null(y: Array, n_classes: int, weight: Array | None) -> Array:
    """What ignores the columns says: the shares of the classes, for every row."""
    shares = np.bincount(y, weights=weight, minlength=n_classes) / (len(y) if weight is None else weight.sum())
    return np.tile(shares, (len(y), 1))


def d2_log_loss_score(y: Array, prediction: Array, weight: Array | None = None) -> float:
    if len(present(y, weight)) < 2:
        return NOTHING
    return 1 - neg_log_loss(y, prediction, weight) / neg_log_loss(y, _null(y, prediction.shape[1], weight), weight)


def d2_brier_score(y: Array, prediction: Array, weight: Array | None = None) -> float:
    if len(present(y, weight)) < 2:
        return NOTHING
    return 1 - neg_brier_score(y, prediction, weight) / neg_brier_score(
        y, _null(y, prediction.shape[1], weight), weight
    )


def r2(y: Array, prediction: Array, weight: Array | None = None) -> float:
    if len(present(y, weight)) < 2:
        return NOTHING
    return float(sk.r2_score(y, prediction, sample_weight=weight))


def explained_variance(y: Array, prediction: Array, weight: Array | None = None) -> float:
    if len(present(y, weight)) < 2:
        return NOTHING
    return float(sk.explained_variance_score(y, prediction, sample_weight=weight))


def d2_absolute_error_score(y: Array, prediction: Array, weight: Array | None = None) -> float:
    if len(present(y, weight)) < 2:
        return NOTHING
    return float(sk.d2_absolute_error_score(y, prediction, sample_weight=weight))


def neg_mean_squared_error(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.mean_squared_error(y, prediction, sample_weight=weight))


def neg_root_mean_squared_error(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.root_mean_squared_error(y, prediction, sample_weight=weight))


def neg_mean_absolute_error(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.mean_absolute_error(y, prediction, sample_weight=weight))


def neg_median_absolute_error(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.median_absolute_error(y, prediction, sample_weight=weight))


def neg_mean_absolute_percentage_error(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.mean_absolute_percentage_error(y, prediction, sample_weight=weight))


def neg_max_error(y: Array, prediction: Array, weight: Array | None = None) -> float:
    """Among the rows that count at all; how much they count changes nothing."""
    counted = slice(None) if weight is None else weight > 0
    return -float(sk.max_error(y[counted], prediction[counted]))


def neg_mean_pinball_loss(y: Array, prediction: Array, weight: Array | None = None, *, alpha: float) -> float:
    return -float(sk.mean_pinball_loss(y, prediction, alpha=alpha, sample_weight=weight))


def neg_epsilon_insensitive_loss(y: Array, prediction: Array, weight: Array | None = None, *, epsilon: float) -> float:
    """The mean of what errors exceed epsilon by."""
    return -float(np.average(np.maximum(0.0, np.abs(y - prediction) - epsilon), weights=weight))
