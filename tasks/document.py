"""The run document: everything a run found, as the report, `--json` and Python show it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from penstock.components import catalog
from penstock.components.analysis.insight import for_people
from penstock.components.ensembles.chosen import Chosen
from penstock.components.search.candidates import Candidate
from penstock.context import Results
from penstock.document import registry
from penstock.document.analysis import Analysis
from penstock.document.candidates import Member, ModelCard, Selection, Tried, Winner
from penstock.document.data import Cleaning, ColumnFacts, Data, DataCheck, DataSplit, FurtherTable, Question, Target
from penstock.problems.data import Rows, SideCounts
from penstock.problems.fits import Fit
from penstock.problems.rows.supervised.decide import decide
from penstock.problems.rows.supervised.nested import evaluate_outer
from penstock.problems.selection import Compared, SelectionEvidence, SelectRequest
from penstock.problems.training import TrainRequest
from penstock.spec.pipeline import Spec
from penstock.store import Ref, Store
from penstock.tasks.analyse import analyse
from penstock.tasks.cleaning import cleaning
from penstock.tasks.evaluate import evaluate, winners_evaluated
from penstock.tasks.learn_suite import learn_suite
from penstock.tasks.select import select
from penstock.tasks.split import rows_of, split
from penstock.tasks.train import train
from penstock.tasks.validate import validate

ALWAYS: dict[str, object] = {"clusters": [], "decision": None}
"""Sections that a document has also where nothing was found for them."""
SELECTED = {"metric", "naive", "corrected", "reason", "rule", "best", "standard_error", "alike", "weighed"}


def question(store: Store, spec: Spec, results: Results) -> Question:
    plan = store.facts(trained_on(results).plan)
    inputs = [name for group in plan.groups for name in group.columns]
    return Question(asked=spec.asked, inputs=sorted(inputs), target=spec.data.target)


def data(store: Store, spec: Spec, results: Results) -> Data:
    rows = rows_of(results)
    schema, sides, facts = (
        store.facts(rows.schema_),
        store.facts(results.of(split).facts),
        store.facts(results.of(analyse).facts),
    )
    columns = [{**column.model_dump(mode="json"), **facts["columns"].get(column.name, {})} for column in schema.columns]
    outcome = facts.get("target")
    return Data(
        source=spec.data.source,
        reading=store.facts(rows.reading),
        digest=rows.digest,
        rows=sides.rows,
        columns=len(schema.columns),
        train_rows=sides.train,
        test_rows=sides.test,
        topped_up=sides.topped_up,
        equal_content=sides.equal_content,
        only_in_test=sides.only_in_test,
        split=DataSplit(
            recipe=spec.split.recipe,
            ordered=sides.ordered,
            in_gap=sides.in_gap,
            group=schema.named("group"),
            within=spec.split.within,
        ),
        schema=[ColumnFacts.model_validate(column) for column in columns],
        target=Target(
            name=schema.target,
            classes=schema.classes,
            facts=None if outcome is None else ColumnFacts.model_validate(outcome),
        ),
        units=sides.units,
        tables=[_table(store, spec, rows, name, counts) for name, counts in sides.tables.items()],
    )


def _table(store: Store, spec: Spec, rows: Rows, name: str, counts: SideCounts) -> FurtherTable:
    table = rows.tables[name]
    return FurtherTable(
        name=name,
        source=spec.data.tables[name].source,
        rows=store.facts(table.reading).rows,
        columns=len(store.facts(table.schema_).columns),
        training_rows=counts.training,
        test_rows=counts.test,
    )


def cleaned(store: Store, results: Results) -> Cleaning:
    rows, plan = rows_of(results), store.facts(trained_on(results).plan)
    sides, reading = store.facts(results.of(split).facts), store.facts(rows.reading)
    return cleaning(store.facts(rows.schema_), plan.left_out, sides, reading.rows)


def analysis(store: Store, results: Results) -> Analysis:
    return Analysis.model_validate(for_people(store.facts(results.of(analyse).insight)))


def checks(store: Store, results: Results) -> list[DataCheck]:
    return [*store.facts(results.of(validate)), *store.facts(results.of(learn_suite).on_test)]


def trained_on(results: Results) -> TrainRequest:
    """What the model that ships was made of."""
    return results.requests(train, TrainRequest)[-1]


def winner(store: Store, results: Results) -> Winner:
    selection = results.of(select)
    chosen, number = store.facts(selection.winner), store.facts(selection.evidence).number
    card = catalog.card_of(chosen.name)
    return Winner(
        label=Candidate(**_asked(chosen), number=number).label,
        **_asked(chosen),
        members=[Member.model_validate(member.model_dump()) for member in chosen.members],
        card=ModelCard.model_validate(card) if card else None,
        model_digest=results.of(train).model.digest,
    )


def _asked(winner: Chosen) -> dict[str, Any]:
    return winner.model_dump(include={"name", "parameters", "preparation"})


def sections(store: Store, results: Results, explained: Mapping[str, Ref]) -> dict[str, BaseModel | None]:
    """What only some kinds of problem bring: of the scores, of the decision, and of the kind's own stages."""
    decided = results.get(decide)
    refs = {**results.of(evaluate).sections, **({"decision": decided.facts} if decided else {}), **explained}
    found = ALWAYS | {key: store.facts(ref.holding(object)) for key, ref in refs.items()}
    types = registry.sections()
    return {key: None if found[key] is None else types[key].model_validate(found[key]) for key in types if key in found}


def all_fits(results: Results) -> list[Fit]:
    """Of the search, and then of those inside outer folds."""
    *nested, last = results.requests(select, SelectRequest)
    return [fit for search in (last, *nested) for fit in search.fits]


def how_selected(store: Store, results: Results) -> Selection:
    chosen, nested = store.facts(results.of(select).evidence), results.get(evaluate_outer)
    fits = results.requests(select, SelectRequest)[-1].fits
    return Selection(
        **chosen.model_dump(include=SELECTED),
        nested=store.facts(nested) if nested else None,
        candidates=len(fits) + len(_added(chosen)),
        fits=sum(len(fit.results) for fit in fits),
        halved=sum(fit.status == "pruned" and fit.share < 1 for fit in fits),
        winners_evaluated=len(winners_evaluated(store, results.of(split).test)),
    )


def candidates(store: Store, results: Results) -> list[Tried]:
    """The ranked ones first, best first; then those that were ended early or failed, with their reasons."""
    chosen = store.facts(results.of(select).evidence)
    compared = {one.candidate.number: one for one in chosen.compared}
    order = {number: rank for rank, number in enumerate(compared, start=1)} if chosen.ranked else {}
    tried = []
    for fit in [*results.requests(select, SelectRequest)[-1].fits, *_added(chosen)]:
        number = fit.candidate.number
        found = _of_ended(fit) if fit.status == "pruned" else compared.get(number, _without_score(fit))
        tried.append(_tried(fit, found, order.get(number)))
    return sorted(tried, key=lambda one: (one.rank is None, one.rank or 0))


def _of_ended(fit: Fit) -> Compared:
    known = [result.score for result in fit.results if result.score is not None]
    return Compared(candidate=fit.candidate, folds=known, score=sum(known) / len(known) if known else None)


def _without_score(fit: Fit) -> Compared:
    return Compared(candidate=fit.candidate, score=None)


def _tried(fit: Fit, found: Compared, rank: int | None) -> Tried:
    return Tried(
        **fit.candidate.model_dump(include={"name", "parameters", "preparation"}),
        **found.model_dump(exclude={"candidate"}),
        label=fit.candidate.label,
        status=fit.status,
        reason=fit.reason,
        seconds=fit.seconds,
        rank=rank,
    )


def _added(chosen: SelectionEvidence) -> list[Fit]:
    """Candidates that were not searched and cost no fits; those that could not be made, with the reason."""
    made = [
        Fit(candidate=one.candidate, status="finished")
        for one in chosen.compared
        if one.candidate.number in chosen.added
    ]
    return made + [Fit(candidate=one.candidate, reason=one.reason, status="pruned") for one in chosen.left_out]


def k_curves(chosen: SelectionEvidence) -> dict[str, dict[int, float]]:
    """What decided on the number of clusters: for each method, the best score at each number."""
    curves: dict[str, dict[int, float]] = {}
    for one in chosen.compared:
        criterion = chosen.metric if one.neg_bic is None else "neg_bic"
        score = one.score if one.neg_bic is None else one.neg_bic
        clusters = one.candidate.parameters.get("clusters")
        if clusters is not None and score is not None:
            curve = curves.setdefault(f"{one.candidate.name}: {criterion}", {})
            curve[clusters] = max(score, curve.get(clusters, score))
    return curves
