"""The figures of a clustering."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from penstock.components.plots import clustering_figures
from penstock.problems.training import Evaluation
from penstock.store import Ref, Store


def draw(
    store: Store, document: dict[str, Any], evaluation: Evaluation, folds: Ref, k_curves: dict[str, Any]
) -> dict[str, Figure]:
    curves = {method: {int(k): score for k, score in curve.items()} for method, curve in k_curves.items()}
    shown = store.arrays(evaluation.pictured) if evaluation.pictured else {}
    return clustering_figures(document, {**shown, "k_curves": curves})
