"""What a squared penalty trades: bias and variance of ridge in closed form."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.diagnostics import Diagnostic, Found, amount
from penstock.components.schema import numbers, require_columns
from penstock.components.teaching.inputs.matrix import finite
from penstock.components.teaching.learning_theory.simulation import ridge_bias_variance
from penstock.components.teaching.plots.theory import curves
from penstock.errors import DataError

STEPS = 41


def ridge(
    frame: pd.DataFrame,
    *,
    target: str | None = None,
    weights: list[float] | None = None,
    noise: Annotated[float, Field(gt=0)] | None = None,
    penalty: Annotated[float, Field(ge=0)] = 1.0,
) -> Found:
    """The columns as they are: a column of ones is one of them. Weights and noise are given, or estimated.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    >>> find("ridge-bias-variance")(table, {"weights": [1.0], "noise": 1.0, "penalty": 2.0}).facts["bias"]
    [-0.125]
    """
    columns = {str(name): numbers(frame[name]) for name in frame.columns if name != target}
    table = pd.DataFrame(columns)
    table = table.dropna(axis=1, how="all") if target else table
    names = [str(name) for name in table.columns]
    if target is not None:
        require_columns(frame, [target])
        known = table.assign(**{"\0outcome": numbers(frame[target])}).dropna()
        _require_numbers(known, target)
        X, y = finite(known[names]), known["\0outcome"].to_numpy()
        y = y - y.mean()
        X = X - X.mean(axis=0)
        true = np.linalg.lstsq(X, y, rcond=None)[0]
        spread = float(np.sum((y - X @ true) ** 2) / max(len(y) - X.shape[1] - 1, 1))
    else:
        X, spread = finite(table), 1.0
        true = np.array(weights or [1.0] * X.shape[1])
    if weights is not None:
        true = np.array(weights)
    if len(true) != X.shape[1]:
        raise DataError(
            "PEN080",
            f"{len(true)} weights do not fit {X.shape[1]} columns",
            where="--set weights",
            remedy=f"give one for each of: {', '.join(names)}",
        )
    spread = noise if noise is not None else spread
    found, plain = (ridge_bias_variance(X, true, value, spread) for value in (penalty, 0.0))
    largest = float(np.linalg.eigvalsh(X.T @ X).max(initial=0.0))
    if largest <= 0:
        raise DataError(
            "PEN080",
            f"none of the {len(names)} columns of numbers varies, so there are no weights to shrink",
            where="the table",
            remedy="bring in columns of numbers that vary",
        )
    grid = largest * np.geomspace(1e-5, 1e2, STEPS)
    swept = [ridge_bias_variance(X, true, float(value), spread) for value in grid]
    whole = [one.squared_bias + one.variance for one in swept]
    best = float(grid[int(np.argmin(whole))])
    findings = [
        f"With a penalty of {penalty:g}, the weights are off by {amount(np.sqrt(found.squared_bias))} on average "
        f"(bias) and vary by {amount(found.variance)} (trace); without one they are right on average and vary by "
        f"{amount(plain.variance)}.",
        f"Bias² and variance together are least near a penalty of {best:.3g}.",
    ]
    facts = {
        "bias": found.bias.tolist(),
        "factors": found.factors.tolist(),
        "variance": found.variance,
        "least_squares_variance": plain.variance,
        "noise": spread,
        "best": best,
    }
    told = pd.DataFrame({"column": names, "weight": true, "bias": found.bias}).set_index("column")
    lines = {
        "bias²": [one.squared_bias for one in swept],
        "variance": [one.variance for one in swept],
        "both": whole,
    }
    figure = curves(
        "What the penalty trades",
        grid.tolist(),
        lines,
        across="Penalty",
        up="Squared error of the weights",
        marks={"this penalty": penalty} if penalty else None,
        log=("x", "y"),
    )
    return Found(findings, told, facts, figure)


def _require_numbers(known: pd.DataFrame, target: str) -> None:
    if known.shape[1] < 2 or len(known) < 2:
        raise DataError(
            "PEN080",
            f"{len(known)} rows have a number in '{target}' and in all of {known.shape[1] - 1} columns of numbers: too "
            "few to fit to",
            where=f"column '{target}'",
            remedy="name a target of numbers (classes have no weights by least squares), and fill missing numbers",
        )


DIAGNOSTIC = Diagnostic(
    name="ridge-bias-variance",
    summary="Bias and variance of ridge's weights for every penalty, in closed form",
    function=ridge,
    parameters={
        "target": "the column of numbers to predict: weights and noise are then estimated by least squares",
        "weights": "the true weights of the columns, where they are known",
        "noise": "variance of the noise, by default estimated, or 1",
        "penalty": "the penalty to look at, by default 1; the picture shows all",
    },
    syllabus=("theory-ridge-bias-variance",),
)
