"""Evaluate: the model on rows that it never saw, once per winner."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.components.schema import ROW_ID
from penstock.components.splitting import refuse_overlap
from penstock.context import Run
from penstock.store import Ref, Store
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.train import Trained
from penstock.tasks.work import in_worker

SYLLABUS = ("proc_test_isolation",)


class Evaluation(BaseModel):
    """The scores with their intervals, and what the plots are drawn from."""

    scores: Ref
    arrays: Ref


@stage(job="evaluate_model")
def evaluate(run: Run, trained: Trained, parts: Parts, metric: str | None, also: list[str], seed: int) -> Evaluation:
    _refuse_seen_rows(run.store, trained, parts)
    arguments = {
        "model": trained.model,
        "rows": parts.test,
        "learning": parts.learning,
        "metrics": [*([metric] if metric else []), *also],
        "seed": seed,
    }
    scores, arrays = in_worker(run, "evaluate_model", **arguments)
    count_winner(run.store, parts.test, trained.model)
    return Evaluation(scores=Ref(**scores), arrays=Ref(**arrays))


@stage(job="evaluate_held_out")
def evaluate_held_out(run: Run, trained: Trained, parts: Parts, seed: int) -> Evaluation:
    """A reduction or a density."""
    _refuse_seen_rows(run.store, trained, parts)
    arguments = {"model": trained.model, "rows": parts.test, "learning": parts.learning, "seed": seed}
    scores, arrays = in_worker(run, "evaluate_held_out", **arguments)
    count_winner(run.store, parts.test, trained.model)
    return Evaluation(scores=Ref(**scores), arrays=Ref(**arrays))


@stage(job="evaluate_clusters")
def evaluate_clusters(run: Run, trained: Trained, parts: Parts, evidence: Ref, seed: int) -> Evaluation:
    _refuse_seen_rows(run.store, trained, parts)
    arguments = {"model": trained.model, "rows": parts.test, "evidence": evidence, "seed": seed}
    scores, arrays = in_worker(run, "evaluate_clusters", **arguments)
    count_winner(run.store, parts.test, trained.model)
    return Evaluation(scores=Ref(**scores), arrays=Ref(**arrays))


def count_winner(store: Store, test: Ref, model: Ref) -> None:
    """Remember that these test rows have judged this model; the more winners they judge, the less they prove.

    A file for each, so that homes that share a store take nothing from each other's count.
    """
    store.write(f"{_judged(test)}/{model.digest}", model.uri.encode())


def winners_judged(store: Store, test: Ref) -> list[str]:
    return store.names(_judged(test))


def _judged(test: Ref) -> str:
    return f"judged/{test.digest}"


def _refuse_seen_rows(store: Store, trained: Trained, parts: Parts) -> None:
    refuse_overlap(store.frame(trained.ids)[ROW_ID], store.frame(parts.test, columns=[ROW_ID])[ROW_ID])
