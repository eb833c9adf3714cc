"""How the winner decides: what a model that can explain itself has to say."""

from __future__ import annotations

from penstock.components.explanation.models import Shown, explain, explainer_of
from penstock.components.plots.output import to_svg
from penstock.components.preprocessing.preparation import feature_names
from penstock.evidence.folds import Folds
from penstock.model import load_bundle
from penstock.problems.data import DataSplit
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Store

MAX_JUDGED = 200


@stage(worker=True, libraries=("matplotlib",))
def explain_model(store: Store, trained: Trained, data_split: DataSplit, seed: int) -> Explained:
    """Facts for the document, and pictures; both empty where the model is of a kind that cannot tell."""
    bundle = load_bundle(store.path(trained.model))
    schema, preparation = bundle.schema, bundle.pipeline[:-1]
    assert schema.target is not None
    if explainer_of(bundle.pipeline[-1]) is None:
        return Explained(facts=store.put_facts({}), figures=store.put_facts({}))
    names = [column.name for column in schema.features]
    frame = store.frame(data_split.train)[names]
    found = explain(
        Shown(
            model=bundle.pipeline[-1],
            X=preparation.transform(frame),
            y=Folds.load(store, data_split.folds).y,
            names=feature_names(preparation),
            raw=frame,
            X_test=preparation.transform(store.frame(data_split.test)[names].iloc[:MAX_JUDGED]),
            target=schema.target,
            classes=[str(name) for name in schema.classes] if schema.classes else None,
            seed=seed,
        )
    )
    if found is None:
        return Explained(facts=store.put_facts({}), figures=store.put_facts({}))
    figures = {name: to_svg(figure) for name, figure in found.figures.items()}
    return Explained(facts=store.put_facts(found.facts), figures=store.put_facts(figures))
