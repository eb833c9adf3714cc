"""What the target itself says: rare classes, and rows that nothing tells apart but their target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema import ROW_ID, Schema, encode_target

RARE_SHARE = 0.05
RARE_ROWS = 20
MAX_EXAMPLES = 5


def classes(frame: pd.DataFrame, schema: Schema) -> list[dict[str, Any]]:
    """Rows and share of each class, and whether it is too rare to be learnt well."""
    if schema.classes is None or schema.target is None:
        return []
    counts = np.bincount(encode_target(frame[schema.target], schema), minlength=len(schema.classes))
    return [
        {
            "class": str(label),
            "rows": int(count),
            "share": float(count / len(frame)),
            "rare": bool(count < RARE_ROWS or count < RARE_SHARE * len(frame)),
        }
        for label, count in zip(schema.classes, counts, strict=True)
    ]


def contradictions(frame: pd.DataFrame, schema: Schema) -> dict[str, Any] | None:
    """Rows with equal features and different targets, and the best score that these leave possible on such rows.

    Of classes: `pairs` counts the pairs of rows that differ, `ceiling` is the accuracy of always giving the commonest
    class among equal rows. Of quantities: the ceiling is R², after the spread among equal rows is taken off.
    """
    if schema.target is None or not schema.supervised or not len(frame):
        return None
    y = encode_target(frame[schema.target], schema)
    features = frame[[column.name for column in schema.features]]
    same = pd.factorize(np.asarray(pd.util.hash_pandas_object(features, index=False)))[0]
    rows = pd.DataFrame({"same": same, "y": y})
    group = rows.groupby("same")["y"]
    differing = (group.transform("min") != group.transform("max")).to_numpy()
    if schema.classes is not None:
        counts = rows.groupby(["same", "y"]).size()
        sizes = counts.groupby("same").sum()
        pairs = int(((sizes**2 - (counts**2).groupby("same").sum()) // 2).sum())
        measure, ceiling = "accuracy", float(counts.groupby("same").max().sum() / len(rows))
    else:
        pairs = None
        spread = float(((y - y.mean()) ** 2).sum())
        inside = float(((y - group.transform("mean")) ** 2).sum())
        measure, ceiling = "r2", 1 - inside / spread if spread > 0 else 1.0
    ids = frame[ROW_ID].astype(str) if ROW_ID in frame else frame.index.astype(str).to_series()
    return {
        "rows": int(differing.sum()),
        "share": float(differing.mean()),
        "groups": int(rows["same"][differing].nunique()),
        "pairs": pairs,
        "measure": measure,
        "ceiling": ceiling,
        "examples": ids.to_numpy()[differing][:MAX_EXAMPLES].tolist(),
    }
