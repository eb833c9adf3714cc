"""Find the candidates that one fold shows to have no chance of winning."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.components.catalog import Problem
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.evaluation.racing import Gap, hopeless
from penstock.jobs import Fitted, Progress
from penstock.store import Ref, Store


class Ended(BaseModel):
    """A candidate that is not worth further fits, the one it lost to, and by how much."""

    number: int
    leader: str
    gap: Gap


def work(
    store: Store,
    progress: Progress,
    fits: list[Fitted],
    candidates: int,
    problem: Problem,
    folds: Ref,
    metric_name: str | None,
    seed: int,
) -> list[Ended]:
    """`fits`: on the first fold. `candidates`: how many the whole search compares."""
    arrays = store.arrays(folds)
    if "ordered" in arrays:
        return []  # the first fold in time has the fewest rows to learn from: it tells little of the later ones
    valid, n_classes = arrays["valid_0"], int(arrays["n_classes"])
    judge = metric(metric_name or default_metric(problem, n_classes), problem, n_classes)
    predictions = [store.arrays(Ref(**store.facts(fit.results[0])["predictions"]))["prediction"] for fit in fits]
    leader, gaps = hopeless(
        judge,
        arrays["y"][valid],
        predictions,
        groups=arrays["groups"][valid] if "groups" in arrays else None,
        weight=arrays["weight"][valid] if "weight" in arrays else None,
        seed=seed,
        candidates=candidates,
        judged_to_taught=len(valid) / len(arrays["train_0"]),
    )
    best = fits[leader].candidate.label
    return [Ended(number=fits[position].candidate.number, leader=best, gap=gap) for position, gap in gaps.items()]
