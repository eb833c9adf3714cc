"""The figures of the kind `baskets`."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from penstock.components.plots.overview import missing_figure
from penstock.problems.training import Evaluation
from penstock.store import Ref, Store


def draw(
    store: Store, document: dict[str, Any], evaluation: Evaluation, folds: Ref, k_curves: dict[str, Any]
) -> dict[str, Figure]:
    return missing_figure(document)
