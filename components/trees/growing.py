"""Grow an ID3 tree level by level, all nodes of a level at once.

A row whose value is missing goes down every branch, in fragments: each weighs as much as the branch's share of the
training rows that have a value. Every count is a sum of weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.components.trees.attributes import MISSING
from penstock.components.trees.choosing import NOTHING, Nodes, best_of_levels, best_of_numbers
from penstock.components.trees.columns import Columns
from penstock.components.trees.impurity import Impurity, WeightedImpurity

Array = np.ndarray[Any, Any]
LEAF = -1


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

    def require_no_cycles(self) -> None:
        """Of a loaded tree: a row's fragments must come to an end, and never meet again."""
        parents, branches = np.nonzero(self.children != LEAF)
        children = self.children[parents, branches]
        if (children <= parents).any() or len(np.unique(children)) < len(children):
            raise ValueError("the nodes do not form a tree")

    @property
    def labels(self) -> Array:
        """The majority of each node."""
        codes: Array = self.counts.argmax(axis=1)
        return codes


@dataclass
class Fragments:
    """Parts of rows on their way down: which row, in which node, how much of it (None: all count as one)."""

    row: Array
    node: Array
    weight: Array | None

    def of(self, chosen: Array) -> Fragments:
        return Fragments(self.row[chosen], self.node[chosen], None if self.weight is None else self.weight[chosen])

    def counts(self, y: Array, size: int, n_classes: int) -> Array:
        """Of the classes, by node."""
        places = y[self.row] * size + self.node
        return np.bincount(places, weights=self.weight, minlength=size * n_classes).reshape(n_classes, size)


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
    columns, weighted = Columns(values, levels, weight), WeightedImpurity(impurity, len(y))
    everything = np.arange(len(y))
    fragments = Fragments(everything, np.zeros_like(everything), None if (weight == 1).all() else weight)
    orders = np.argsort(columns.ranks, axis=1, kind="stable")
    available = np.ones((1, len(values)), dtype=bool)
    grown: list[Tree] = []
    n_nodes, depth = 0, 0
    while len(available):
        size = len(available)
        counts = fragments.counts(y, size, n_classes)
        open_ = (counts > NOTHING * counts.sum(axis=0)).sum(axis=0) > 1
        if max_depth is not None and depth >= max_depth:
            open_[:] = False
        fragments, orders = _going_on(fragments, orders, open_)
        nodes = Nodes(fragments.row, fragments.node, fragments.weight, counts)
        attribute, threshold = _choose(columns, orders, nodes, y, weighted, min_samples_leaf, open_, available)
        wide = int(columns.branches.max())
        level = Tree(attribute, threshold, np.full((size, wide), LEAF), np.zeros((size, wide)), counts.T.astype(float))
        n_nodes += size
        fragments, orders, parents = _divide(columns, level, fragments, orders, n_nodes)
        available = available[parents]
        asked = level.attribute[parents]
        multiway = ~columns.is_numeric[asked]
        available[np.flatnonzero(multiway), asked[multiway]] = False
        grown.append(level)
        depth += 1
    parts = {name: np.concatenate([getattr(level, name) for level in grown]) for name in Tree.__annotations__}
    return Tree(**parts)


def _going_on(fragments: Fragments, orders: Array, open_: Array) -> tuple[Fragments, Array]:
    """Only what is in nodes that may still be split."""
    goes = open_[fragments.node]
    if goes.all():
        return fragments, orders
    renumbered = np.cumsum(goes) - 1
    kept = orders[goes[orders]].reshape(len(orders), -1) if len(orders) else orders
    return fragments.of(goes), renumbered[kept]


def _choose(
    columns: Columns,
    orders: Array,
    nodes: Nodes,
    y: Array,
    weighted: WeightedImpurity,
    fewest: float,
    open_: Array,
    available: Array,
) -> tuple[Array, Array]:
    """What each node asks, and where it cuts; forgets columns of numbers that save nothing, here and further down."""
    size = len(open_)
    gains, cuts = np.full(available.shape, -np.inf), np.full(available.shape, np.nan)
    if open_.any():
        for places, found in best_of_levels(columns, nodes, y, weighted, fewest):
            gains[:, places] = found
        for places, found, cut in best_of_numbers(columns, orders, nodes, y, weighted, fewest):
            gains[:, places], cuts[:, places] = np.where(found > NOTHING, found, -np.inf), cut
    gains[~(available & open_[:, None])] = -np.inf
    available[:, columns.numbers] &= np.isfinite(gains[:, columns.numbers])
    best = gains.argmax(axis=1)
    splits = np.isfinite(gains[np.arange(size), best])
    return np.where(splits, best, LEAF), np.where(splits, cuts[np.arange(size), best], np.nan)


def _divide(
    columns: Columns, level: Tree, fragments: Fragments, orders: Array, n_nodes: int
) -> tuple[Fragments, Array, Array]:
    """The fragments in the children, numbered from 0, and each child's parent; notes the children in the level."""
    size, widest = level.children.shape
    for j in np.unique(level.attribute[level.attribute != LEAF]):
        asking = level.attribute == j
        level.fractions[asking, : columns.branches[j]] = columns.shares(int(j), level.threshold[asking])
    fragments, orders = _going_on(fragments, orders, level.attribute != LEAF)
    codes = columns.outcomes(level.attribute[fragments.node], fragments.row, level.threshold[fragments.node])
    lost = codes == MISSING
    if lost.any():
        fragments, codes = _shared_out(level, fragments, codes, lost)
    places = fragments.node * widest + codes
    reached = np.bincount(places, minlength=size * widest) > 0
    taken, numbers = np.flatnonzero(reached), np.cumsum(reached) - 1
    level.children.ravel()[taken] = n_nodes + np.arange(len(taken))
    child = numbers[places]
    divided = Fragments(fragments.row, child, fragments.weight)
    if lost.any():
        orders = np.array([np.lexsort((ranks[divided.row], child)) for ranks in columns.ranks], dtype=np.intp)
        orders = orders.reshape(-1, len(child))
    elif len(orders):
        # Sorted by value already: small whole numbers are sorted in one go.
        narrow = child.astype(np.min_scalar_type(len(taken)))
        orders = np.take_along_axis(orders, np.argsort(narrow[orders], axis=1, kind="stable"), axis=1)
    return divided, orders, taken // widest


def _shared_out(level: Tree, fragments: Fragments, codes: Array, lost: Array) -> tuple[Fragments, Array]:
    """Fragments without a value go down every branch, in parts."""
    weight = np.ones(len(codes)) if fragments.weight is None else fragments.weight
    whole, parted = np.flatnonzero(~lost), np.flatnonzero(lost)
    fractions = level.fractions[fragments.node[parted]]
    which, branch = np.nonzero(fractions > NOTHING)
    shares = weight[parted, None] * fractions
    row, node = (np.concatenate([values[whole], values[parted][which]]) for values in (fragments.row, fragments.node))
    made = Fragments(row, node, np.concatenate([weight[whole], shares[which, branch]]))
    return made, np.concatenate([codes[whole], branch])
