"""Draw: the pictures of a run's scores; those of the same scores are not drawn again."""

from __future__ import annotations

from typing import Any

from penstock.problems import find
from penstock.problems.training import Evaluation
from penstock.stage import stage
from penstock.store import Ref, Store

SHOWN = ("problem", "data", "metric", "metrics", "winner", "candidates", "clusters", "decision")


@stage(worker=True, asks="draw", libraries=("matplotlib",))
def draw(
    store: Store, problem: str, document: dict[str, Any], evaluation: Evaluation, folds: Ref, k_curves: dict[str, Any]
) -> Ref:
    """SVG text by name."""
    from penstock.components.plots.output import to_svg  # it draws, so it takes a while to load

    figures = find(problem).function("draw")(store, document, evaluation, folds, k_curves)
    return store.put_facts({name: to_svg(figure) for name, figure in figures.items()})


def shown_in_pictures(document: dict[str, Any]) -> dict[str, Any]:
    """Those parts of the run document that pictures are made of: not how long a fit took, nor how rows were read."""
    candidates = [{**candidate, "seconds": None} for candidate in document["candidates"]]
    data = {**document["data"], "reading": None}
    return {name: document[name] for name in SHOWN} | {"candidates": candidates, "data": data}
