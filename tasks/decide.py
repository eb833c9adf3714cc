"""Decide: how the winner's probabilities become answers, found without the test rows."""

from __future__ import annotations

import numpy as np
from pydantic import BaseModel

from penstock.components.decision.conformal import fewest_rows
from penstock.components.decision.costs import costs_by_class
from penstock.components.evaluation.metrics import metric
from penstock.components.evaluation.unseen import effective_units
from penstock.components.schema import Schema
from penstock.context import Run
from penstock.errors import UsageError
from penstock.jobs import Selection
from penstock.spec.decision import Decision, Tuned
from penstock.store import Ref
from penstock.tasks.ingest import Rows
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker

FEWEST_OF_A_CLASS = {"sigmoid": 10, "temperature": 10, "isotonic": 50}


class Decided(BaseModel):
    """The rule, which ships with the model, and what was found on the way."""

    rule: Ref
    facts: Ref


@stage(job="decide", libraries=("mapie",))
def decide(
    run: Run,
    unseen: Ref,
    folds: Ref,
    costs: list[list[float]] | None,
    decision: Decision,
    metric: str | None,
    seed: int,
) -> Decided:
    """Calibrator, threshold and reach of sets, from predictions for rows that the winner's fits had not seen."""
    rule, facts = in_worker(
        run,
        "decide",
        unseen=unseen,
        folds=folds,
        metric_name=metric,
        costs=costs,
        threshold="tune" if isinstance(decision.threshold, Tuned) else decision.threshold,
        tuned_for=decision.threshold.tune if isinstance(decision.threshold, Tuned) else None,
        calibrate=decision.calibrate,
        coverage=decision.coverage,
        seed=seed,
        ties="second" if decision.ties == "positive" else "first",
    )
    return Decided(rule=Ref(**rule), facts=Ref(**facts))


def decide_if_asked(
    run: Run, selection: Selection, parts: Parts, rows: Rows, decision: Decision, metric: str | None, seed: int
) -> Decided | None:
    if not decision.asked:
        return None
    assert selection.unseen is not None
    return decide(run, selection.unseen, parts.folds, _costs(run, decision, rows), decision, metric, seed)


def objective(run: Run, asked: str | None, decision: Decision, rows: Rows) -> str | None:
    """The metric that decides: costs where there are some, unless another metric is named."""
    if asked is None and decision.costs is not None:
        asked = "neg_cost"
    return with_costs(run, [asked], decision, rows)[0] if asked else None


def with_costs(run: Run, metrics: list[str], decision: Decision, rows: Rows) -> list[str]:
    """Metrics as other stages name them, with the costs in neg_cost; refuses those that do not fit the classes."""
    if rows.schema_.kind == "pending":
        return metrics
    schema, costs = Schema(**run.store.facts(rows.schema_)), _costs(run, decision, rows)
    numbers = ",".join(f"{cost:.12g}" for row in costs or [] for cost in row)
    named = [f"neg_cost:{numbers}" if name == "neg_cost" else name for name in metrics]
    for name in named:
        metric(name, schema.problem, len(schema.classes or []))
    return named


def require_decidable(run: Run, decision: Decision, rows: Rows, parts: Parts) -> None:
    """Refuse, before anything is searched, what these classes and rows cannot give."""
    if not decision.asked or "pending" in (rows.schema_.kind, parts.folds.kind):
        return
    classes = Schema(**run.store.facts(rows.schema_)).classes or []
    if decision.threshold is not None and len(classes) != 2:
        raise UsageError(
            "PEN033",
            f"a threshold decides between two classes, and the target has {len(classes)}",
            where="decision.threshold",
            remedy="leave it out: the likeliest class is answered; or say by `costs` which errors are worse",
        )
    _costs(run, decision, rows)
    arrays = run.store.arrays(parts.folds)
    judged = np.unique(np.concatenate([arrays[name] for name in arrays if name.startswith("valid_")]))
    if decision.calibrate != "none":
        of_class = np.bincount(arrays["y"][judged], minlength=len(classes))[np.unique(arrays["y"])]
        needed = FEWEST_OF_A_CLASS[decision.calibrate]
        if of_class.min() < needed:
            gentler = "`calibrate: sigmoid`, " if needed > FEWEST_OF_A_CLASS["sigmoid"] else ""
            raise UsageError(
                "PEN034",
                f"the calibration '{decision.calibrate}' needs {needed} rows of every class, and the smallest has "
                f"{of_class.min()} among the learning rows that judge candidates",
                where="decision.calibrate",
                remedy=f"use {gentler}more rows, or `calibrate: none`",
            )
    worth = len(judged)
    if "weight" in arrays:
        worth = int(effective_units(len(judged), weight=arrays["weight"][judged]))
    if decision.coverage is not None and worth < fewest_rows(decision.coverage):
        weighed = "" if worth == len(judged) else f", whose weights make them worth {worth}"
        raise UsageError(
            "PEN035",
            f"a coverage of {decision.coverage:g} needs {fewest_rows(decision.coverage)} rows that judge candidates, "
            f"and there are {len(judged)}{weighed}",
            where="decision.coverage",
            remedy=f"ask for {_most_coverage(worth):.2f} at most, or use more rows",
        )


def _most_coverage(rows: int) -> float:
    """Of hundredths, the largest that so many rows can give."""
    return max((part / 100 for part in range(50, 100) if fewest_rows(part / 100) <= rows), default=0.5)


def _costs(run: Run, decision: Decision, rows: Rows) -> list[list[float]] | None:
    """By the positions of the classes; None where there are no costs, or the classes are not known yet."""
    if decision.costs is None or rows.schema_.kind == "pending":
        return None
    return costs_by_class(decision.costs, Schema(**run.store.facts(rows.schema_)).classes or [])
