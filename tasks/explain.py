"""Explain: what the winner goes by, for whom it does worse, and how it hangs on rows and capacity."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.components.evaluation.slices import require_few_slices
from penstock.components.explanation.fairness import require_two_classes
from penstock.components.explanation.shapley import require_shap
from penstock.components.schema import Schema
from penstock.context import Run
from penstock.errors import DataError
from penstock.jobs import Selection
from penstock.spec.evaluation import Evaluation
from penstock.store import Ref
from penstock.tasks.ingest import Rows
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.train import Trained
from penstock.tasks.work import in_worker

FEWEST_ROWS = 50


class Explained(BaseModel):
    """Numbers for the document, and pictures as SVG by name."""

    facts: Ref
    figures: Ref


def check_evaluation(run: Run, rows: Rows, parts: Parts, asked: Evaluation) -> None:
    """What is asked for must be possible with these rows; said before anything is fitted."""
    if asked.shap:
        require_shap()
    named = [*asked.slices, *asked.fairness]
    if parts.learning.kind == "pending" or not (named or asked.bias_variance):
        return
    schema = Schema(**run.store.facts(rows.schema_))
    learning = run.store.frame(parts.learning)
    require_two_classes(asked.fairness, schema.problem, len(schema.classes or []))
    require_few_slices(learning, schema, asked.slices, "evaluation.slices")
    require_few_slices(learning, schema, asked.fairness, "evaluation.fairness")
    if asked.bias_variance and len(learning) < FEWEST_ROWS:
        raise DataError(
            "PEN047",
            f"{len(learning)} learning rows are too few to tell bias from variance, which takes {FEWEST_ROWS}",
            where="evaluation.bias_variance",
            remedy="bring in more rows, or leave bias_variance out",
        )


@stage(job="explain", libraries=("matplotlib", "fairlearn"))
def explain(
    run: Run,
    trained: Trained,
    parts: Parts,
    metric: str | None,
    slices: list[str],
    fairness: list[str],
    shap: bool,
    seed: int,
) -> Explained:
    """Importance, dependence, slices, fairness and Shapley values on the test rows."""
    arguments = {"model": trained.model, "rows": parts.test, "learning": parts.learning, "metric_name": metric}
    asked = {"slices": slices, "fairness_of": fairness, "shap": shap}
    facts, figures = in_worker(run, "explain", **arguments, **asked, seed=seed)
    return Explained(facts=Ref(**facts), figures=Ref(**figures))


@stage(job="tell_model", libraries=("matplotlib",))
def tell_model(run: Run, trained: Trained, parts: Parts, seed: int) -> Explained:
    """How the winner decides, where it is of a kind that can tell: rules, weights, neighbours."""
    arguments = {"model": trained.model, "learning": parts.learning, "test": parts.test, "folds": parts.folds}
    facts, figures = in_worker(run, "tell_model", **arguments, seed=seed)
    return Explained(facts=Ref(**facts), figures=Ref(**figures))


@stage(job="study_curves", libraries=("matplotlib",))
def study_curves(
    run: Run, rows: Rows, parts: Parts, plan: Ref, winner: Ref, evidence: Ref, metric: str | None, seed: int
) -> Explained:
    """Learning and validation curve of the winner, from learning rows alone."""
    arguments = {"plan": plan, "learning": parts.learning, "folds": parts.folds, "winner": winner}
    more = {"evidence": evidence, "schema_": rows.schema_, "metric_name": metric, "seed": seed}
    facts, figures = in_worker(run, "study_curves", **arguments, **more)
    return Explained(facts=Ref(**facts), figures=Ref(**figures))


@stage(job="part_error", libraries=("matplotlib",))
def part_error(run: Run, rows: Rows, parts: Parts, plan: Ref, winner: Ref, seed: int) -> Explained:
    """Bias and variance of the winner, from learning rows alone."""
    arguments = {"plan": plan, "learning": parts.learning, "folds": parts.folds, "winner": winner}
    facts, figures = in_worker(run, "part_error", **arguments, schema_=rows.schema_, seed=seed)
    return Explained(facts=Ref(**facts), figures=Ref(**figures))


def explain_winner(
    run: Run,
    asked: Evaluation,
    rows: Rows,
    parts: Parts,
    plan: Ref,
    selection: Selection,
    trained: Trained,
    metric: str | None,
    seed: int,
) -> dict[str, Explained]:
    """What every run gets, and what was asked for beside it, by the key of the document."""
    found = {
        "deciding": tell_model(run, trained, parts, seed),
        "explanation": explain(run, trained, parts, metric, asked.slices, asked.fairness, asked.shap, seed),
    }
    if asked.curves:
        evidence = selection.evidence
        found["curves"] = study_curves(run, rows, parts, plan, selection.winner, evidence, metric, seed)
    if asked.bias_variance:
        found["bias_variance"] = part_error(run, rows, parts, plan, selection.winner, seed)
    return found
