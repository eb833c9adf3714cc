"""The functions that kinds of problems bring, called with no more than a test has to say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from penstock.components.evaluation.terms import Terms
from penstock.components.search.candidates import Candidate
from penstock.problems import find
from penstock.problems.comparison import CompareRequest, Comparison
from penstock.problems.data import Parts, Rows, Suite
from penstock.problems.fits import FitRequest, Prepared
from penstock.problems.training import EvaluateRequest, Trained, TrainRequest
from penstock.store import Ref, Store
from penstock.tasks.prepare import prepare as prepare_stage


def rows_of(store: Store, learning: Ref, test: Ref | None = None, folds: Ref | None = None) -> Parts:
    nothing = store.put_facts({})
    return Parts(learning=learning, test=test or learning, folds=folds or nothing, facts=nothing, n_folds=0)


def prepare(store: Store, plan: Ref, learning: Ref, folds: Ref, fold: int | None, seed: int) -> Prepared:
    return prepare_stage.function(store, plan, rows_of(store, learning, folds=folds), fold, seed)


def fit(
    store: Store,
    candidate: Candidate,
    problem: str,
    prepared: Prepared,
    folds: Ref,
    fold: int = 0,
    share: float = 1.0,
    metric: str | None = None,
    seed: int = 0,
) -> Ref:
    given = {"prepared": prepared, "folds": folds, "fold": fold, "share": share, "metric": metric, "seed": seed}
    made: Ref = find(problem).function("fit")(store, problem, FitRequest(candidate=candidate, **given))
    return made


def train(
    store: Store,
    problem: str,
    *,
    plan: Ref,
    learning: Ref,
    winner: Ref,
    schema_: Ref,
    contract: Ref,
    folds: Ref | None = None,
    seed: int = 0,
    rule: Ref | None = None,
) -> Ref:
    request = TrainRequest(
        rows=Rows(received=learning, frame=learning, schema_=schema_, reading=schema_),
        parts=rows_of(store, learning, folds=folds),
        plan=plan,
        suite=Suite(rules=contract, contract=contract, on_test=contract),
        winner=winner,
        name="any",
        seed=seed,
        rule=rule,
    )
    made: Ref = find(problem).function("train")(store, problem, request, {})
    return made


def evaluate(
    store: Store, problem: str, *, model: Ref, rows: Ref, learning: Ref, seed: int = 0, metrics: list[str] | None = None
) -> tuple[Ref, Ref]:
    parts = rows_of(store, learning, test=rows)
    request = EvaluateRequest(
        trained=Trained(model=model, ids=rows), parts=parts, evidence=rows, metrics=metrics or [], seed=seed
    )
    made: tuple[Ref, Ref] = find(problem).function("evaluate")(store, problem, request)
    return made


def compare(
    store: Store,
    problem: str,
    challenger: Ref,
    champion: Path | None,
    champion_ids: Path | None,
    rows: Ref,
    metric: str,
    terms: Terms,
) -> Comparison:
    request = CompareRequest(
        trained=Trained(model=challenger, ids=rows),
        parts=rows_of(store, rows),
        champion=champion,
        champion_ids=champion_ids,
        evidence=store.put_facts({"metric": metric}),
        terms=terms,
        seed=0,
    )
    made: Comparison = find(problem).function("compare")(store, problem, request)
    return made


def as_facts(comparison: Comparison) -> dict[str, Any]:
    return comparison.model_dump(mode="json")
