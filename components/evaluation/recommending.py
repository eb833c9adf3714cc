"""How good recommendations are, from ratings that were held back: no user is asked.

Of one user's list, `relevant` says of each place, from the top, whether that item is among those held back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn import metrics as sk

Array = np.ndarray[Any, Any]


def rating_errors(ratings: Array, predicted: Array) -> dict[str, float]:
    """Of ratings that were held back and predicted."""
    squared = float(sk.mean_squared_error(ratings, predicted))
    return {"mae": float(sk.mean_absolute_error(ratings, predicted)), "mse": squared, "rmse": float(np.sqrt(squared))}


def list_scores(relevant: Sequence[int] | Array, k: int, known: int | None = None) -> dict[str, float]:
    """Of one user's ranking of all items that he has not rated yet.

    `known`: how many items are relevant, where the list does not hold them all. Precision, recall and DCG are of the
    first k. `reciprocal_rank` is that of the first relevant item, `mean_reciprocal_rank` the mean over all of them.
    Nothing (NaN) of a user without a relevant item; the area under the ROC curve needs an item that is not.
    """
    hits = np.asarray(relevant, dtype=np.float64)
    total = float(hits.sum()) if known is None else float(known)
    ranks = np.arange(1, len(hits) + 1)
    top = hits[:k]
    if not total:
        return dict.fromkeys(_LIST_SCORES, float("nan"))
    places = ranks[hits > 0]
    precisions = np.cumsum(hits) / ranks
    mixed = 0 < hits.sum() < len(hits)
    return {
        "precision": float(top.sum() / k),
        "recall": float(top.sum() / total),
        "average_precision": float((precisions * hits).sum() / total),
        "dcg": float((top / np.log2(ranks[:k] + 1)).sum()),
        "reciprocal_rank": float(1 / places[0]) if len(places) else 0.0,
        "mean_reciprocal_rank": float((1 / places).sum() / total),
        "auc": float(sk.roc_auc_score(hits, -ranks)) if mixed else float("nan"),
    }


_LIST_SCORES = ("precision", "recall", "average_precision", "dcg", "reciprocal_rank", "mean_reciprocal_rank", "auc")


def diversity(similarity: Array) -> float:
    """The mean dissimilarity of the pairs of a list; `similarity` of its items with each other."""
    size = len(similarity)
    if size < 2:
        return float("nan")
    apart = 1 - np.asarray(similarity, dtype=np.float64)
    return float((apart.sum() - np.trace(apart)) / (size * (size - 1)))


def novelty(popularity: Sequence[float] | Array) -> float:
    """The mean of log2(1 / popularity) over relevant recommended items; popularity as the share of users."""
    shares = np.asarray(popularity, dtype=np.float64)
    return float(np.log2(1 / shares).mean()) if len(shares) else float("nan")


def catalogue_coverage(lists: Sequence[Sequence[int]], items: int) -> float:
    """The share of all items that anybody is recommended."""
    return len({item for one in lists for item in one}) / items


def serendipity(recommended: Sequence[int], expected: Sequence[int], liked: set[int]) -> float:
    """The share of a list that is liked and that the list everybody gets would not have named."""
    surprising = [item for item in recommended if item in liked and item not in set(expected)]
    return len(surprising) / len(recommended) if len(recommended) else float("nan")


def ranking(scores: Array, seen: Array) -> Array:
    """Items from the highest score on, those already seen left out; of equals the earlier item."""
    order = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    left: Array = order[~np.isin(order, seen)]
    return left
