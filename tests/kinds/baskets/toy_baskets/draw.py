"""The figures of the kind `baskets`."""

from __future__ import annotations

from matplotlib.figure import Figure

from penstock.components.plots.overview import missing_figure
from penstock.document.run import Drawn
from penstock.problems.training import Evaluation
from penstock.store import Ref, Store


def draw(
    store: Store, drawn: Drawn, evaluation: Evaluation, folds: Ref, k_curves: dict[str, dict[int, float]]
) -> dict[str, Figure]:
    return missing_figure(drawn.model_dump(mode="json"))
