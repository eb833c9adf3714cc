"""Train: refit the winner on all training rows; this is the model that ships."""

from __future__ import annotations

import platform

from penstock.actions.codedigest import code_digests
from penstock.actions.component import code_within, of_plugins
from penstock.components.schema import ROW_ID
from penstock.model import PLUGINS, save_bundle
from penstock.model_file.holding import own_modules, types_in
from penstock.problems import find
from penstock.problems.selection import Winner
from penstock.problems.training import Trained, TrainedModel, TrainRequest
from penstock.stage import stage
from penstock.store import Ref, Store


@stage(worker=True, asks="train")
def train(store: Store, problem: str, request: TrainRequest) -> Trained:
    """The model file, with a card that says how it was made, and the identities of the units that it was fitted to."""
    given = request.load(store)
    ids = store.put_frame(given.training.ids.drop_duplicates().rename(ROW_ID).reset_index(drop=True).to_frame())
    plugins = of_plugins(code_within(store, request.plan, request.winner))
    made: TrainedModel = find(problem).function("train")(given)
    model = save_bundle(
        store,
        pipeline=made.pipeline,
        schema=given.schema,
        contract=store.facts(request.suite.contract),
        card={**_card(request, given.winner, ids, plugins), **made.card},
        assigner=made.assigner,
    )
    predictions = find(problem).predictions.partition(":")[0]
    modules = (predictions, *own_modules(types_in(store.path(model))))
    return Trained(model=model, ids=ids, code=code_digests(modules, store))


def _card(request: TrainRequest, winner: Winner, ids: Ref, plugins: dict[str, str]) -> dict[str, object]:
    return {
        "pipeline": request.name,
        "method": winner.name,
        "parameters": winner.parameters,
        **({"preparation": winner.preparation} if winner.preparation else {}),
        "seed": request.seed,
        "data": request.rows.digest,
        "trained_on": ids.digest,
        **({PLUGINS: {"python": platform.python_version(), "code": plugins}} if plugins else {}),
        **({"objective": request.objective} if request.rule else {}),
    }
