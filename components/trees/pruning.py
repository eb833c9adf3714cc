"""Cut a tree back where rows that did not grow it say so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from penstock.components.trees.descent import descend
from penstock.components.trees.growing import LEAF, Tree

Array = np.ndarray[Any, Any]


def reduced_error(tree: Tree, values: list[Array], levels: list[list[Any] | None], y: Array, weight: Array) -> Tree:
    """Make a leaf of the node whose pruning helps the held-out rows most, again and again, while one helps.

    Only a strictly higher accuracy counts: the courses leave ties open, and a tie is no reason to forget. Rows, and
    fragments of a row, count by their weight.
    """
    ended, passed = descend(tree, values, levels, len(y))
    labels = tree.labels
    n_nodes = len(labels)
    share = weight / weight.mean()
    as_leaf = _right(passed.node, passed.weight * share[passed.row] * (labels[passed.node] == y[passed.row]), n_nodes)
    here = _right(ended.node, ended.weight * share[ended.row] * (labels[ended.node] == y[ended.row]), n_nodes)
    attribute = tree.attribute.copy()
    while True:
        as_tree = here.copy()
        for node in range(n_nodes - 1, -1, -1):  # children come after their parents
            if attribute[node] == LEAF:
                as_tree[node] = as_leaf[node]
            else:
                children = tree.children[node]
                as_tree[node] += as_tree[children[children != LEAF]].sum()
        reached = _reachable(tree, attribute)
        helps = np.where(reached & (attribute != LEAF), as_leaf - as_tree, -np.inf)
        best = int(helps.argmax())
        if helps[best] <= 1e-9:
            return replace(tree, attribute=attribute)
        attribute[best] = LEAF


def _right(nodes: Array, weight: Array, n_nodes: int) -> Array:
    return np.bincount(nodes, weights=weight, minlength=n_nodes)


def _reachable(tree: Tree, attribute: Array) -> Array:
    reached = np.zeros(len(attribute), dtype=bool)
    reached[0] = True
    for node in np.flatnonzero(attribute != LEAF):
        if reached[node]:
            children = tree.children[node]
            reached[children[children != LEAF]] = True
    return reached
