"""The figures of a clustering."""

from __future__ import annotations

from matplotlib.figure import Figure

from penstock.components.plots import clustering_figures
from penstock.document.run import Drawn
from penstock.problems.training import Evaluation
from penstock.store import Ref, Store


def draw(
    store: Store, drawn: Drawn, evaluation: Evaluation, folds: Ref, k_curves: dict[str, dict[int, float]]
) -> dict[str, Figure]:
    shown = store.arrays(evaluation.pictured) if evaluation.pictured else {}
    return clustering_figures(drawn.model_dump(mode="json"), {**shown, "k_curves": k_curves})
