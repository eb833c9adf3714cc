"""Stages of a run, called with no more than a test has to say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from penstock.components.evaluation.terms import Terms
from penstock.components.schema import ROW_ID
from penstock.components.search.candidates import Candidate
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Folds
from penstock.problems.comparison import CompareRequest, Comparison
from penstock.problems.data import DataSplit, Rows, Suite
from penstock.problems.fits import FitRequest, FitSettings, FoldResult, Prepared
from penstock.problems.selection import Compared, SelectionEvidence
from penstock.problems.training import EvaluateRequest, Evaluation, Scores, Trained, TrainRequest
from penstock.store import Ref, Store
from penstock.tasks.compare import compare as compare_stage
from penstock.tasks.evaluate import evaluate as evaluate_stage
from penstock.tasks.fit import fit as fit_stage
from penstock.tasks.prepare import PreparedPlan
from penstock.tasks.prepare import prepare as prepare_stage
from penstock.tasks.train import train as train_stage


def rows_of(store: Store, train: Ref, test: Ref | None = None, folds: Ref | None = None) -> DataSplit:
    nothing = store.put_facts({})
    return DataSplit(train=train, test=test or train, folds=folds or Folds().save(store), facts=nothing, n_folds=0)


def identified(store: Store, rows: Ref, prefix: str) -> Ref:
    """The rows with identities, where they have none."""
    frame = store.frame(rows)
    return rows if ROW_ID in frame else store.put_frame(frame.assign(**{ROW_ID: [f"{prefix}{n}" for n in frame.index]}))


def selected(store: Store, metric: str) -> Ref:
    """Of a winner of which no more is known than the metric that chose it."""
    best = Candidate(name="any", parameters={}, number=0)
    evidence = SelectionEvidence(number=0, metric=metric, compared=[Compared(candidate=best, score=None)])
    return store.put_facts(evidence)


def prepare(store: Store, plan: Ref, train: Ref, folds: Ref, fold: int | None, seed: int) -> Prepared:
    return prepare_stage.function(store, plan.holding(PreparedPlan), rows_of(store, train, folds=folds), fold, seed)


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
) -> FoldResult:
    settings = FitSettings(candidate=candidate, fold=fold, share=share, metric=metric, seed=seed)
    request = FitRequest(settings=settings, folds=folds, prepared=prepared)
    result = fit_stage.function(store, problem, request, {}).result
    assert result is not None
    return result


def train(
    store: Store,
    problem: str,
    *,
    plan: Ref,
    train: Ref,
    winner: Ref,
    schema_: Ref,
    contract: Ref,
    folds: Ref | None = None,
    seed: int = 0,
    rule: Ref | None = None,
) -> Ref:
    train = identified(store, train, "train")
    request = TrainRequest(
        rows=Rows(received=train, frame=train, schema_=schema_, reading=schema_),
        data_split=rows_of(store, train, folds=folds),
        plan=plan,
        suite=Suite(rules=contract, contract=contract, on_test=contract),
        winner=winner,
        name="any",
        seed=seed,
        rule=rule,
    )
    return train_stage.function(store, problem, request).model


def evaluate(
    store: Store, problem: str, *, model: Ref, rows: Ref, train: Ref, seed: int = 0, metrics: list[str] | None = None
) -> tuple[Scores, Evidence, Evaluation]:
    rows, train = identified(store, rows, "test"), identified(store, train, "train")
    request = EvaluateRequest(
        trained=Trained(model=model, ids=train),
        data_split=rows_of(store, train, test=rows),
        evidence=selected(store, "any"),
        metrics=metrics or [],
        seed=seed,
    )
    made = evaluate_stage.function(store, problem, request)
    return store.facts(made.scores), Evidence.load(store, made.evidence), made


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
        data_split=rows_of(store, rows),
        champion=champion,
        champion_ids=champion_ids,
        evidence=selected(store, metric),
        terms=terms,
        seed=0,
    )
    return compare_stage.function(store, problem, request)


def as_facts(comparison: Comparison) -> dict[str, Any]:
    return comparison.model_dump(mode="json")
