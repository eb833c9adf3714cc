"""The loop over candidates: asked for and fitted batch by batch, with a barrier after each.

What is decided at a barrier hangs on results alone, so that one worker or many find the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.component import fingerprint
from penstock.components.catalog import takes_weights
from penstock.components.search import Candidate, Search, default_methods
from penstock.context import Run
from penstock.jobs import Prepared
from penstock.jobs.end_hopeless import Ended
from penstock.spec.pipeline import Spec
from penstock.tasks.select_model import Fit, FoldFit, end_hopeless, fit_candidate, fit_clusters, gather
from penstock.tasks.split import Parts

Waiting = Callable[[], FoldFit]


def search_models(run: Run, spec: Spec, parts: Parts, prepared: list[Callable[[], Prepared]]) -> list[Fit]:
    """Fit each candidate on the first fold, then those that still have a chance on the others."""
    problem, metric, seed = spec.problem, spec.search.metric, spec.split.seed
    folds = len(prepared)
    search = _begin(run, spec, folds)

    def start(candidate: Candidate, fold: int) -> Waiting:
        component = fingerprint(candidate.name, problem)
        return fit_candidate.submit(
            run, candidate, component, problem, prepared[fold](), parts.folds, fold, metric, seed
        )

    fits: list[Fit] = []
    while batch := search.ask():
        firsts = _all([start(candidate, 0) for candidate in batch])
        opened = [gather(candidate, [first]) for candidate, first in zip(batch, firsts, strict=True)]
        ended: dict[int, Ended] = {}
        if spec.search.end_hopeless and folds > 1:
            best_so_far = [Fit(candidate=fit.candidate, status="finished", results=fit.results[:1]) for fit in fits]
            compared = [fit for fit in best_so_far if fit.results] + opened
            found = end_hopeless(run, compared, search.total, folds, problem, parts.folds, metric, seed)
            ended = {one.number: one for one in found or []}
        others: list[list[Waiting]] = [
            [start(fit.candidate, fold) for fold in range(1, folds)]
            if fit.status == "finished" and fit.candidate.number not in ended
            else []
            for fit in opened
        ]
        results = [
            gather(candidate, [first, *_all(rest)], ended.get(candidate.number))
            for candidate, first, rest in zip(batch, firsts, others, strict=True)
        ]
        _tell(run, search, results, folds)
        fits += results
    return fits


def search_clusterings(run: Run, spec: Spec, prepared: Prepared) -> list[Fit]:
    """Fit each candidate once, on all learning rows."""
    search = _begin(run, spec, 1)
    fits: list[Fit] = []
    while batch := search.ask():
        waiting = [
            fit_clusters.submit(run, candidate, fingerprint(candidate.name, spec.problem), prepared, spec.split.seed)
            for candidate in batch
        ]
        results = [gather(candidate, [wait()]) for candidate, wait in zip(batch, waiting, strict=True)]
        _tell(run, search, results, 1)
        fits += results
    return fits


def _begin(run: Run, spec: Spec, folds: int) -> Search:
    search = Search(
        _choices(run, spec),
        problem=spec.problem,
        strategy=spec.search.strategy,
        candidates=max(1, spec.search.fits // folds),
        batch=spec.search.batch,
        seed=spec.split.seed,
    )
    run.note({"event": "search", "candidates": search.total, "fits": search.total * folds})
    return search


def _choices(run: Run, spec: Spec) -> list[tuple[str, dict[str, Any]]]:
    """The models of the pipeline file. Of the usual ones, where it names none, those that can take its weights."""
    if spec.models or not spec.data.weighted:
        return [(choice.name, dict(choice.parameters)) for choice in spec.models]
    usual = default_methods(spec.problem)
    kept = [name for name in usual if takes_weights(name, spec.problem)]
    if len(kept) < len(usual):
        run.note({"event": "left out", "models": [name for name in usual if name not in kept], "why": "no weights"})
    return [(name, {}) for name in kept]


def _all(waiting: list[Waiting]) -> list[FoldFit]:
    return [wait() for wait in waiting]


def _tell(run: Run, search: Search, results: list[Fit], folds: int) -> None:
    for fit in results:
        event = {"event": "candidate", "label": fit.candidate.label, "status": fit.status, "reason": fit.reason}
        run.note({**event, "seconds": fit.seconds, "spared": folds - max(1, len(fit.results))})
    search.tell(results)
