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
    moving = Fragments(np.arange(n_rows), np.zeros(n_rows, dtype=np.intp), np.ones(n_rows))
    passed, ended = [], []
    while len(moving.row):
        passed.append(moving)
        asked = tree.attribute[moving.node]
        ended.append(moving.of(asked == LEAF))
        on: list[Fragments] = []
        for j in np.unique(asked[asked != LEAF]):
            inside = moving.of(asked == j)
            codes = _codes(values[j][inside.row], tree.threshold[inside.node], levels[j] is None)
            known = inside.of(codes != MISSING)
            child = tree.children[known.node, codes[codes != MISSING]] if len(known.row) else known.node
            child = np.where(codes[codes != MISSING] < 0, LEAF, child)
            ended.append(known.of(child == LEAF))
            on.append(Fragments(known.row, child, known.weight).of(child != LEAF))
            lost = inside.of(codes == MISSING)
            for branch in range(tree.children.shape[1] if len(lost.row) else 0):
                part = Fragments(lost.row, lost.node, lost.weight * tree.fractions[lost.node, branch])
                part = part.of(part.weight > 0)
                child = tree.children[part.node, branch]
                ended.append(part.of(child == LEAF))
                on.append(Fragments(part.row, child, part.weight).of(child != LEAF))
        moving = _joined(on)
    return _joined(ended), _joined(passed)


def _codes(values: Array, thresholds: Array, is_numeric: bool) -> Array:
    if not is_numeric:
        return values
    return np.where(np.isnan(values), MISSING, (values >= thresholds).astype(np.intp))


def _joined(parts: list[Fragments]) -> Fragments:
    if not parts:
        return Fragments(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp), np.zeros(0))
    return Fragments(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("row", "node", "weight")))
