"""The figures of a clustering."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from penstock.components.plots import clustering_figures
from penstock.store import Ref, Store


def draw(
    store: Store, document: dict[str, Any], arrays: Ref, folds: Ref, k_curves: dict[str, Any]
) -> dict[str, Figure]:
    curves = {method: {int(k): score for k, score in curve.items()} for method, curve in k_curves.items()}
    return clustering_figures(document, {**store.arrays(arrays), "k_curves": curves})
