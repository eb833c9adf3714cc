"""Explain: what the winner goes by, for whom it does worse, and how it hangs on rows and capacity."""

from __future__ import annotations

from penstock.components.evaluation.slices import require_few_slices
from penstock.components.explanation.fairness import require_two_classes
from penstock.components.explanation.shapley import require_shap
from penstock.context import Run
from penstock.errors import DataError
from penstock.problems.data import DataSplit, Rows
from penstock.spec.evaluation import Evaluation
from penstock.stage import check

MIN_ROWS = 50


def check_evaluation(run: Run, rows: Rows, data_split: DataSplit, asked: Evaluation) -> None:
    """What is asked for must be possible with these rows; said before anything is fitted."""
    if asked.shap:
        require_shap()
    if asked.slices or asked.fairness or asked.bias_variance:
        _check_rows(run, rows, data_split, asked)


@check
def _check_rows(run: Run, rows: Rows, data_split: DataSplit, asked: Evaluation) -> None:
    schema = run.store.facts(rows.schema_)
    train = run.store.frame(data_split.train)
    require_two_classes(asked.fairness, len(schema.classes or []))
    require_few_slices(train, schema, asked.slices, "evaluation.slices")
    require_few_slices(train, schema, asked.fairness, "evaluation.fairness")
    if asked.bias_variance and len(train) < MIN_ROWS:
        raise DataError(
            "PEN047",
            f"{len(train)} training rows are too few to tell bias from variance, which takes {MIN_ROWS}",
            where="evaluation.bias_variance",
            remedy="bring in more rows, or leave bias_variance out",
        )
