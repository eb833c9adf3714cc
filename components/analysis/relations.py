"""The target by column: how much each column alone says about it, in which direction, and group by group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from penstock.components.analysis.association import (
    MIN_PAIRS,
    cramers_v,
    cross_table,
    entropy,
    mutual_information,
    pooled,
)
from penstock.components.analysis.table import OTHER, Coded, Floats, Table, as_codes

MAX_GROUPS = 5  # beside the missing values


def information(table: Table) -> dict[str, dict[str, float]]:
    """Of each column: the mutual information with the target in nats, and as a share of the target's entropy."""
    target = table.coded_target
    if target is None:
        return {}
    found = {}
    for name, coded in table.coded.items():
        counts = cross_table(coded.codes, target.codes, (len(coded.names), len(target.names)))
        nats, whole = mutual_information(counts), entropy(counts.sum(axis=0)) if counts.sum() else 0.0
        found[name] = {"nats": nats, "share": min(1.0, nats / whole) if whole > 0 else 0.0, "rows": int(counts.sum())}
    return found


def relations(table: Table, names: list[str], known: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    """Direction, size and groups of the named columns; `known` is what `information` found.

    `effect` is the change of the target (of a quantity in its own units, of two classes in the share of the positive
    one) that goes with one standard deviation more of the column, by least squares.
    """
    y, target = table.y, table.coded_target
    if y is None or target is None:
        return []
    outcome = _outcome(table)
    found = []
    for name in names:
        coded = table.coded[name]
        facts: dict[str, Any] = {"column": name, "role": table.schema.column(name).role, **_rounded(known[name])}
        if table.schema.classes is not None:
            counts = cross_table(coded.codes, target.codes, (len(coded.names), len(target.names)))
            facts["cramers_v"] = cramers_v(pooled(counts))
        if outcome is not None:
            facts["correlation_ratio"] = correlation_ratio(coded, outcome)
            facts["gaps"] = _gaps(coded, outcome)
            if name in table.numbers:
                facts |= _line(table.numbers[name].to_numpy(), outcome)
        found.append({**facts, "groups": _groups(name, table)})
    return found


def correlation_ratio(coded: Coded, outcome: Floats) -> float:
    """The share of the outcome's variance that lies between groups, corrected for their number (omega squared)."""
    inside = coded.codes >= 0
    codes, values = coded.codes[inside], outcome[inside]
    groups = len(np.unique(codes))
    if len(values) <= groups or groups < 2 or values.min() == values.max():
        return 0.0
    sizes = np.bincount(codes)
    means = np.bincount(codes, weights=values)[sizes > 0] / sizes[sizes > 0]
    total = float(((values - values.mean()) ** 2).sum())
    between = float((sizes[sizes > 0] * (means - values.mean()) ** 2).sum())
    error = (total - between) / (len(values) - groups)
    return float(max(0.0, (between - (groups - 1) * error) / (total + error)))


def _outcome(table: Table) -> Floats | None:
    """The target as one number a row: a quantity, or whether the class is the positive one of two."""
    if table.y is None or (table.schema.classes is not None and len(table.schema.classes) != 2):
        return None
    return np.asarray(table.y, dtype=np.float64)


def _gaps(coded: Coded, outcome: Floats) -> dict[str, Any] | None:
    """The mean of the outcome where the column is missing and where it is not."""
    missing = coded.codes < 0
    if not missing.any() or missing.all():
        return None
    means = (float(outcome[side].mean()) for side in (missing, ~missing))
    return {"rows": int(missing.sum()), **dict(zip(("missing", "known"), means, strict=True))}


def _line(x: Floats, y: Floats) -> dict[str, Any]:
    both = ~np.isnan(x)
    x, y = x[both], y[both]
    if len(x) < MIN_PAIRS or x.min() == x.max() or y.min() == y.max():
        return {"pearson": None, "spearman": None, "direction": None, "effect": None}
    pearson = float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))
    return {
        "pearson": pearson,
        "spearman": float(np.clip(np.corrcoef(rankdata(x), rankdata(y))[0, 1], -1, 1)),
        "direction": "+" if pearson > 0 else "-" if pearson < 0 else None,
        "effect": pearson * float(y.std(ddof=1)),
    }


def _groups(name: str, table: Table) -> list[dict[str, Any]]:
    """The target in each group of the column, in the column's own order; missing values are a group of their own.

    Few groups hold all rows: numbers are cut into fewer, rare levels are put together.
    """
    coded = table.coded[name]
    if len(coded.names) > MAX_GROUPS:
        coded = _fewer(as_codes(table.sample[name], table.schema.column(name), bins=MAX_GROUPS))
    sizes = np.bincount(coded.codes + 1, minlength=len(coded.names) + 1)
    return [
        {
            "group": "(missing)" if code < 0 else coded.names[code],
            "rows": int(sizes[code + 1]),
            **_typical(table, coded.codes == code),
        }
        for code in range(-1, len(coded.names))
        if sizes[code + 1]
    ]


def _fewer(coded: Coded) -> Coded:
    """The largest groups as they are, all others as one."""
    if len(coded.names) <= MAX_GROUPS:
        return coded
    sizes = np.bincount(coded.codes[coded.codes >= 0], minlength=len(coded.names))
    by_size = [code for code in np.argsort(-sizes, kind="stable") if coded.names[code] != OTHER]
    kept = sorted(by_size[: MAX_GROUPS - 1])
    places = np.full(len(coded.names) + 1, len(kept))
    places[kept] = np.arange(len(kept))
    places[-1] = -1
    return Coded(places[coded.codes], [*(coded.names[code] for code in kept), OTHER])


def _typical(table: Table, inside: NDArray[np.bool_]) -> dict[str, Any]:
    """The mean of a quantity, the share of the positive of two classes, or the commonest of more."""
    assert table.y is not None
    values = table.y[inside]
    classes = table.schema.classes
    if classes is None or len(classes) == 2:
        return {"target": float(values.mean())}
    counts = np.bincount(values, minlength=len(classes))
    return {"class": str(classes[int(counts.argmax())]), "target": float(counts.max() / len(values))}


def _rounded(known: dict[str, float]) -> dict[str, Any]:
    return {"rows": int(known["rows"]), "nats": known["nats"], "information": known["share"]}
