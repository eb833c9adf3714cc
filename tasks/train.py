"""Train: refit the winner on all learning rows; this is the model that ships."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from penstock.components.schema import ROW_ID
from penstock.context import Run
from penstock.store import Ref
from penstock.tasks.decide import Decided
from penstock.tasks.ingest import Rows
from penstock.tasks.learn_suite import Suite
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker

SYLLABUS = ("proc_refit_rule",)


class Trained(BaseModel):
    """The model file, and the identities of the rows it learnt from."""

    model: Ref
    ids: Ref


@stage(job="train_model")
def train(
    run: Run,
    rows: Rows,
    parts: Parts,
    plan: Ref,
    suite: Suite,
    winner: Ref,
    name: str,
    seed: int,
    decided: Decided | None = None,
    metric: str | None = None,
) -> Trained:
    """`metric`: what decided; it goes with the model where costs are part of it."""
    store = run.store
    ids = store.put_frame(store.frame(parts.learning, columns=[ROW_ID]))
    chosen = store.facts(winner)
    card: dict[str, Any] = {
        "pipeline": name,
        "method": chosen["name"],
        "parameters": chosen["parameters"],
        **({"preparation": chosen["preparation"]} if "preparation" in chosen else {}),
        "seed": seed,
        "data": rows.frame.digest,
        "trained_on": ids.digest,
    }
    if decided:
        card["objective"] = metric
    model = in_worker(
        run,
        "train_model",
        plan=plan,
        learning=parts.learning,
        folds=parts.folds,
        winner=winner,
        schema_=rows.schema_,
        contract=suite.contract,
        card=card,
        seed=seed,
        rule=decided.rule if decided else None,
    )
    return Trained(model=Ref(**model), ids=ids)
