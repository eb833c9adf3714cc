"""What of the source was not used, and why: shape before, shape after, and a reason for each difference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DROPPED_ROLES = ("id", "ignore")


def cleaning(
    schema: Mapping[str, Any], left_out: Mapping[str, str], parts: Mapping[str, Any], source_rows: int
) -> dict[str, Any]:
    """Rows and columns dropped as unfit, with reasons; and rows that are fit, but `set_aside` in this run.

    A column that names, groups, dates or weighs the rows is used, though nothing is learnt from it.
    """
    columns = {
        column["name"]: column["reason"] if column["role"] in DROPPED_ROLES else left_out[column["name"]]
        for column in schema["columns"]
        if column["role"] in DROPPED_ROLES or column["name"] in left_out
    }
    in_run = parts["rows"] + parts["without_target"]
    return {
        "before": {"rows": in_run, "columns": len(schema["columns"])},
        "after": {"rows": parts["rows"], "columns": len(schema["columns"]) - len(columns)},
        "columns": columns,
        "rows": _counted({f"no value of the target '{schema['target']}'": parts["without_target"]}),
        "set_aside": _counted(
            {
                "not drawn for the sample that this run is made of": source_rows - in_run,
                "between the learning rows and the later test rows, in the gap of the split": parts["in_gap"],
            }
        ),
    }


def _counted(reasons: Mapping[str, int]) -> dict[str, int]:
    return {reason: rows for reason, rows in reasons.items() if rows}
