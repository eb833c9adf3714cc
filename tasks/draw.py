"""Draw: the pictures of a run's scores; those of the same scores are not drawn again."""

from __future__ import annotations

from typing import Any

from penstock.context import Run
from penstock.store import Ref
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker

SHOWN = ("problem", "data", "metric", "metrics", "winner", "candidates", "clusters", "decision")


@stage(job="draw_figures", libraries=("matplotlib",))
def draw(run: Run, document: dict[str, Any], arrays: Ref, folds: Ref, k_curves: dict[str, Any]) -> Ref:
    """SVG text by name."""
    return Ref(**in_worker(run, "draw_figures", document=document, arrays=arrays, folds=folds, k_curves=k_curves))


def shown_in_pictures(document: dict[str, Any]) -> dict[str, Any]:
    """Those parts of the run document that pictures are made of: not how long a fit took, nor how rows were read."""
    candidates = [{**candidate, "seconds": None} for candidate in document["candidates"]]
    data = {**document["data"], "reading": None}
    return {name: document[name] for name in SHOWN} | {"candidates": candidates, "data": data}
