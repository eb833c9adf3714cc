"""What each column would save at each node of a level, all nodes and columns at once. Counts have the classes first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from penstock.components.trees.columns import Columns
from penstock.components.trees.impurity import WeightedImpurity

Array = np.ndarray[Any, Any]
NOTHING = 1e-12  # of the weight of all rows, of a row, of a bit
DIGITS = 11  # of a gain in bits; beyond, splits that save the same would differ by rounding
MAX_CELLS = 4_000_000


class Nodes(NamedTuple):
    """What is in the open nodes of a level: parts of rows (weight None: all count as one), and all class counts."""

    row: Array
    node: Array
    weight: Array | None
    counts: Array


def best_of_levels(
    columns: Columns, nodes: Nodes, y: Array, weighted: WeightedImpurity, fewest: float
) -> Iterator[tuple[Array, Array]]:
    """Columns of levels, and their gains by node; minus infinity where one cannot be asked."""
    classes, size = nodes.counts.shape
    total = nodes.counts.sum(axis=0)
    impurities = weighted(nodes.counts, total)
    nothing = NOTHING * total[:, None]
    for part in _parts(np.diff(columns.starts), size * classes + len(nodes.row)):
        starts = columns.starts[part[0] : part[-1] + 2] - columns.starts[part[0]]
        width = int(starts[-1])
        base = (y[nodes.row] * size + nodes.node) * width - columns.starts[part[0]]
        places = columns.slots[part[0] : part[-1] + 1, nodes.row] + base
        weights = None if nodes.weight is None else np.broadcast_to(nodes.weight, places.shape).ravel()
        flat = np.bincount(places.ravel(), weights=weights, minlength=classes * size * width)
        counts = flat.reshape(classes, size, width)
        if columns.lack_levels:
            counts = _with_lost(columns, part, starts, counts)
        sizes = counts.sum(axis=0)
        within = np.add.reduceat(weighted(counts, sizes), starts[:-1], axis=1)
        allowed = np.add.reduceat(sizes, starts[:-1], axis=1) > nothing
        if fewest > 1 or nodes.weight is not None:
            allowed &= np.logical_and.reduceat((sizes <= nothing) | (sizes >= fewest - nothing), starts[:-1], axis=1)
        saved = (impurities[:, None] - within) / np.where(total > 0, total, 1)[:, None]
        yield columns.levels[part], np.where(allowed, np.round(saved, DIGITS), -np.inf)


def _with_lost(columns: Columns, part: Array, starts: Array, counts: Array) -> Array:
    """Rows without a value count in every level by its share; they stand in the last slot of each column."""
    counts = counts.astype(float)
    for column, start, end in zip(columns.levels[part], starts[:-1], starts[1:] - 1, strict=True):
        shares = columns.shares(int(column), np.zeros(1))[0]
        counts[:, :, start:end] += shares * counts[:, :, end : end + 1]
    counts[:, :, starts[1:] - 1] = 0
    return counts


def best_of_numbers(
    columns: Columns, orders: Array, nodes: Nodes, y: Array, weighted: WeightedImpurity, fewest: float
) -> Iterator[tuple[Array, Array, Array]]:
    """Columns of numbers, their gains by node, and where each would be cut.

    Cuts are half-way between neighbouring values with different labels; of equals the lowest. `orders`: for each
    column the fragments by node and value.
    """
    for part in _parts(np.ones(len(columns.numbers), dtype=int), len(nodes.row)):
        yield columns.numbers[part], *_best_cuts(columns, part, orders[part], nodes, y, weighted, fewest)


def _best_cuts(
    columns: Columns, part: Array, order: Array, nodes: Nodes, y: Array, weighted: WeightedImpurity, fewest: float
) -> tuple[Array, Array]:
    """In each column the fragments lie node by node, and within a node by value: a segment, and groups in it."""
    size, (lines, long) = nodes.counts.shape[1], order.shape
    gains, cuts = np.full((size, lines), -np.inf), np.full((size, lines), np.nan)
    row = nodes.row[order]
    label = y[row].ravel()
    value = np.take_along_axis(columns.values[part], row, axis=1)
    node = np.sort(nodes.node)  # the same in every column
    begins = np.concatenate([[True], node[1:] != node[:-1]])
    differs = np.broadcast_to(begins, order.shape).copy()
    differs[:, 1:] |= value[:, 1:] != value[:, :-1]
    value, group = value.ravel(), np.flatnonzero(differs)
    starts = np.flatnonzero(begins)
    first = (np.arange(lines)[:, None] * long + starts).ravel()
    segment = np.repeat(np.arange(len(first)), np.diff(np.append(np.searchsorted(group, first), len(group))))
    lowest, highest = label[group], label[group]
    if len(group) < label.size:
        lowest, highest = (ufunc.reduceat(label, group) for ufunc in (np.minimum, np.maximum))
    pure_alike = (lowest[:-1] == highest[1:]) & (highest[:-1] == lowest[1:])
    next_value = value[group[1:]]
    split = np.flatnonzero((segment[:-1] == segment[1:]) & ~pure_alike & ~np.isnan(next_value))
    if not len(split):
        return gains, cuts
    of, last = segment[split], group[split + 1] - 1
    at, column = np.tile(node[starts], lines), np.repeat(np.arange(lines), len(starts))
    weight = None if nodes.weight is None else nodes.weight[order].ravel()
    below = _up_to(label, weight, len(nodes.counts), last, first, of)
    whole = nodes.counts[:, at]
    known = whole
    if columns.lack_numbers:
        known = _with_value(label, weight, ~np.isnan(value), len(nodes.counts), first)
    above = known[:, of] - below
    lower, upper = value[group[split]], next_value[split]
    middle = lower / 2 + upper / 2
    cut = np.where(middle > lower, middle, upper)
    if columns.lack_numbers:
        lost = (whole - known)[:, of]
        share = np.concatenate(
            [columns.shares(int(columns.numbers[part[j]]), cut[column[of] == j])[:, 0] for j in range(lines)]
        )
        below, above = below + share * lost, above + (1 - share) * lost
    left, right, total = below.sum(axis=0), above.sum(axis=0), nodes.counts.sum(axis=0)
    impurities = weighted(nodes.counts, total)[at][of] - weighted(below, left) - weighted(above, right)
    saved = np.round(impurities / total[at][of], DIGITS)
    fewest -= NOTHING * total.sum()  # sums of weights are rounded
    saved = np.where((left >= fewest) & (right >= fewest), saved, -np.inf)
    heads = np.flatnonzero(np.concatenate([[True], of[1:] != of[:-1]]))
    best = np.maximum.reduceat(saved, heads)
    leading = np.flatnonzero(saved == np.repeat(best, np.diff(np.append(heads, len(of)))))
    leading = leading[np.concatenate([[True], of[leading][1:] != of[leading][:-1]])]
    gains[at[of[heads]], column[of[heads]]] = best
    cuts[at[of[heads]], column[of[heads]]] = cut[leading]
    return gains, cuts


def _up_to(label: Array, weight: Array | None, classes: int, last: Array, first: Array, of: Array) -> Array:
    """Class counts from the start of each segment to each of `last`."""
    below = np.empty((classes, len(last)), dtype=np.intp if weight is None else float)
    below[0] = last - first[of] + 1 if weight is None else _between(weight, last, first, of)
    for code in range(1, classes):
        own = label == code
        below[code] = _between(own if weight is None else np.where(own, weight, 0.0), last, first, of)
    below[0] -= below[1:].sum(axis=0)
    if weight is not None:  # what is left of a difference of sums
        below[np.abs(below) < NOTHING * weight.sum()] = 0.0
    return below


def _between(values: Array, last: Array, first: Array, of: Array) -> Array:
    running: Array = np.cumsum(values, dtype=float if values.dtype.kind == "f" else np.int32)
    between: Array = running[last] - (running[first] - values[first])[of]
    return between


def _with_value(label: Array, weight: Array | None, has_value: Array, classes: int, first: Array) -> Array:
    """Class counts of each segment, of fragments that have a value."""
    own = has_value.astype(float) if weight is None else np.where(has_value, weight, 0.0)
    return np.stack([np.add.reduceat(np.where(label == code, own, 0.0), first) for code in range(classes)])


def _parts(wide: Array, cells: int) -> Iterator[Array]:
    """Columns in parts whose work fits into memory."""
    most = max(1, MAX_CELLS // max(cells, 1))
    part = (np.cumsum(wide) - 1) // most
    for number in np.unique(part):
        yield np.flatnonzero(part == number)
