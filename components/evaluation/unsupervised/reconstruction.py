"""What a reduction is worth on rows that it has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances
from sklearn.utils import get_tags

from penstock.components.evaluation.unsupervised.row_scores import RowScores

Array = np.ndarray[Any, Any]

PARTS = 5
ROUNDS = 10
STEADY = 1e-4
NEIGHBOURS = 5
MAX_ROWS = 2000


def brought_back(model: Any, X: Array) -> Array:
    """The rows after the way to few columns and back."""
    return np.asarray(model.inverse_transform(model.transform(X)))


def explained_variance(model: Any, X: Array, mean: Array) -> RowScores:
    """The share of the squared distances from the mean of the training rows that comes back."""
    base = _squares(X - mean)
    return RowScores(base - _squares(X - brought_back(model, X)), base)


def held_out_entries(model: Any, X: Array, mean: Array, seed: int) -> RowScores:
    """The same for entries that were hidden from the model: what it knows of a row from the rest of the row.

    Each entry is hidden once, a fifth of a row at a time. Hidden entries start at the mean of the training rows, and
    are read from what the model brings back until they hold still. A model that keeps everything brings back what it
    was given, the mean, and explains nothing: more columns are not always better here.
    """
    rng = np.random.default_rng(seed)
    parts = min(PARTS, X.shape[1])
    part_of = np.argsort(rng.random(X.shape), axis=1) % parts
    guess = np.empty_like(X)
    leaves_holes = get_tags(model).input_tags.allow_nan
    for part in range(parts):
        hidden = part_of == part
        found = _read_holes(model, X, hidden) if leaves_holes else _read(model, X, hidden, mean)
        guess[hidden] = found[hidden]
    known = ~np.isnan(X)
    base = _squares(np.where(known, X - mean, 0.0))
    return RowScores(base - _squares(np.where(known, X - guess, 0.0)), base)


def trustworthiness(X: Array, Z: Array, neighbours: int = NEIGHBOURS) -> RowScores:
    """Whether neighbours among few columns were neighbours among all (Venna and Kaski 2001): 1 if all were.

    A neighbour that was not one counts by how far down it stood in the row's order. The mean over the rows is the
    library's score; few rows have fewer neighbours.
    """
    rows = len(X)
    neighbours = max(1, min(neighbours, (rows - 1) // 2))
    far, near = pairwise_distances(X), pairwise_distances(Z)
    np.fill_diagonal(far, np.inf)
    np.fill_diagonal(near, np.inf)
    place = np.argsort(np.argsort(far, axis=1, kind="stable"), axis=1, kind="stable") + 1
    chosen = np.argpartition(near, neighbours - 1, axis=1)[:, :neighbours]
    late = np.maximum(np.take_along_axis(place, chosen, axis=1) - neighbours, 0).sum(axis=1)
    worst = neighbours * (2 * rows - 3 * neighbours - 1)
    return RowScores(1 - 2 * late / max(worst, 1), np.ones(rows))


def _read(model: Any, X: Array, hidden: Array, mean: Array) -> Array:
    filled = np.where(hidden, mean, X)
    for _ in range(ROUNDS):
        before, filled = filled, np.where(hidden, brought_back(model, filled), X)
        if np.abs(filled - before).max() <= STEADY * max(float(np.abs(X).max()), 1e-12):
            break
    return filled


def _read_holes(model: Any, X: Array, hidden: Array) -> Array:
    return brought_back(model, np.where(hidden, np.nan, X))


def _squares(X: Array) -> Array:
    sums: Array = (X**2).sum(axis=1)
    return sums
