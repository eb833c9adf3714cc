"""How the winner decides: what a model that can explain itself has to say."""

from __future__ import annotations

from penstock.components.explanation.models import Shown, tell, teller_of
from penstock.components.plots.output import to_svg
from penstock.components.preprocessing.preparation import feature_names
from penstock.jobs import Progress
from penstock.model import load_bundle
from penstock.store import Ref, Store

MOST_JUDGED = 200


def work(
    store: Store, progress: Progress, model: Ref, learning: Ref, test: Ref, folds: Ref, seed: int
) -> tuple[Ref, Ref]:
    """Facts for the document, and pictures; both empty where the model is of a kind that cannot tell."""
    bundle = load_bundle(store.path(model))
    schema, preparation = bundle.schema, bundle.pipeline[:-1]
    assert schema.target is not None
    if teller_of(bundle.pipeline[-1]) is None:
        return store.put_facts({}), store.put_facts({})
    names = [column.name for column in schema.features]
    frame = store.frame(learning)[names]
    told = tell(
        Shown(
            model=bundle.pipeline[-1],
            X=preparation.transform(frame),
            y=store.arrays(folds)["y"],
            names=feature_names(preparation),
            raw=frame,
            judged=preparation.transform(store.frame(test)[names].iloc[:MOST_JUDGED]),
            target=schema.target,
            classes=[str(name) for name in schema.classes] if schema.classes else None,
            seed=seed,
        )
    )
    if told is None:
        return store.put_facts({}), store.put_facts({})
    figures = {name: to_svg(figure) for name, figure in told.figures.items()}
    return store.put_facts(told.facts), store.put_facts(figures)
