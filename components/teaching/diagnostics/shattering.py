"""How many labellings of some points hyperplanes realise."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.schema import numbers, require_columns
from penstock.components.teaching.inputs.matrix import finite
from penstock.components.teaching.learning_theory.hyperplanes import labellings, labellings_in_general_position
from penstock.components.teaching.plots.theory import curves
from penstock.errors import DataError

MAX_POINTS = 12


def shattering(
    frame: pd.DataFrame,
    *,
    points: Annotated[int, Field(ge=1, le=MAX_POINTS)] = 6,
    target: str | None = None,
    seed: int = 0,
) -> Found:
    """Of the columns of numbers; each labelling is a linear programme.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 0.0, 1.0], "b": [0.0, 0.0, 1.0, 1.0]})
    >>> find("shattering")(table, {"points": 4}).facts["shattered"]
    False
    """
    require_columns(frame, [] if target is None else [target])
    columns = {str(name): numbers(frame[name]) for name in frame.columns if name != target}
    whole = pd.DataFrame(columns).dropna(axis=1)
    if whole.empty:
        raise DataError(
            "PEN080",
            f"{len(frame)} rows and {whole.shape[1]} whole columns of numbers make no points",
            where="the table",
            remedy="fill missing numbers, or name a table with columns of numbers",
        )
    X = finite(whole)
    if len(X) > points:
        X = X[np.sort(np.random.default_rng(seed).choice(len(X), points, replace=False))]
    dimension = X.shape[1]
    sizes = list(range(1, len(X) + 1))
    table = pd.DataFrame(
        {
            "points": sizes,
            "realised": labellings(X),
            "in general position": [labellings_in_general_position(size, dimension) for size in sizes],
            "possible": [2**size for size in sizes],
        }
    )
    shattered = table.loc[table["realised"] == table["possible"], "points"]
    most = int(shattered.max())
    last = table.iloc[-1]
    findings = [
        f"Hyperplanes realise {last['realised']:,} of the {last['possible']:,} ways to label {len(X)} points of "
        f"{dimension} columns: they {'shatter' if last['realised'] == last['possible'] else 'do not shatter'} them.",
        f"The largest beginning of these points that they shatter has {most} point{'s' if most != 1 else ''}. The VC "
        f"dimension of hyperplanes in {dimension} dimensions is {dimension + 1}.",
    ]
    facts = {
        "points": len(X),
        "realised": int(last["realised"]),
        "possible": int(last["possible"]),
        "general_position": int(last["in general position"]),
        "shattered": bool(last["realised"] == last["possible"]),
        "vc_dimension": dimension + 1,
    }
    lines = {name: table[name].tolist() for name in ("possible", "in general position", "realised")}
    figure = curves("Labellings that hyperplanes realise", sizes, lines, across="Points", up="Labellings", log=("y",))
    return Found(findings, table.set_index("points"), facts, figure)


DIAGNOSTIC = Diagnostic(
    name="shattering",
    summary="How many of all labellings of some points a hyperplane realises: growth function and VC dimension",
    function=shattering,
    parameters={
        "points": f"how many rows to look at, by default 6, at most {MAX_POINTS}; of more rows, drawn by chance",
        "target": "a column to leave out",
        "seed": "decides which rows are drawn, by default 0",
    },
    syllabus=("theory-shattering",),
)
