"""Whether the decisions of a classifier treat the groups of a column alike, by fairlearn's measures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.intervals import Floats, resampled
from penstock.components.evaluation.unseen import effective_units, unseen_share
from penstock.errors import UsageError

Array = np.ndarray[Any, Any]

RESAMPLES = 500
CONFIDENCE = 0.95
DIFFERENCES = ("demographic_parity", "equalised_odds")


def require_two_classes(columns: list[str], n_classes: int) -> None:
    if columns and n_classes != 2:
        raise UsageError(
            "PEN045",
            f"fairness differences are of decisions for or against, which a model of {n_classes} classes does not make",
            where="evaluation.fairness",
            remedy="name the columns under evaluation.slices instead: scores by group are defined for every problem",
        )


def fairness(
    y: Array,
    decision: Array,
    names: pd.Series[Any],
    *,
    groups: Array | None = None,
    weight: Array | None = None,
    seed: int,
) -> dict[str, Any]:
    """How often each group is decided for, and how far apart the groups are at most; rows count by their weight.

    Demographic parity: shares decided for. Equalised odds: the larger of the differences in shares of the positive
    and of the negative rows decided for. A difference is never below zero, so even fair decisions show one:
    `random_level` is what 95 of 100 random assignments of rows (or of groups of rows, where they share it) stay below,
    and `beyond` says that it is exceeded. Where no resample shows a difference, the interval reaches to what so few
    rows would miss.
    """
    from fairlearn.metrics import MetricFrame, false_positive_rate, selection_rate, true_positive_rate

    if weight is not None and not weight.all():  # a row without weight is none
        kept = weight > 0
        y, decision, names, weight = y[kept], decision[kept], names[kept], weight[kept]
        groups = None if groups is None else groups[kept]
    measures = {"selected": selection_rate, "found": true_positive_rate, "false_alarms": false_positive_rate}
    weights = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)
    by_group = MetricFrame(
        metrics=measures,
        y_true=y,
        y_pred=decision,
        sensitive_features=names,
        sample_params={measure: {"sample_weight": weights} for measure in measures},
    ).by_group
    counts = names.value_counts()
    codes = by_group.index.get_indexer(names)
    values = dict(zip(DIFFERENCES, _differences(y, decision, codes, weights), strict=True))
    rng = np.random.default_rng(seed)
    resamples = (drawn * weights for block in resampled(len(y), groups, seed, RESAMPLES) for drawn in block)
    drawn = np.array([_differences(y, decision, codes, counted) for counted in resamples])
    shuffled = [_differences(y, decision, _assigned(codes, groups, rng), weights) for _ in range(RESAMPLES)]
    random_level = np.quantile(shuffled, 0.95, axis=0)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    missed = [_missed(cells, groups, weights) for cells in (codes, 2 * codes + y)]
    high = np.where(np.ptp(drawn, axis=0) > 0, high, np.minimum(1.0, high + missed))
    told = {
        measure: {
            "value": value,
            "low": float(low[place]),
            "high": float(high[place]),
            "confidence": CONFIDENCE,
            "random_level": float(random_level[place]),
            "beyond": value > float(random_level[place]),
        }
        for place, (measure, value) in enumerate(values.items())
    }
    of_groups = [
        {"group": str(name), "rows": int(counts[name]), **{key: float(rate) for key, rate in rates.items()}}
        for name, rates in by_group.iterrows()
    ]
    return {"groups": of_groups, **told}


def _assigned(codes: Array, groups: Array | None, rng: np.random.Generator) -> Array:
    """The codes dealt out anew: to rows, or to groups of rows where all rows of a group have the same."""
    if groups is None:
        return rng.permutation(codes)
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    if not np.array_equal(codes, codes[first][group]):
        return rng.permutation(codes)
    return rng.permutation(codes[first])[group]


def _missed(cells: Array, groups: Array | None, weights: Floats) -> float:
    """The share of the smallest cell that could be decided otherwise without these rows showing it."""
    parts = [cells == cell for cell in np.unique(cells)]
    units = [
        effective_units(int(part.sum()), None if groups is None else groups[part], weights[part]) for part in parts
    ]
    return unseen_share(min(units), CONFIDENCE)


def _differences(y: Array, decision: Array, codes: Array, weights: Floats) -> tuple[float, float]:
    """Both measures as fairlearn has them, a hundred times quicker: a group without such rows does not count."""
    counts = np.bincount(2 * codes + y, weights, minlength=2 * (codes.max() + 1)).reshape(-1, 2)
    chosen = np.bincount(2 * codes + y, weights * decision, minlength=counts.size).reshape(-1, 2)

    def widest(selected: Array, of: Array) -> float:
        rates = selected[of > 0] / of[of > 0]
        return float(np.ptp(rates)) if len(rates) else 0.0

    of_all = widest(chosen.sum(axis=1), counts.sum(axis=1))
    return of_all, max(widest(chosen[:, code], counts[:, code]) for code in (0, 1))
