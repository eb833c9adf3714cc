"""Draw: the pictures of a run's scores; those of the same scores are not drawn again."""

from __future__ import annotations

from penstock.document.run import Drawn, RunDocument
from penstock.problems import find
from penstock.problems.training import Evaluation
from penstock.stage import stage
from penstock.store import Figures, Ref, Store

Curves = dict[str, dict[int, float]]
"""For each method, the score at each number of clusters."""


@stage(worker=True, asks="draw", libraries=("matplotlib",))
def draw(
    store: Store, problem: str, drawn: Drawn, evaluation: Evaluation, folds: Ref, k_curves: Curves
) -> Ref[Figures]:
    from penstock.components.plots.output import to_svg  # it draws, so it takes a while to load

    figures = find(problem).function("draw")(store, drawn, evaluation, folds, k_curves)
    return store.put_facts({name: to_svg(figure) for name, figure in figures.items()})


def drawn_from(document: RunDocument) -> Drawn:
    return Drawn(**{name: getattr(document, name) for name in Drawn.model_fields})
