"""What both flows do first: from the source to validated, split, analysed rows and a plan to prepare them."""

from __future__ import annotations

from collections.abc import Callable

from penstock.components.search import Candidate, Search
from penstock.context import Run
from penstock.spec.pipeline import Spec
from penstock.tasks.analyse import analyse
from penstock.tasks.groundwork import Groundwork
from penstock.tasks.ingest import ingest, source_digest
from penstock.tasks.learn_suite import learn_suite
from penstock.tasks.prepare import feature_components, plan
from penstock.tasks.register import champion_rules
from penstock.tasks.select_model import Fit
from penstock.tasks.split import split
from penstock.tasks.validate import validate, written_rules


def groundwork(run: Run, spec: Spec, sample: int | None) -> Groundwork:
    written = written_rules(run, spec.validation)
    content = source_digest(run.base / spec.data.source)
    rows = ingest(run, spec.data, spec.problem, content, sample, spec.split.seed)
    checks = validate(run, rows, spec.validation, written, champion_rules(run, rows))
    parts = split(run, rows, spec.split)
    facts = analyse(run, parts.learning, rows.schema_)
    suite = learn_suite(run, parts.learning, parts.test, rows.schema_, spec.validation.suite, written)
    components = feature_components(spec.features, spec.problem)
    recipe = plan(run, facts, rows.schema_, spec.preparation, spec.features, components)
    return Groundwork(rows=rows, checks=checks, parts=parts, facts=facts, suite=suite, plan=recipe)


def search_models(run: Run, spec: Spec, folds: int, submit: Callable[[Candidate], Callable[[], Fit]]) -> list[Fit]:
    """Ask for candidates and fit them, batch by batch: a barrier, so that results do not hang on the workers' speed."""
    search = Search(
        [(choice.name, dict(choice.parameters)) for choice in spec.models],
        problem=spec.problem,
        strategy=spec.search.strategy,
        candidates=max(1, spec.search.fits // folds),
        batch=spec.search.batch,
        seed=spec.split.seed,
    )
    run.note({"event": "search", "candidates": search.total, "fits": search.total * folds})
    fits: list[Fit] = []
    while batch := search.ask():
        waiting = [submit(candidate) for candidate in batch]
        results = [wait() for wait in waiting]
        search.tell(results)
        fits += results
    return fits
