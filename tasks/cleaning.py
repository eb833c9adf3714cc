"""What of the source was not used, and why: shape before, shape after, and a reason for each difference."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.components.schema import Schema
from penstock.document.data import Cleaning, Shape
from penstock.problems.data import SplitFacts

DROPPED_ROLES = ("id", "ignore")


def cleaning(schema: Schema, left_out: Mapping[str, str], sides: SplitFacts, source_rows: int) -> Cleaning:
    """Rows and columns dropped as unfit, with reasons; and rows that are fit, but `set_aside` in this run.

    A column that names, groups, dates or weighs the rows is used, though nothing is trained on it.
    """
    columns = {
        column.name: column.reason if column.role in DROPPED_ROLES else left_out[column.name]
        for column in schema.columns
        if column.role in DROPPED_ROLES or column.name in left_out
    }
    in_run = sides.rows + sides.without_target
    return Cleaning(
        before=Shape(rows=in_run, columns=len(schema.columns)),
        after=Shape(rows=sides.rows, columns=len(schema.columns) - len(columns)),
        columns=dict(columns),
        rows=_counted({f"no value of the target '{schema.target}'": sides.without_target}),
        set_aside=_counted(
            {
                "not drawn for the sample that this run is made of": source_rows - in_run,
                "between the training rows and the later test rows, in the gap of the split": sides.in_gap,
            }
        ),
    )


def _counted(reasons: Mapping[str, int]) -> dict[str, int]:
    return {reason: rows for reason, rows in reasons.items() if rows}
