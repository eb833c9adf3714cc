"""Whether an array holds whole numbers of a range, and repeated copies of it agree, cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.schema import require_columns
from penstock.errors import DataError


def replicates(frame: pd.DataFrame, *, copy: str | None = None, low: int = 0, high: int = 255) -> Found:
    """Rows and columns are counted from 0 within each copy, the column that tells copies apart left out.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"copy": [1, 1, 2, 2], "a": [5, 6, 5, 7]})
    >>> find("replicates")(table, {"copy": "copy"}).facts["cells_disagreeing"]
    1
    """
    copies = _copies(frame, copy)
    first = next(iter(copies.values()))
    names = [str(name) for name in first.columns]
    arrays = {name: part.apply(pd.to_numeric, errors="coerce").to_numpy(float) for name, part in copies.items()}
    stacked = np.stack([*arrays.values()])
    unfit = [
        _cell(name, row, column, names, copies[name].iloc[row, column], _fault(value, low, high))
        for name, array in arrays.items()
        for (row, column), value in np.ndenumerate(array)
        if _fault(value, low, high)
    ]
    differ = ~np.all((stacked == stacked[0]) | (np.isnan(stacked) & np.isnan(stacked[0])), axis=0)
    disagreeing = [
        _cell(name, int(row), int(column), names, part.iloc[row, column], "copies disagree")
        for row, column in np.argwhere(differ)
        for name, part in copies.items()
    ]
    findings = [f"{stacked[0].size} cells in {len(copies)} cop{'ies' if len(copies) > 1 else 'y'}."]
    findings.append(
        f"{len(unfit)} values are no whole number from {low} to {high}: {_places(unfit)}."
        if unfit
        else f"All values are whole numbers from {low} to {high}."
    )
    if len(copies) > 1:
        cells = int(differ.sum())
        findings.append(f"The copies disagree in {cells} cells." if cells else "The copies agree in every cell.")
    facts = {
        "cells": int(stacked[0].size),
        "out_of_range": [[cell["row"], cell["column"], cell["value"]] for cell in unfit],
        "cells_disagreeing": int(differ.sum()),
        "largest": {name: float(np.nanmax(array)) for name, array in arrays.items()},
    }
    columns = ["copy", "row", "column", "name", "value", "fault"]
    return Found(findings, pd.DataFrame([*unfit, *disagreeing], columns=columns), facts)


def _copies(frame: pd.DataFrame, copy: str | None) -> dict[str, pd.DataFrame]:
    if copy is None:
        return {"1": frame}
    require_columns(frame, [copy])
    copies = {str(name): part.drop(columns=copy) for name, part in frame.groupby(copy, sort=False)}
    sizes = {name: len(part) for name, part in copies.items()}
    if len(set(sizes.values())) > 1:
        raise DataError(
            "PEN227",
            f"the copies have different numbers of rows: {sizes}",
            where=f"column '{copy}'",
            remedy="give every copy all rows of the array, in the same order",
        )
    return copies


def _fault(value: float, low: int, high: int) -> str:
    if not np.isfinite(value):
        return "no number"
    if value != round(value):
        return "no whole number"
    return "" if low <= value <= high else "out of range"


def _cell(copy: str, row: int, column: int, names: list[str], value: Any, fault: str) -> dict[str, Any]:
    plain = value.item() if isinstance(value, np.generic) else value
    return {"copy": copy, "row": row, "column": column, "name": names[column], "value": plain, "fault": fault}


def _places(cells: list[dict[str, Any]]) -> str:
    shown = "; ".join(f"{cell['value']} in row {cell['row']}, column {cell['column']}" for cell in cells[:5])
    return shown + (f" and {len(cells) - 5} more" if len(cells) > 5 else "")


DIAGNOSTIC = Diagnostic(
    name="replicates",
    summary="Whether an array holds whole numbers of a range (pixels: 0 to 255), and copies of it agree in every cell",
    function=replicates,
    parameters={
        "copy": "the column that says which copy of the array a row belongs to; without it there is one copy",
        "low": "the least value allowed, by default 0",
        "high": "the greatest value allowed, by default 255",
    },
    syllabus=("proc_replicate_range_check",),
)
