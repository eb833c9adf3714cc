"""Decide: how the winner's probabilities become answers, found without the test rows."""

from __future__ import annotations

import numpy as np

from penstock.components.decision.conformal import fewest_rows
from penstock.components.decision.costs import costs_by_class
from penstock.components.evaluation.metrics import metric
from penstock.components.evaluation.unseen import effective_units
from penstock.context import Run
from penstock.errors import UsageError
from penstock.evidence.folds import Folds
from penstock.problems.data import DataSplit, Rows
from penstock.problems.rows.supervised.decide import decide
from penstock.problems.selection import Selection
from penstock.problems.training import Decided
from penstock.spec.decision import Decision
from penstock.stage import check, known

MIN_OF_A_CLASS = {"sigmoid": 10, "temperature": 10, "isotonic": 50}


def decide_if_asked(
    run: Run, selection: Selection, data_split: DataSplit, rows: Rows, decision: Decision, metric: str | None, seed: int
) -> Decided | None:
    if not decision.asked:
        return None
    assert selection.unseen is not None
    return decide(run, selection.unseen, data_split.folds, _costs(run, decision, rows), decision, metric, seed)


def objective(run: Run, asked: str | None, decision: Decision, rows: Rows) -> str | None:
    """The metric that decides: costs where there are some, unless another metric is named."""
    if asked is None and decision.costs is not None:
        asked = "neg_cost"
    return with_costs(run, [asked], decision, rows)[0] if asked else None


def with_costs(run: Run, metrics: list[str], decision: Decision, rows: Rows) -> list[str]:
    """Metrics as other stages name them, with the costs in neg_cost; refuses those that do not fit the classes."""
    if not known(run, rows):
        return metrics
    schema, costs = rows.read_schema(run.store), _costs(run, decision, rows)
    numbers = ",".join(f"{cost:.12g}" for row in costs or [] for cost in row)
    named = [f"neg_cost:{numbers}" if name == "neg_cost" else name for name in metrics]
    for name in named:
        metric(name, len(schema.classes or []))
    return named


@check
def require_decidable(run: Run, decision: Decision, rows: Rows, data_split: DataSplit) -> None:
    """Refuse, before anything is searched, what these classes and rows cannot give."""
    if not decision.asked:
        return
    classes = rows.read_schema(run.store).classes or []
    if decision.threshold is not None and len(classes) != 2:
        raise UsageError(
            "PEN033",
            f"a threshold decides between two classes, and the target has {len(classes)}",
            where="decision.threshold",
            remedy="leave it out: the likeliest class is answered; or say by `costs` which errors are worse",
        )
    _costs(run, decision, rows)
    folds = Folds.load(run.store, data_split.folds)
    judged = np.unique(np.concatenate([fold.valid for fold in folds.splits]))
    if decision.calibrate != "none":
        of_class = np.bincount(folds.y[judged], minlength=len(classes))[np.unique(folds.y)]
        needed = MIN_OF_A_CLASS[decision.calibrate]
        if of_class.min() < needed:
            gentler = "`calibrate: sigmoid`, " if needed > MIN_OF_A_CLASS["sigmoid"] else ""
            raise UsageError(
                "PEN034",
                f"the calibration '{decision.calibrate}' needs {needed} rows of every class, and the smallest has "
                f"{of_class.min()} among the training rows that evaluate candidates",
                where="decision.calibrate",
                remedy=f"use {gentler}more rows, or `calibrate: none`",
            )
    weight = folds.weight_of(judged)
    worth = len(judged) if weight is None else int(effective_units(len(judged), weight=weight))
    if decision.coverage is not None and worth < fewest_rows(decision.coverage):
        weighed = "" if worth == len(judged) else f", whose weights make them worth {worth}"
        raise UsageError(
            "PEN035",
            f"a coverage of {decision.coverage:g} needs {fewest_rows(decision.coverage)} rows that evaluate "
            "candidates, "
            f"and there are {len(judged)}{weighed}",
            where="decision.coverage",
            remedy=f"ask for {_most_coverage(worth):.2f} at most, or use more rows",
        )


def _most_coverage(rows: int) -> float:
    """Of hundredths, the largest that so many rows can give."""
    return max((part / 100 for part in range(50, 100) if fewest_rows(part / 100) <= rows), default=0.5)


def _costs(run: Run, decision: Decision, rows: Rows) -> list[list[float]] | None:
    """By the positions of the classes; None where there are no costs, or the classes are not known yet."""
    if decision.costs is None or not known(run, rows):
        return None
    return costs_by_class(decision.costs, rows.read_schema(run.store).classes or [])
