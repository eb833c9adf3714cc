"""How often each feature was chosen: in how many folds, and for the model that ships."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Selected = Mapping[str, Sequence[str]]


def chosen_often(folds: Sequence[Selected], final: Selected) -> dict[str, Any]:
    """Every feature that was offered, those chosen most often first.

    `folds` and `final`: names that were `offered` to the selector and those it `kept`. `stability` is Nogueira's
    measure over the folds: 1 where all chose the same, about 0 where they chose as if at random; None where there are
    too few.
    """
    kept = Counter(name for fold in folds for name in fold["kept"])
    offered = Counter(name for fold in folds for name in fold["offered"])
    names = dict.fromkeys([*final["offered"], *offered])
    in_final = set(final["kept"])
    rows: list[dict[str, Any]] = [
        {
            "feature": name,
            "chosen": kept[name],
            "offered": offered[name],
            "share": kept[name] / len(folds) if folds else 0.0,
            "final": name in in_final,
        }
        for name in names
    ]
    rows.sort(key=lambda row: (-row["chosen"], not row["final"]))
    return {
        "folds": len(folds),
        "offered": len(names),
        "kept": [len(fold["kept"]) for fold in folds],
        "final": len(in_final),
        "stability": _stability([kept[name] for name in names], len(folds)),
        "features": rows,
    }


def _stability(chosen: Sequence[int], folds: int) -> float | None:
    """One minus the mean variance of "is it chosen", over what choosing as many at random would have."""
    share = sum(chosen) / (len(chosen) * folds) if chosen and folds else 0.0
    if folds < 2 or not 0 < share < 1:
        return None
    spread = sum(count / folds * (1 - count / folds) for count in chosen) * folds / (folds - 1) / len(chosen)
    return 1 - spread / (share * (1 - share))
