"""One column at a time: the cross-validated score of a small tree on each column alone, against knowing nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from penstock.components.analysis.table import OTHER, Table, as_numbers
from penstock.components.schema import Schema

FOLDS = 3
LEAVES = 8
# The score of knowing nothing but the target's distribution.
DUMMY = {"roc_auc": 0.5, "roc_auc_ovr": 0.5, "r2": 0.0}


def measure_of(schema: Schema) -> str:
    return "r2" if schema.classes is None else "roc_auc" if len(schema.classes) == 2 else "roc_auc_ovr"


def baselines(table: Table, names: list[str], seed: int, leaves: int = LEAVES) -> dict[str, Any] | None:
    """Columns by the score that each reaches alone, best first; None where there is no target.

    The measure is the area under the ROC curve (over each class against the rest, where there are more than two) or R².
    A small tree (of at most eight leaves, if nothing else is said) finds bends and thresholds that a straight line
    would miss.
    """
    if table.y is None:
        return None
    schema = table.schema
    measure = measure_of(schema)
    rows, left = _learnable(table.sample.assign(_target=table.y), classes=schema.classes is not None)
    result: dict[str, Any] = {
        "measure": measure,
        "dummy": DUMMY[measure],
        "rows": len(rows),
        "folds": FOLDS,
        "columns": [],
        "left_out": {},
        "reason": left,
    }
    if left and len(rows) == 0:
        return result
    y = rows["_target"].to_numpy()
    folds = _folds(rows, schema, y, seed)
    for name in names:
        column = schema.column(name)
        if column.role == "text":
            result["left_out"][name] = "free text"
            continue
        matrix = _matrix(rows[name], column.role, table, name)
        scores = cross_val_score(_tree(schema, len(rows), leaves, seed), matrix, y, cv=folds, scoring=measure)
        mean = float(np.mean(scores))
        if np.isfinite(mean):
            result["columns"].append({"column": name, "score": mean, "sd": float(np.std(scores, ddof=1))})
        else:
            result["left_out"][name] = "too few rows in a fold"
    result["columns"].sort(key=lambda one: (-one["score"], one["column"]))
    return result


def cross_validated(matrix: NDArray[np.float64], rows: pd.DataFrame, schema: Schema, seed: int) -> float:
    """What a small tree scores that reads this matrix alone; `rows` holds the target as `_target`. NaN of few rows."""
    kept, left = _learnable(rows.assign(_place=np.arange(len(rows))), classes=schema.classes is not None)
    if left and len(kept) == 0:
        return float("nan")
    y = kept["_target"].to_numpy()
    folds = _folds(kept, schema, y, seed)
    model = _tree(schema, len(kept), LEAVES, seed)
    scores = cross_val_score(model, matrix[kept["_place"]], y, cv=folds, scoring=measure_of(schema))
    return float(np.mean(scores))


def _tree(schema: Schema, rows: int, leaves: int, seed: int) -> Any:
    kind = DecisionTreeRegressor if schema.classes is None else DecisionTreeClassifier
    leaf = max(2, rows // (100 if leaves <= LEAVES else 4 * leaves))
    return kind(max_leaf_nodes=leaves, min_samples_leaf=leaf, random_state=seed)


def _learnable(rows: pd.DataFrame, *, classes: bool) -> tuple[pd.DataFrame, str | None]:
    """Without classes that cannot stand in every fold."""
    if not classes:
        enough = len(rows) >= 2 * FOLDS
        return (rows, None) if enough else (rows.iloc[:0], "too few rows")
    counts = rows["_target"].value_counts()
    small = counts[counts < 2 * FOLDS].index
    if len(counts) - len(small) < 2:
        return rows.iloc[:0], "too few rows of each class"
    if not len(small):
        return rows, None
    kept = rows[~rows["_target"].isin(small)].reset_index(drop=True)
    return kept, f"{len(rows) - len(kept)} row(s) of {len(small)} class(es) with fewer than {2 * FOLDS} rows left out"


def _folds(rows: pd.DataFrame, schema: Schema, y: NDArray[Any], seed: int) -> list[tuple[Any, Any]]:
    """Rows of one group stay on one side, as they do in the folds of the search."""
    group = next((column.name for column in schema.columns if column.role == "group"), None)
    quantity = schema.classes is None
    if group is not None and rows[group].nunique() >= FOLDS:
        groups = rows[group].astype(str).to_numpy()
        cutter = GroupKFold(FOLDS) if quantity else StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
        folds = list(cutter.split(rows, y, groups))
    else:
        folds = []
    if not folds or not _all_classes(folds, y, quantity):
        plain = KFold if quantity else StratifiedKFold
        folds = list(plain(FOLDS, shuffle=True, random_state=seed).split(rows, y))
    return folds


def _all_classes(folds: list[tuple[Any, Any]], y: NDArray[Any], quantity: bool) -> bool:
    whole = len(np.unique(y))
    return quantity or all(len(np.unique(y[side])) == whole for part in folds for side in part)


def _matrix(values: pd.Series[Any], role: str, table: Table, name: str) -> NDArray[np.float64]:
    """Numbers as they are, with their gaps; of a nominal one column a level, gaps and rare levels among them."""
    if role != "nominal":
        return as_numbers(values, table.schema.column(name)).to_numpy(dtype=np.float64).reshape(-1, 1)
    levels = [level for level in table.coded[name].names if level != OTHER]
    words = values.where(values.isin(levels), OTHER).where(values.notna(), "")
    marks = np.stack([(words == level).to_numpy() for level in (*levels, OTHER, "")], axis=1)
    return marks[:, marks.any(axis=0)].astype(np.float64)
