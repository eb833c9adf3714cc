"""Draw the plots of a run."""

from __future__ import annotations

from typing import Any

from penstock.components.plots import clustering_figures, supervised_figures, to_svg
from penstock.components.plots.flow import flow_figure
from penstock.components.plots.overview import candidate_figure, missing_figure
from penstock.components.plots.partition import class_shares_figure, partition_figure
from penstock.jobs import Progress
from penstock.store import Ref, Store


def work(
    store: Store, progress: Progress, document: dict[str, Any], arrays: Ref, folds: Ref, k_curves: dict[str, Any]
) -> Ref:
    """SVG text by name."""
    kept: dict[str, Any] = store.arrays(arrays)
    if document["problem"] == "clustering":
        curves = {method: {int(k): score for k, score in curve.items()} for method, curve in k_curves.items()}
        figures = clustering_figures(document, {**kept, "k_curves": curves})
    elif document["problem"] in ("reduction", "density"):
        figures = candidate_figure(document) | missing_figure(document)
    else:
        parts = store.arrays(folds)
        kept["learning_y"] = parts["y"]
        if document["problem"] == "classification":
            kept["proba"] = kept.pop("prediction")
        figures = supervised_figures(document, kept) | partition_figure(document["data"], parts)
        figures |= class_shares_figure(document["data"], parts, kept["y"]) | flow_figure(document)
    return store.put_facts({name: to_svg(figure) for name, figure in figures.items()})
