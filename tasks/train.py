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

SYLLABUS = ("proc_refit_rule", "proc_store_best_copy")


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
    ids = _ids(run, parts)
    card = _card(run, rows, ids, winner, name, seed)
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


@stage(job="train_clusters")
def train_clusters(
    run: Run, rows: Rows, parts: Parts, plan: Ref, suite: Suite, winner: Ref, name: str, seed: int
) -> Trained:
    """With what it takes to say of new rows how sure their cluster is, and which of them are outliers."""
    return _train_alone(run, "train_clusters", rows, parts, plan, suite, winner, name, seed)


@stage(job="train_held_out")
def train_held_out(
    run: Run, rows: Rows, parts: Parts, plan: Ref, suite: Suite, winner: Ref, name: str, seed: int
) -> Trained:
    """A reduction or a density."""
    return _train_alone(run, "train_held_out", rows, parts, plan, suite, winner, name, seed)


def _train_alone(
    run: Run, job: str, rows: Rows, parts: Parts, plan: Ref, suite: Suite, winner: Ref, name: str, seed: int
) -> Trained:
    """Without a target."""
    ids = _ids(run, parts)
    model = in_worker(
        run,
        job,
        plan=plan,
        learning=parts.learning,
        winner=winner,
        schema_=rows.schema_,
        contract=suite.contract,
        card=_card(run, rows, ids, winner, name, seed),
        seed=seed,
    )
    return Trained(model=Ref(**model), ids=ids)


def _ids(run: Run, parts: Parts) -> Ref:
    return run.store.put_frame(run.store.frame(parts.learning, columns=[ROW_ID]))


def _card(run: Run, rows: Rows, ids: Ref, winner: Ref, name: str, seed: int) -> dict[str, Any]:
    chosen = run.store.facts(winner)
    return {
        "pipeline": name,
        "method": chosen["name"],
        "parameters": chosen["parameters"],
        **({"preparation": chosen["preparation"]} if "preparation" in chosen else {}),
        "seed": seed,
        "data": rows.frame.digest,
        "trained_on": ids.digest,
    }
