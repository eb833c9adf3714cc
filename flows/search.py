"""The loop over candidates: asked for and fitted batch by batch, with a barrier after each.

What is decided at a barrier hangs on results alone, so that one worker or many find the same.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from penstock.actions.component import Fingerprint, fingerprint, fingerprints
from penstock.components.evaluation.one_standard_error import declared
from penstock.components.search import Candidate, Search, Trial, make_search, require_members
from penstock.context import Run
from penstock.errors import PenstockError
from penstock.flows.preparations import Preparations
from penstock.problems import find
from penstock.problems.data import DataSplit, unit_column
from penstock.problems.fits import Fit, FitRequest, FitSettings, FoldFit
from penstock.problems.selection import (
    Ended,
    PruneRequest,
    PruneSettings,
    Selection,
    SelectRequest,
    SelectSettings,
)
from penstock.spec.pipeline import Spec
from penstock.spec.searched import preparation_space, searched_methods
from penstock.stage import known
from penstock.store import Ref
from penstock.tasks.check import check_candidates
from penstock.tasks.fit import fit, gather, not_prepared
from penstock.tasks.prune import prune
from penstock.tasks.select import select

Waiting = Callable[[], FoldFit]


def search_models(run: Run, spec: Spec, data_split: DataSplit, preparations: Preparations) -> list[Fit]:
    """Fit the candidates of each batch on the first fold, then those that are not pruned on the others."""
    folds = preparations.folds
    search = _begin(run, spec, folds)
    if spec.search.ensembles:
        require_members(search.total)
    start = starter(run, spec, data_split, preparations)
    prunes = find(spec.problem).brings("prune") and spec.search.prune and folds > 1
    fits: dict[int, Fit] = {}
    compared: list[Fit] = []
    while batch := search.ask():
        check_candidates(run, spec.problem, preparations.first, [trial.candidate for trial in batch])
        _begin_preparing(preparations, batch, [0])
        firsts = _all([start(trial, 0) for trial in batch])
        opened = [gather(trial.candidate, [first]) for trial, first in zip(batch, firsts, strict=True)]
        whole = all(trial.share == 1 for trial in batch)
        ended = _pruned(run, spec, data_split, search, compared, opened) if prunes and whole else {}
        going = [one.status == "finished" and one.candidate.number not in ended for one in opened]
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
        fits |= {one.candidate.number: one for one in results}
        compared += results if whole else []
        if not search.foreseen and not known(run, results):
            _say_what_may_follow(run, spec, search)
            break
    return list(fits.values())


def starter(run: Run, spec: Spec, data_split: DataSplit, preparations: Preparations) -> Callable[[Trial, int], Waiting]:
    """What begins a fit: of a candidate on a fold."""
    unit = unit_column(spec.problem, spec.data.named("group"))

    @cache
    def component(name: str) -> Fingerprint:
        return fingerprint(name, spec.problem, run.store)

    def start(trial: Trial, fold: int) -> Waiting:
        candidate = trial.candidate
        settings = FitSettings(
            candidate=candidate, fold=fold, share=trial.share, metric=spec.search.metric, seed=spec.split.seed
        )
        request = FitRequest(settings=settings, folds=data_split.folds)
        if not preparations.prepares:
            return begin(request.model_copy(update={"training": data_split.training(unit)}))
        try:
            prepared = preparations.begin(candidate.preparation, fold)()
        except PenstockError as error:
            if not candidate.preparation:
                raise
            unprepared = not_prepared(error)
            return lambda: unprepared
        return begin(request.model_copy(update={"prepared": prepared}))

    def begin(request: FitRequest) -> Waiting:
        candidate = request.settings.candidate
        return fit.submit(run, spec.problem, request, component(candidate.name))

    return start


def _pruned(
    run: Run, spec: Spec, data_split: DataSplit, search: Search, compared: list[Fit], opened: list[Fit]
) -> dict[int, Ended]:
    before = [Fit(candidate=one.candidate, status="finished", results=one.results[:1]) for one in compared]
    settings = PruneSettings(candidates=search.total, metric=spec.search.metric, seed=spec.split.seed)
    fits = [one for one in before if one.results] + opened
    request = PruneRequest(settings=settings, fits=fits, folds=data_split.folds)
    return {one.number: one for one in prune(run, spec.problem, request) or []}


def select_winner(
    run: Run, spec: Spec, fits: list[Fit], data_split: DataSplit, metric: str | None = None, **found: Ref
) -> Selection:
    """By the rule of the pipeline file, ensembles among them. `found`: what stages of this kind alone have found."""
    rule, problem = spec.search.rule, find(spec.problem)
    names = [one.candidate.name for one in fits]
    settings = SelectSettings(
        metric=metric,
        rule=rule,
        simplicity=declared(names) if rule == "one-standard-error" else {},
        ensembles=[*dict.fromkeys(spec.search.ensembles)],
        components=fingerprints([*names, *problem.fallbacks], spec.problem, run.store),
        seed=spec.split.seed,
    )
    request = SelectRequest(settings=settings, fits=fits, folds=data_split.folds, found=found)
    return select(run, spec.problem, request)


def fit_suggested(
    run: Run, spec: Spec, data_split: DataSplit, preparations: Preparations, choice: Ref[Any]
) -> list[Fit]:
    """The candidates that the data suggest, where the pipeline file leaves the method to them."""
    if not known(run, choice):
        return []
    candidates: list[Candidate] = find(spec.problem).function("suggested")(run.store, choice)
    check_candidates(run, spec.problem, preparations.first, candidates)
    start = starter(run, spec, data_split, preparations)
    waiting = [start(Trial(one), 0) for one in candidates]
    fits = [gather(one, [wait()]) for one, wait in zip(candidates, waiting, strict=True)]
    for one in fits:
        run.note(_about(one))
    return fits


def _begin_preparing(preparations: Preparations, trials: Iterable[Trial], folds: Sequence[int]) -> None:
    """All that the trials need, before any of it is waited for."""
    for trial, fold in itertools.product(trials, folds if preparations.prepares else ()):
        preparations.begin(trial.candidate.preparation, fold)


def _say_what_may_follow(run: Run, spec: Spec, search: Search) -> None:
    reasons = {
        "halving": "the first round is listed; its scores decide who goes on to more rows",
        "tpe": f"the first batch of {spec.search.batch} is listed; what follows hangs on its scores",
    }
    reason = f"up to {search.total} candidates: {reasons[spec.search.strategy]}"
    run.note({"event": "stage", "stage": "search", "state": "would go on", "reason": reason, "seconds": 0.0})


def _begin(run: Run, spec: Spec, folds: int) -> Search:
    problem, methods = find(spec.problem), searched_methods(spec)
    search = make_search(
        methods,
        problem=problem.name,
        kinds=problem.model_kinds,
        baseline=problem.baseline,
        strategy=spec.search.strategy,
        candidates=max(1, spec.search.fits // folds),
        batch=spec.search.batch,
        seed=spec.split.seed,
        preparations=preparation_space(spec),
    )
    if not spec.models:
        tried = [name for name, _ in methods]
        if left_out := [name for name in problem.candidates if name not in tried]:
            run.note({"event": "left out", "models": left_out, "why": "no weights"})
    run.note({"event": "search", "candidates": search.total, "fits": search.total * folds})
    return search


def _all(waiting: list[Waiting]) -> list[FoldFit]:
    return [wait() for wait in waiting]


def _tell(run: Run, search: Search, results: list[Fit], folds: int) -> None:
    for one in results:
        run.note({**_about(one), "spared": folds - max(1, len(one.results))})
    search.tell([_score(run, one, folds) for one in results])


def _about(fit: Fit) -> dict[str, Any]:
    about = {"event": "candidate", "label": fit.candidate.label, "status": fit.status, "reason": fit.reason}
    return {**about, "seconds": fit.seconds, "spared": 0}


def _score(run: Run, fit: Fit, folds: int) -> float | None:
    """The mean over the folds that define the metric; None of a candidate that failed, or is only planned."""
    if not known(run, fit):
        return None
    if fit.status == "pruned" and len(fit.results) < folds:
        return None  # the score of one fold is not to be compared with means over all
    scores = [result.score for result in fit.results if result.score is not None]
    return statistics.fmean(scores) if scores else None
