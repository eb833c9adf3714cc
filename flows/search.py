"""The loop over candidates: asked for and fitted batch by batch, with a barrier after each.

What is decided at a barrier hangs on results alone, so that one worker or many find the same.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from penstock.component import fingerprint
from penstock.components.catalog import takes_weights
from penstock.components.evaluation.simplicity import declared
from penstock.components.search import CLUSTERS, Candidate, Search, Trial, default_methods, make_search
from penstock.context import Run
from penstock.errors import PenstockError, UsageError
from penstock.flows.preparations import Preparations, searched_treatments
from penstock.jobs import Prepared, Selection
from penstock.jobs.end_hopeless import Ended
from penstock.spec.pipeline import Spec
from penstock.store import Ref
from penstock.tasks.held_out import fit_held_out
from penstock.tasks.select_model import (
    Fit,
    FoldFit,
    choose_winner,
    end_hopeless,
    fit_candidate,
    fit_clusters,
    gather,
    not_prepared,
    require_feasible,
)
from penstock.tasks.split import Parts

FEWEST_GROUPS = 2
Waiting = Callable[[], FoldFit]


def search_models(run: Run, spec: Spec, parts: Parts, preparations: Preparations) -> list[Fit]:
    """Fit the candidates of each batch on the first fold, then those that still have a chance on the others."""
    problem, metric, seed = spec.problem, spec.search.metric, spec.split.seed
    folds = preparations.folds
    search = _begin(run, spec, folds)
    _require_members(spec, search)

    @cache
    def component(name: str) -> dict[str, Any]:
        return fingerprint(name, problem)

    def start(trial: Trial, fold: int) -> Waiting:
        candidate = trial.candidate
        try:
            matrices = preparations.begin(candidate.preparation, fold)()
        except PenstockError as error:
            if not candidate.preparation:
                raise
            unprepared = not_prepared(error)
            return lambda: unprepared
        return fit_candidate.submit(
            run, candidate, component(candidate.name), problem, matrices, parts.folds, fold, trial.share, metric, seed
        )

    def hopeless(opened: list[Fit]) -> dict[int, Ended]:
        before = [Fit(candidate=fit.candidate, status="finished", results=fit.results[:1]) for fit in raced]
        compared = [fit for fit in before if fit.results] + opened
        found = end_hopeless(run, compared, search.total, problem, parts.folds, metric, seed)
        return {one.number: one for one in found or []}

    fits: dict[int, Fit] = {}
    raced: list[Fit] = []
    while batch := search.ask():
        _begin_preparing(preparations, batch, [0])
        firsts = _all([start(trial, 0) for trial in batch])
        opened = [gather(trial.candidate, [first]) for trial, first in zip(batch, firsts, strict=True)]
        whole = all(trial.share == 1 for trial in batch)
        ended = hopeless(opened) if spec.search.end_hopeless and folds > 1 and whole else {}
        going = [fit.status == "finished" and fit.candidate.number not in ended for fit in opened]
        _begin_preparing(preparations, itertools.compress(batch, going), range(1, folds))
        others: list[list[Waiting]] = [
            [start(trial, fold) for fold in range(1, folds)] if goes else []
            for trial, goes in zip(batch, going, strict=True)
        ]
        results = [
            gather(trial.candidate, [first, *_all(rest)], ended.get(trial.candidate.number), trial.share)
            for trial, first, rest in zip(batch, firsts, others, strict=True)
        ]
        _tell(run, search, results, folds)
        fits |= {fit.candidate.number: fit for fit in results}
        raced += results if whole else []
        if not search.foreseen and _only_planned(results):
            _say_what_may_follow(run, spec, search)
            break
    return list(fits.values())


def select_winner(run: Run, spec: Spec, fits: list[Fit], parts: Parts, metric: str | None) -> Selection:
    """By the rule of the pipeline file, ensembles among the candidates."""
    rule, ensembles = spec.search.rule, [*dict.fromkeys(map(str, spec.search.ensembles))]
    simplicity = declared(fit.candidate.name for fit in fits) if rule == "one-standard-error" else {}
    return choose_winner(run, fits, spec.problem, parts.folds, metric, rule, simplicity, ensembles, spec.split.seed)


def search_clusterings(run: Run, spec: Spec, prepared: Prepared) -> list[Fit]:
    """Fit each candidate once, on all learning rows."""
    search = _begin(run, spec, 1)
    fits: list[Fit] = []
    while batch := search.ask():
        results = _fit_clusterings(run, spec, prepared, [trial.candidate for trial in batch])
        _tell(run, search, results, 1)
        fits += results
    return fits


def search_held_out(run: Run, spec: Spec, preparations: Preparations) -> list[Fit]:
    """Fit the reductions or densities of each batch on all folds."""
    folds = preparations.all_folds()
    search = _begin(run, spec, len(folds))
    fits: dict[int, Fit] = {}
    while batch := search.ask():
        waiting = [
            [
                fit_held_out.submit(
                    run,
                    trial.candidate,
                    fingerprint(trial.candidate.name, spec.problem),
                    spec.problem,
                    prepared,
                    fold,
                    trial.share,
                    spec.split.seed,
                )
                for fold, prepared in enumerate(folds)
            ]
            for trial in batch
        ]
        results = [
            gather(trial.candidate, _all(of_folds), share=trial.share)
            for trial, of_folds in zip(batch, waiting, strict=True)
        ]
        _tell(run, search, results, len(folds))
        fits |= {fit.candidate.number: fit for fit in results}
        if not search.foreseen and _only_planned(results):
            _say_what_may_follow(run, spec, search)
            break
    return list(fits.values())


def fit_chosen(run: Run, spec: Spec, prepared: Prepared, chosen: Ref) -> list[Fit]:
    """The method that the rows decided on; after it, to see whether they agree, two others with as many clusters."""
    if chosen.kind == "pending":
        return []
    choice = run.store.facts(chosen)
    if choice["clusters"] < FEWEST_GROUPS:
        return []
    beside = [name for name in default_methods(spec.problem) if name != choice["method"]]
    asked = [(choice["method"], choice["parameters"]), *((name, {CLUSTERS: choice["clusters"]}) for name in beside)]
    candidates = [Candidate(name=name, parameters=given, number=number) for number, (name, given) in enumerate(asked)]
    fits = _fit_clusterings(run, spec, prepared, candidates)
    for fit in fits:
        run.note(_about(fit))
    return fits


def _fit_clusterings(run: Run, spec: Spec, prepared: Prepared, candidates: list[Candidate]) -> list[Fit]:
    require_feasible(run, prepared, candidates)
    waiting = [
        fit_clusters.submit(run, one, fingerprint(one.name, spec.problem), prepared, spec.split.seed)
        for one in candidates
    ]
    return [gather(one, [wait()]) for one, wait in zip(candidates, waiting, strict=True)]


def _begin_preparing(preparations: Preparations, trials: Iterable[Trial], folds: Sequence[int]) -> None:
    """All that the trials need, before any of it is waited for."""
    for trial, fold in itertools.product(trials, folds):
        preparations.begin(trial.candidate.preparation, fold)


def _only_planned(fits: list[Fit]) -> bool:
    return any(result.kind == "pending" for fit in fits for result in fit.results)


def _say_what_may_follow(run: Run, spec: Spec, search: Search) -> None:
    known = {
        "halving": "the first round is listed; its scores decide who goes on to more rows",
        "tpe": f"the first batch of {spec.search.batch} is listed; what follows hangs on its scores",
    }
    reason = f"up to {search.total} candidates: {known[spec.search.strategy]}"
    run.note({"event": "stage", "stage": "search", "state": "would go on", "reason": reason, "seconds": 0.0})


def _begin(run: Run, spec: Spec, folds: int) -> Search:
    search = make_search(
        _choices(run, spec),
        problem=spec.problem,
        strategy=spec.search.strategy,
        candidates=max(1, spec.search.fits // folds),
        batch=spec.search.batch,
        seed=spec.split.seed,
        treatments=searched_treatments(spec),
    )
    run.note({"event": "search", "candidates": search.total, "fits": search.total * folds})
    return search


def _require_members(spec: Spec, search: Search) -> None:
    """An ensemble has two members at least, and the baseline is none."""
    if spec.search.ensembles and search.total < 3:
        raise UsageError(
            "PEN042",
            f"an ensemble needs two candidates beside the baseline, and this search has {search.total - 1}",
            where="search.ensembles",
            remedy="name another model, list more values of a parameter, raise search.fits, or leave out ensembles",
        )


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
        run.note({**_about(fit), "spared": folds - max(1, len(fit.results))})
    search.tell([_score(run, fit, folds) for fit in results])


def _about(fit: Fit) -> dict[str, Any]:
    about = {"event": "candidate", "label": fit.candidate.label, "status": fit.status, "reason": fit.reason}
    return {**about, "seconds": fit.seconds, "spared": 0}


def _score(run: Run, fit: Fit, folds: int) -> float | None:
    """The mean over the folds that define the metric; None of a candidate that failed, or is only planned."""
    if _only_planned([fit]):
        return None
    if fit.status == "ended" and len(fit.results) < folds:
        return None  # the score of one fold is not to be compared with means over all
    scores = [score for result in fit.results if (score := run.store.facts(result).get("score")) is not None]
    return statistics.fmean(scores) if scores else None
