"""Two columns lifted by a third: what no straight line separates may be separated by a plane."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.svm.optimum import separable
from penstock.components.teaching.inputs.columns import classed
from penstock.components.teaching.plots.borders import lift_plot
from penstock.errors import UsageError

Array = np.ndarray[Any, Any]
Axis = Literal["product", "radius", "auto"]
FORMULAS = {"product": "x1 x2", "radius": "x1² + x2²"}


def feature_lift(frame: pd.DataFrame, *, target: str, columns: list[str], axis: Axis = "auto") -> Found:
    """Whether classes are separable by a line, and by a plane over the columns and the product or the squares' sum.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 0.0, 1.0, 1.0], "b": [0.0, 1.0, 0.0, 1.0]})
    >>> table["class"] = ["no", "yes", "yes", "no"]
    >>> find("feature-lift")(table, {"target": "class", "columns": ["a", "b"]}).facts["lifted"]
    {'product': True, 'radius': False}
    """
    if len(columns) != 2:
        raise UsageError(
            "PEN073",
            f"{len(columns)} columns are named, and two are lifted",
            where="--set columns",
            remedy="name two columns of numbers: columns=[first, second]",
        )
    X, y, names, classes = classed(frame, target, columns)
    X = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
    signs = np.where(y == 1, 1.0, -1.0)
    axes = {"product": X[:, 0] * X[:, 1], "radius": (X**2).sum(axis=1)}
    told = pd.DataFrame(
        {
            "separable by a straight cut": [
                separable(X, signs),
                *(separable(np.column_stack([X, values]), signs) for values in axes.values()),
            ],
            "cut on the new axis alone": [None, *(_cut(values, y) for values in axes.values())],
        },
        index=pd.Index(["as they are", *FORMULAS.values()], name="lifted by"),
    )
    lifts = {name: bool(told.loc[formula, "separable by a straight cut"]) for name, formula in FORMULAS.items()}
    # Among those that separate, the one whose axis alone is enough; else whichever does, else the radius.
    alone = [name for name, values in axes.items() if _cut(values, y) is not None]
    shown = axis if axis != "auto" else next(iter([*alone, *(name for name in lifts if lifts[name]), "radius"]))
    flat = bool(told.iloc[0, 0])
    said = [
        "A straight line separates the classes as they are: nothing has to be lifted."
        if flat
        else "No straight line separates the classes as they are.",
        *(
            f"With {FORMULAS[name]} as a third column, a plane {'does' if does else 'does not'}."
            for name, does in lifts.items()
        ),
    ]
    facts = {"flat": flat, "lifted": lifts, "shown": shown}
    figure = lift_plot(
        X,
        np.column_stack([X[:, 0], axes[shown]]),
        y,
        names,
        {"formula": FORMULAS[shown], "separable": lifts[shown], "cut": _cut(axes[shown], y), "classes": classes},
    )
    return Found(said, told, facts, figure)


def _cut(values: Array, y: Array) -> float | None:
    """The value that has one class below and the other above, if there is one."""
    first, second = values[y == 0], values[y == 1]
    if first.max() < second.min():
        return float((first.max() + second.min()) / 2)
    return float((second.max() + first.min()) / 2) if second.max() < first.min() else None


DIAGNOSTIC = Diagnostic(
    name="feature-lift",
    summary="Whether two classes that no straight line separates are separated by a third column (XOR, rings)",
    function=feature_lift,
    parameters={
        "target": "the column of two classes",
        "columns": "two columns of numbers, which are standardised: [first, second]",
        "axis": "the new column that is drawn: product, radius, or auto for the one that separates",
    },
)
