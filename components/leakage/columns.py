"""Columns that know the answer: those that predict too well, those made from the target, ids among the features."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penstock.components.analysis.baselines import baselines
from penstock.components.analysis.findings import MEASURES
from penstock.components.analysis.table import Table, as_numbers, draw
from penstock.components.leakage.base import Check, Seen, Sides, does_not_apply, passed, quoted
from penstock.components.schema import Column, counts_rows
from penstock.components.schema.hints import names_an_identifier

Codes = NDArray[np.int64]

TOO_GOOD = {"roc_auc": 0.995, "roc_auc_ovr": 0.995, "r2": 0.99}
WORTH_A_CLOSER_LOOK = 0.9
LEAVES = 64
MAX_ROWS = 20_000
MIN_ROWS = 20
MISTAKES = 0.01
ROUNDING = 1e-6
ALMOST_ALL_DIFFERENT = 0.9
CLEARLY = 0.02


def _too_good(sides: Sides) -> Seen:
    """A small tree on each column is the analysis' work; those that do well get one with more leaves."""
    alone = sides.alone
    if not alone or not alone["columns"]:
        return does_not_apply("there is no target, or too few rows to evaluate columns one by one")
    promising = [one["column"] for one in alone["columns"] if one["score"] > WORTH_A_CLOSER_LOOK]
    table = Table.of(sides.train, sides.schema, sides.seed)
    again = baselines(table, promising, sides.seed, leaves=LEAVES) if promising else None
    scores: dict[str, float] = {}
    for one in [*alone["columns"], *(again["columns"] if again else [])]:
        scores[one["column"]] = max(one["score"], scores.get(one["column"], -math.inf))
    limit, measure = TOO_GOOD[alone["measure"]], MEASURES[alone["measure"]]
    found = [name for name, score in scores.items() if score > limit]
    best = max(scores, key=lambda name: scores[name])
    numbers = {"best": scores[best], "limit": limit}
    if not found:
        return passed(f"the best column alone is '{best}': {measure} {scores[best]:.3f}, where {limit} would be "
                      "too good to be true", **numbers)  # fmt: skip
    shown = [f"{name}: {measure} {scores[name]:.4f}" for name in found]
    alike = f"{quoted(found)} alone predict" + ("s" if len(found) == 1 else "")
    message = f"{alike} '{sides.schema.target}' all but perfectly ({measure} {scores[best]:.4f}; the limit is {limit})"
    return Seen("found", message, found, len(found), shown, numbers)


def _derived(sides: Sides) -> Seen:
    if sides.y is None:
        return does_not_apply("there is no target")
    rows = draw(sides.train.assign(_target=sides.y), MAX_ROWS, sides.seed)
    if len(rows) < MIN_ROWS:
        return does_not_apply(f"fewer than {MIN_ROWS} training rows")
    y = rows["_target"].to_numpy()
    told = {}
    for column in sides.schema.features:
        if column.role != "text":
            values = rows[column.name]
            how = _from_classes(values, y) if sides.schema.classes else _from_values(values, column, y)
            if how:
                told[column.name] = how
    if not told:
        return passed(f"no column is '{sides.schema.target}' copied, scaled, binned, reversed or renamed")
    shown = [f"{name}: {how}" for name, how in told.items()]
    message = f"{quoted(told)} can be made from '{sides.schema.target}'" + ("" if len(told) > 1 else f": {shown[0]}")
    return Seen("found", message, list(told), len(told), shown)


def _from_classes(values: pd.Series[Any], y: NDArray[Any]) -> str | None:
    """Missing counts as a level. A few mistakes may be among the rows that guessing would get wrong."""
    codes = pd.factorize(values, use_na_sentinel=False)[0].astype(np.int64)
    levels = int(codes.max()) + 1
    if levels < 2:
        return None
    classes = y.astype(np.int64)
    follows = levels <= len(y) // 2 and _follows(codes, classes)
    tells = levels <= len(y) // 10 and _follows(classes, codes)
    if follows and tells:
        return "each class has a value of its own, so it is the target under other names"
    if follows:
        return "each class has only one value of it, so it is the target put into fewer groups"
    return "each of its values has only one class, so it says which" if tells else None


def _follows(codes: Codes, given: Codes) -> bool:
    """Whether one column of codes is known, but for few mistakes, once the other is."""
    table = np.zeros((int(given.max()) + 1, int(codes.max()) + 1), dtype=np.int64)
    np.add.at(table, (given, codes), 1)
    wrong, by_guessing = len(codes) - table.max(axis=1).sum(), len(codes) - table.sum(axis=0).max()
    return bool(by_guessing >= 5 and wrong <= MISTAKES * by_guessing)


def _from_values(values: pd.Series[Any], column: Column, y: NDArray[Any]) -> str | None:
    known = values.notna().to_numpy()
    if known.sum() < MIN_ROWS or known.mean() < 0.5:
        return None
    values, y = values[known], y[known]
    if column.role != "nominal":
        numbers = as_numbers(values, column)
        if numbers.std() > 0:
            target = pd.Series(y, numbers.index)
            straight, ranks = numbers.corr(target), numbers.rank().corr(target.rank())
            if 1 - straight**2 < ROUNDING:
                return f"it is the target {'copied or scaled' if straight > 0 else 'reversed'} (r = {straight:.6f})"
            if 1 - abs(ranks) < ROUNDING:
                return f"it has the order of the target (rank correlation {ranks:.6f})"
    codes = pd.factorize(values)[0]
    levels = int(codes.max()) + 1
    if not 2 <= levels <= len(y) // 5 or np.bincount(codes).min() < 3:
        return None
    in_order = codes[np.lexsort((codes, y))]
    runs = 1 + int((in_order[1:] != in_order[:-1]).sum())
    return f"its {levels} values are the target cut into {levels} pieces" if runs == levels else None


def _ids_as_features(sides: Sides) -> Seen:
    names = [column.name for column in _id_like(sides)]
    if not names:
        return passed("no feature has almost as many values as there are rows and counts or names them")
    alone = sides.alone or {"columns": [], "dummy": 0.0, "measure": "r2"}
    scores = {one["column"]: one for one in alone["columns"]}
    surely = {name: one["score"] - one["sd"] for name, one in scores.items()}
    found = [name for name in names if name in surely and surely[name] > alone["dummy"] + CLEARLY]
    if not found:
        return passed(f"{quoted(names)} look like ids among the features, but tell nothing of the target on other rows")
    measure = MEASURES[alone["measure"]]
    shown = [f"{name}: {measure} {scores[name]['score']:.3f}" for name in found]
    message = f"{quoted(found)} name or count the rows, are features, and predict rows they were not trained on"
    return Seen("found", message, found, len(found), shown)


def _id_like(sides: Sides) -> Iterator[Column]:
    rows = len(sides.train)
    for column in sides.schema.features:
        values = sides.train[column.name]
        if column.role not in ("numeric", "nominal") or values.nunique() < ALMOST_ALL_DIFFERENT * rows:
            continue
        if column.role == "numeric" and (values.dropna() % 1 != 0).any():
            continue
        everything = pd.concat([values, sides.test[column.name]])
        if names_an_identifier(column.name) or (column.role == "numeric" and counts_rows(everything.dropna())):
            yield column


TOO_GOOD_ALONE = Check(
    "LEK007",
    "a column that alone predicts too well",
    "error",
    "ask when its values are written down; if only after the outcome, leave it out with `columns: {x: ignore}`",
    _too_good,
)
DERIVED = Check(
    "LEK008",
    "columns made from the target",
    "error",
    "leave it out with `columns: {x: ignore}`: it will not be known when the model is asked",
    _derived,
)
IDS_AS_FEATURES = Check(
    "LEK011",
    "ids as features",
    "warning",
    "leave it out with `columns: {x: id}`: new rows will have numbers that no row had before",
    _ids_as_features,
)
