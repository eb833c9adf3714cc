"""Evaluate: the model on rows that it never saw, once per winner."""

from __future__ import annotations

from penstock.components.schema import ROW_ID
from penstock.components.splitting import refuse_overlap
from penstock.problems import find
from penstock.problems.training import Evaluated, EvaluateRequest, Evaluation
from penstock.stage import stage
from penstock.store import Ref, Store, is_digest


@stage(worker=True, asks="evaluate")
def evaluate(store: Store, problem: str, request: EvaluateRequest) -> Evaluation:
    """Scores with intervals, on the test rows alone."""
    given = request.load(store)
    refuse_overlap(store.frame(request.trained.ids)[ROW_ID], given.test.ids.drop_duplicates())
    evaluated: Evaluated = find(problem).function("evaluate")(given)
    if find(problem).sets_apart:
        count_winner(store, request.data_split.test, request.trained.model)
    return evaluated.save(store)


def count_winner(store: Store, test: Ref, model: Ref) -> None:
    """Remember that these test rows have evaluated this model; the more winners they evaluate, the less they prove.

    A file for each, so that homes that share a store take nothing from each other's count.
    """
    store.write(f"{_judged(test)}/{model.digest}", model.digest.encode())


def winners_evaluated(store: Store, test: Ref) -> list[str]:
    return [name for name in store.names(_judged(test)) if is_digest(name)]


def _judged(test: Ref) -> str:
    return f"evaluated/{test.digest}"
