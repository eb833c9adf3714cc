"""Grow an ID3 tree level by level, all nodes of a level at once.

A row whose value is missing goes down every branch, in fragments: each weighs as much as the branch's share of the
training rows that have a value. Every count is a sum of weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.components.trees.attributes import MISSING
from penstock.components.trees.impurity import Impurity, gain

Array = np.ndarray[Any, Any]
LEAF = -1
NOTHING = 1e-12


@dataclass
class Tree:
    """Nodes in the order of their growth: a child comes after its parent.

    `attribute`: the column that a node asks about, or LEAF. `threshold`: where it cuts a column of numbers.
    `children` and `fractions`: by level, or below and not below the threshold. `counts`: of the classes.
    """

    attribute: Array
    threshold: Array
    children: Array
    fractions: Array
    counts: Array

    @property
    def labels(self) -> Array:
        """The majority of each node."""
        codes: Array = self.counts.argmax(axis=1)
        return codes


@dataclass
class Fragments:
    """Parts of rows on their way down: which row, in which node, how much of it."""

    row: Array
    node: Array
    weight: Array

    def of(self, chosen: Array) -> Fragments:
        return Fragments(self.row[chosen], self.node[chosen], self.weight[chosen])


class Column:
    """A column while a tree grows: what it could ask, and how many training rows would answer how."""

    def __init__(self, values: Array, levels: list[Any] | None, weight: Array) -> None:
        self.values = values
        self.branches = 2 if levels is None else len(levels)
        self.is_numeric = levels is None
        present = ~self.missing(values)
        if self.is_numeric:
            order = np.argsort(values[present], kind="stable")
            self._sorted = values[present][order]
            self._below = np.concatenate([[0.0], np.cumsum(weight[present][order])])
        else:
            counts = np.bincount(values[present], weights=weight[present], minlength=self.branches)
            self._shares = counts / counts.sum() if counts.sum() else counts

    def missing(self, values: Array) -> Array:
        return np.isnan(values) if self.is_numeric else values == MISSING

    def shares(self, thresholds: Array) -> Array:
        """Of the training rows with a value, by branch; one row for each threshold."""
        if not self.is_numeric:
            return np.broadcast_to(self._shares, (len(thresholds), self.branches))
        total = self._below[-1]
        below = self._below[np.searchsorted(self._sorted, thresholds, side="left")] / (total or 1.0)
        return np.column_stack([below, 1 - below])

    def codes(self, rows: Array, thresholds: Array) -> Array:
        """The branch of each row; MISSING where it has no value."""
        values = self.values[rows]
        if not self.is_numeric:
            return values
        return np.where(np.isnan(values), MISSING, (values >= thresholds).astype(np.intp))


def grow(
    values: list[Array],
    levels: list[list[Any] | None],
    y: Array,
    weight: Array,
    *,
    n_classes: int,
    impurity: Impurity,
    max_depth: int | None,
    min_samples_leaf: float,
) -> Tree:
    columns = [Column(*column, weight) for column in zip(values, levels, strict=True)]
    widest = max(column.branches for column in columns)
    fragments = Fragments(np.arange(len(y)), np.zeros(len(y), dtype=np.intp), weight)
    available = np.ones((1, len(columns)), dtype=bool)
    grown: list[Tree] = []
    n_nodes, depth = 0, 0
    while len(available):
        size = len(available)
        counts = _counts(fragments, y, size, n_classes)
        mixed = (counts > NOTHING).sum(axis=1) > 1
        open_ = mixed & (max_depth is None or depth < max_depth)
        gains = np.full((size, len(columns)), -np.inf)
        cuts = np.full((size, len(columns)), np.nan)
        for j, column in enumerate(columns):
            asks = open_ & available[:, j]
            if asks.any():
                found = fragments.of(asks[fragments.node])
                gains[:, j], cuts[:, j] = _best(column, found, y, size, n_classes, impurity, min_samples_leaf)
                gains[~asks, j] = -np.inf
                if column.is_numeric:  # a cut that saves nothing will save nothing further down
                    gains[gains[:, j] <= NOTHING, j] = -np.inf
                    available[:, j] &= np.isfinite(gains[:, j]) | ~asks
        best = gains.argmax(axis=1)
        splits = open_ & np.isfinite(gains[np.arange(size), best])
        level = Tree(
            attribute=np.where(splits, best, LEAF),
            threshold=np.where(splits, cuts[np.arange(size), best], np.nan),
            children=np.full((size, widest), LEAF),
            fractions=np.zeros((size, widest)),
            counts=counts,
        )
        n_nodes += size
        fragments, parents = _divide(columns, level, fragments, n_nodes)
        available = available[parents]
        asked = level.attribute[parents]
        multiway = np.array([not column.is_numeric for column in columns])[asked] if len(asked) else asked.astype(bool)
        available[np.flatnonzero(multiway), asked[multiway]] = False
        grown.append(level)
        depth += 1
    parts = {name: np.concatenate([getattr(level, name) for level in grown]) for name in Tree.__annotations__}
    return Tree(**parts)


def _counts(fragments: Fragments, y: Array, size: int, n_classes: int) -> Array:
    places = fragments.node * n_classes + y[fragments.row]
    return np.bincount(places, weights=fragments.weight, minlength=size * n_classes).reshape(size, n_classes)


def _divide(columns: list[Column], level: Tree, fragments: Fragments, n_nodes: int) -> tuple[Fragments, Array]:
    """The fragments in the children, numbered from 0, and each child's parent; notes the children in the level."""
    widest = level.children.shape[1]
    places, rows, weights = [], [], []
    for j in np.unique(level.attribute[level.attribute != LEAF]):
        inside = fragments.of(level.attribute[fragments.node] == j)
        shares = columns[j].shares(level.threshold)
        nodes = level.attribute == j
        level.fractions[nodes, : columns[j].branches] = shares[nodes]
        codes = columns[j].codes(inside.row, level.threshold[inside.node])
        known = inside.of(codes != MISSING)
        lost = inside.of(codes == MISSING)
        places.append(known.node * widest + codes[codes != MISSING])
        rows.append(known.row)
        weights.append(known.weight)
        for branch in range(columns[j].branches if len(lost.row) else 0):
            part = lost.weight * shares[lost.node, branch]
            kept = part > NOTHING
            places.append((lost.node * widest + branch)[kept])
            rows.append(lost.row[kept])
            weights.append(part[kept])
    if not places:
        return Fragments(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0)), np.zeros(0, dtype=np.intp)
    taken, child = np.unique(np.concatenate(places), return_inverse=True)
    level.children.ravel()[taken] = n_nodes + np.arange(len(taken))
    return Fragments(np.concatenate(rows), child, np.concatenate(weights)), taken // widest


def _best(
    column: Column, fragments: Fragments, y: Array, size: int, n_classes: int, impurity: Impurity, fewest: float
) -> tuple[Array, Array]:
    """For each node the gain of this column, and where it would be cut; minus infinity where it cannot be asked."""
    missing = column.missing(column.values[fragments.row])
    lost = _counts(fragments.of(missing), y, size, n_classes)
    known = fragments.of(~missing)
    if column.is_numeric:
        return _best_cut(column, known, lost, y, impurity, fewest)
    places = (known.node * column.branches + column.values[known.row]) * n_classes + y[known.row]
    flat = np.bincount(places, weights=known.weight, minlength=size * column.branches * n_classes)
    children = flat.reshape(size, column.branches, n_classes)
    children = children + column.shares(np.zeros(1))[0][None, :, None] * lost[:, None, :]
    sizes = children.sum(axis=-1)
    occurring = sizes > NOTHING
    allowed = occurring.any(axis=1) & (~occurring | (sizes >= fewest)).all(axis=1)
    return np.where(allowed, gain(children, impurity), -np.inf), np.full(size, np.nan)


def _best_cut(
    column: Column, known: Fragments, lost: Array, y: Array, impurity: Impurity, fewest: float
) -> tuple[Array, Array]:
    """Cuts half-way between neighbouring values with different labels; of equals the lowest."""
    size, n_classes = lost.shape
    gains, cuts = np.full(size, -np.inf), np.full(size, np.nan)
    if not len(known.row):
        return gains, cuts
    values = column.values[known.row]
    order = np.lexsort((values, known.node))
    node, value = known.node[order], values[order]
    starts = np.flatnonzero(np.concatenate([[True], (node[1:] != node[:-1]) | (value[1:] != value[:-1])]))
    weighed = np.zeros((len(order), n_classes))
    weighed[np.arange(len(order)), y[known.row[order]]] = known.weight[order]
    groups = np.add.reduceat(weighed, starts, axis=0)
    node, value = node[starts], value[starts]
    pure = (groups > NOTHING).sum(axis=1) == 1
    label = groups.argmax(axis=1)
    changes = ~(pure[:-1] & pure[1:] & (label[:-1] == label[1:]))
    last = np.flatnonzero((node[:-1] == node[1:]) & changes)
    if not len(last):
        return gains, cuts
    running = groups.cumsum(axis=0)
    first = np.searchsorted(node, node[last], side="left")
    end = np.searchsorted(node, node[last], side="right") - 1
    before = np.where(first[:, None] > 0, running[first - 1], 0.0)
    below = running[last] - before
    above = running[end] - running[last]
    middle = (value[last] + value[last + 1]) / 2
    cut = np.where(middle > value[last], middle, value[last + 1])
    shares = column.shares(cut)
    children = np.stack([below, above], axis=1) + shares[:, :, None] * lost[node[last]][:, None, :]
    saved = np.where((children.sum(axis=-1) >= fewest).all(axis=1), gain(children, impurity), -np.inf)
    np.maximum.at(gains, node[last], saved)
    leading = np.flatnonzero(saved >= gains[node[last]])
    nodes, place = np.unique(node[last][leading], return_index=True)
    cuts[nodes] = cut[leading][place]
    return gains, cuts
