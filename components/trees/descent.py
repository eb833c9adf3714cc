"""Send rows down a tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.trees.attributes import MISSING
from penstock.components.trees.growing import LEAF, Fragments, Tree

Array = np.ndarray[Any, Any]


def descend(
    tree: Tree, values: list[Array], levels: list[list[Any] | None], n_rows: int
) -> tuple[Fragments, Fragments]:
    """Where the rows end, and every node that they pass. A level that a node has no branch for ends there."""
    matrix = np.array(values, dtype=float).reshape(len(values), n_rows)
    is_numeric = np.array([known is None for known in levels])
    moving = Fragments(np.arange(n_rows), np.zeros(n_rows, dtype=np.intp), np.ones(n_rows))
    passed, ended = [], []
    while len(moving.row):
        passed.append(moving)
        asked = tree.attribute[moving.node]
        at_leaf = asked == LEAF
        ended.append(moving.of(at_leaf))
        moving, asked = moving.of(~at_leaf), asked[~at_leaf]
        codes = _codes(matrix[asked, moving.row], tree.threshold[moving.node], is_numeric[asked])
        lost = codes == MISSING
        if lost.any():
            moving, codes = _shared_out(tree, moving, codes, lost)
        child = np.where(codes < 0, LEAF, tree.children[moving.node, codes])
        stays = child == LEAF
        ended.append(moving.of(stays))
        moving = Fragments(moving.row, child, moving.weight).of(~stays)
    return _joined(ended), _joined(passed)


def _codes(values: Array, thresholds: Array, is_numeric: Array) -> Array:
    outcomes = np.where(is_numeric, values >= thresholds, values)
    return np.where(np.isnan(values), MISSING, outcomes).astype(np.intp)


def _shared_out(tree: Tree, moving: Fragments, codes: Array, lost: Array) -> tuple[Fragments, Array]:
    """Those without a value go down every branch, in parts."""
    assert moving.weight is not None
    whole, parted = moving.of(~lost), moving.of(lost)
    assert whole.weight is not None
    assert parted.weight is not None
    shares = parted.weight[:, None] * tree.fractions[parted.node]
    which, branch = np.nonzero(shares > 0)
    made = Fragments(
        np.concatenate([whole.row, parted.row[which]]),
        np.concatenate([whole.node, parted.node[which]]),
        np.concatenate([whole.weight, shares[which, branch]]),
    )
    return made, np.concatenate([codes[~lost], branch])


def _joined(fragments: list[Fragments]) -> Fragments:
    if not fragments:
        return Fragments(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp), np.zeros(0))
    return Fragments(
        *(np.concatenate([getattr(part, name) for part in fragments]) for name in ("row", "node", "weight"))
    )
