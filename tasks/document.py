"""The run document: everything a run found, as the report, `--json` and Python show it."""

from __future__ import annotations

import shlex
import sys
from importlib.metadata import version
from typing import Any

import yaml

from penstock.components import catalog
from penstock.components.analysis.insight import for_people
from penstock.components.search.candidates import Candidate
from penstock.context import Results, Run
from penstock.document.run import VERSION
from penstock.document.verdict import Verdict
from penstock.problems.fits import Fit
from penstock.problems.rows.supervised.decide import decide
from penstock.problems.rows.supervised.nested import evaluate_outer
from penstock.problems.selection import Compared, SelectionEvidence, SelectRequest, Winner
from penstock.problems.training import Scores, TrainRequest
from penstock.spec.pipeline import Spec
from penstock.store import Ref
from penstock.tasks.analyse import analyse
from penstock.tasks.cleaning import cleaning
from penstock.tasks.evaluate import evaluate, winners_judged
from penstock.tasks.learn_suite import learn_suite
from penstock.tasks.register import register
from penstock.tasks.select import select
from penstock.tasks.split import rows_of, split
from penstock.tasks.train import train
from penstock.tasks.validate import validate

SELECTED = {"metric", "naive", "corrected", "reason", "rule", "best", "standard_error", "alike", "weighed"}
VERSIONS = ("penstock", "scikit-learn", "numpy", "pandas", "prefect", "mlflow", "great-expectations")
STRUCK = ("time", "memory", "died")


def build_document(run: Run, spec: Spec, results: Results) -> dict[str, Any]:
    """All but what is known only when the run ends: its seconds and its addresses."""
    store = run.store
    gate = store.facts(results.of(register), Verdict)
    selection, evaluation = results.of(select), results.of(evaluate)
    winner, chosen = store.facts(selection.winner, Winner), store.facts(selection.evidence, SelectionEvidence)
    scores = store.facts(evaluation.scores, Scores)
    searches = results.requests(select, SelectRequest)
    return {
        "version": VERSION,
        "name": spec.name,
        "problem": spec.problem,
        "question": _question(run, spec, results),
        "data": _data(run, spec, results),
        "cleaning": _cleaning(run, results),
        "analysis": for_people(store.facts(results.of(analyse).insight)),
        "checks": store.facts(results.of(validate)) + store.facts(results.of(learn_suite).on_test),
        "winner": {
            "label": Candidate(**_asked(winner), number=chosen.number).label,
            **_asked(winner),
            "members": [member.model_dump() for member in winner.members],
            "card": catalog.card_of(winner.name) or None,
            "model_digest": results.of(train).model.digest,
        },
        "metric": chosen.metric,
        "metrics": scores.metrics,
        "in_sample": scores.in_sample,
        "selection": _selection(run, results, searches[-1].fits, chosen),
        "candidates": _candidates(searches[-1].fits, chosen),
        "clusters": [],
        "verdict": gate.model_dump(exclude_unset=True),
        "versions": {name: version(name) for name in VERSIONS},
        **_reproducible([fit for search in (searches[-1], *searches[:-1]) for fit in search.fits], gate),
    }


def describe_predictions(run: Run, results: Results) -> dict[str, Any]:
    """How probabilities become predictions, and how good these are, class by class."""
    decided = results.get(decide)
    sections = {name: run.store.facts(facts) for name, facts in results.of(evaluate).sections.items()}
    return {"decision": run.store.facts(decided.facts) if decided else None, **sections}


def spec_yaml(spec: Spec) -> str:
    return yaml.safe_dump(spec.model_dump(mode="json", by_alias=True, exclude_defaults=True), sort_keys=False)


def command() -> str:
    """The command that made this run, where there was one."""
    return shlex.join(["penstock", *sys.argv[1:]]) if sys.argv[0].endswith("penstock") else ""


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


def _data(run: Run, spec: Spec, results: Results) -> dict[str, Any]:
    store, rows = run.store, rows_of(results)
    schema, parts, facts = (
        store.facts(rows.schema_),
        store.facts(results.of(split).facts),
        store.facts(results.of(analyse).facts),
    )
    columns = [{**column, **facts["columns"].get(column["name"], {})} for column in schema["columns"]]
    return {
        "source": spec.data.source,
        "reading": store.facts(rows.reading),
        "digest": rows.digest,
        "rows": parts["rows"],
        "columns": len(schema["columns"]),
        "learning_rows": parts["learning"],
        "test_rows": parts["test"],
        "topped_up": parts["topped_up"],
        "equal_content": parts["equal_content"],
        "only_in_test": parts["only_in_test"],
        "split": {
            "recipe": spec.split.recipe,
            "ordered": parts["ordered"],
            "in_gap": parts["in_gap"],
            "group": next((column["name"] for column in schema["columns"] if column["role"] == "group"), None),
            "within": spec.split.within,
        },
        "schema": columns,
        "target": {"name": schema["target"], "classes": schema["classes"], **{"facts": facts.get("target")}},
    }


def _question(run: Run, spec: Spec, results: Results) -> dict[str, Any]:
    plan = run.store.facts(plan_of_winner(results))
    inputs = [name for group in plan["groups"] for name in group["columns"]]
    return {"asked": spec.asked, "inputs": sorted(inputs), "target": spec.data.target}


def _cleaning(run: Run, results: Results) -> dict[str, Any]:
    rows, plan = rows_of(results), plan_of_winner(results)
    schema, plan, parts, reading = map(run.store.facts, (rows.schema_, plan, results.of(split).facts, rows.reading))
    return cleaning(schema, plan["left_out"], parts, reading["rows"])


def _asked(winner: Winner) -> dict[str, Any]:
    return winner.model_dump(include={"name", "parameters", "preparation"})


def plan_of_winner(results: Results) -> Ref:
    return results.requests(train, TrainRequest)[-1].plan


def _selection(run: Run, results: Results, fits: list[Fit], chosen: SelectionEvidence) -> dict[str, Any]:
    nested = results.get(evaluate_outer)
    return {
        **chosen.model_dump(include=SELECTED),
        "nested": run.store.facts(nested) if nested else None,
        "candidates": len(fits) + len(_added(chosen)),
        "fits": sum(len(fit.results) for fit in fits),
        "halved": sum(fit.status == "ended" and fit.share < 1 for fit in fits),
        "winners_judged": len(winners_judged(run.store, results.of(split).test)),
    }


def _candidates(fits: list[Fit], chosen: SelectionEvidence) -> list[dict[str, Any]]:
    """The ranked ones first, best first; then those that were ended early or failed, with their reasons."""
    results = {one.candidate.number: one for one in chosen.compared}
    order = {number: rank for rank, number in enumerate(results, start=1)} if chosen.ranked else {}
    described = []
    for fit in [*fits, *_added(chosen)]:
        found = results.get(fit.candidate.number) or Compared(candidate=fit.candidate, score=None)
        if fit.status == "ended":
            scores = [result.score for result in fit.results if result.score is not None]
            mean = sum(scores) / len(scores) if scores else None
            found = Compared(candidate=fit.candidate, folds=scores, score=mean)
        described.append(
            {
                "label": fit.candidate.label,
                "name": fit.candidate.name,
                "parameters": fit.candidate.parameters,
                "preparation": fit.candidate.preparation,
                "status": fit.status,
                "reason": fit.reason,
                **found.model_dump(exclude={"candidate"}),
                "seconds": fit.seconds,
                "rank": order.get(fit.candidate.number),
            }
        )
    return sorted(described, key=lambda candidate: (candidate["rank"] is None, candidate["rank"] or 0))


def _added(chosen: SelectionEvidence) -> list[Fit]:
    """Candidates that were not searched and cost no fits; those that could not be made, with the reason."""
    made = [
        Fit(candidate=one.candidate, status="finished")
        for one in chosen.compared
        if one.candidate.number in chosen.added
    ]
    return made + [Fit(candidate=one.candidate, reason=one.reason, status="ended") for one in chosen.left_out]


def _reproducible(fits: list[Fit], verdict: Verdict) -> dict[str, Any]:
    """A limit that struck depends on the machine's speed, and so does what came after it."""
    struck = [f"{fit.candidate.label} {fit.reason}" for fit in fits if fit.status in STRUCK][:3]
    if verdict.timed:
        struck.append("the gate's verdict hangs on how long predictions took")
    return {"reproducible": not struck, "not_reproducible_because": "; ".join(struck) or None}
