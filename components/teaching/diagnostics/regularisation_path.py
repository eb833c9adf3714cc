"""How the weights of a linear model leave zero as its penalty falls."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
import pandas as pd
from pydantic import Field
from sklearn.linear_model import enet_path, lars_path

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.linear_problem import SEED, linear_problem
from penstock.components.teaching.inputs.outcome import Array
from penstock.components.teaching.plots.penalties import coefficient_path

STEPS = 60
MAX_COLUMNS = 30
MAX_SHOWN = 6
MAX_NAMED = 8


def regularisation_path(
    frame: pd.DataFrame,
    *,
    target: str,
    method: Literal["lasso", "ridge", "elastic-net"] = "lasso",
    l1_ratio: Annotated[float, Field(gt=0, le=1)] = 0.5,
    seed: int = 0,
) -> Found:
    """Of standardised columns. The lasso's path is exact: least angle regression gives its knots, and it is straight
    between them. Two classes are taken as -1 and 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, -1.0, -1.0, 1.0], "y": [0.0, 2.1, 3.9, 6.0]})
    >>> find("regularisation-path")(table, {"target": "y"}).facts["order"]
    ['a']
    """
    problem = linear_problem(frame, target, seed=seed, most_columns=MAX_COLUMNS)
    X, y = problem.risk.X, problem.risk.y
    names = problem.names
    if problem.classes is not None:
        X, names, y = X[:, :-1], names[:-1], y - y.mean()
    lambdas, weights = _path(X, y, method, l1_ratio)
    entered = [int(np.argmax(row != 0)) if (row != 0).any() else len(lambdas) for row in weights]
    order = [names[place] for place in np.argsort(entered, kind="stable") if entered[place] < len(lambdas)]
    largest = np.argsort(-np.abs(weights[:, -1]), kind="stable")[:MAX_SHOWN]
    shown = [names[place] for place in largest]
    table = pd.DataFrame(weights[largest].T, index=pd.Index(lambdas, name="lambda"), columns=shown)
    findings = [
        f"Columns in the order in which they come in: {_named(order)}.",
        f"Above a lambda of {lambdas[0]:.4g} all weights are zero."
        if method != "ridge"
        else "Ridge sets no weight to zero, however large lambda is.",
        *([f"The table has the {MAX_SHOWN} columns with the largest weights in the end."] * (len(names) > MAX_SHOWN)),
        *problem.left_out,
    ]
    facts = {"order": order, "lambdas": lambdas.tolist(), "weights": dict(zip(names, weights.tolist(), strict=True))}
    figure = coefficient_path(f"The path of {method}", lambdas, weights, names)
    return Found(findings, table, facts, figure)


def _named(columns: list[str]) -> str:
    more = f" and {len(columns) - MAX_NAMED} more" if len(columns) > MAX_NAMED else ""
    return f"{', '.join(columns[:MAX_NAMED])}{more}"


def _path(X: Array, y: Array, method: str, l1_ratio: float) -> tuple[Array, Array]:
    """lambda of the sum of squared errors + lambda * penalty, falling, and the weights at each, a row a column."""
    rows = len(y)
    if method == "lasso":
        alphas, _, weights = lars_path(X, y, method="lasso")
        return 2 * rows * alphas, weights
    if method == "elastic-net":
        alphas, weights, _ = enet_path(X, y, l1_ratio=l1_ratio, alphas=STEPS)
        return 2 * rows * alphas, weights
    left, sizes, right = np.linalg.svd(X, full_matrices=False)
    lambdas = sizes.max() ** 2 * np.geomspace(1e2, 1e-4, STEPS)
    shrunk = sizes[:, None] / (sizes[:, None] ** 2 + lambdas) * (left.T @ y)[:, None]
    return lambdas, right.T @ shrunk


DIAGNOSTIC = Diagnostic(
    name="regularisation-path",
    summary="Which columns come in, and how their weights grow, as the penalty of lasso, ridge or elastic net falls",
    function=regularisation_path,
    parameters={
        "target": "the column to predict: numbers, or two classes",
        "method": "lasso (the whole path by least angle regression), ridge or elastic-net; by default lasso",
        "l1_ratio": "of elastic-net: the share of the penalty that is on sizes, by default 0.5",
        "seed": SEED,
    },
)
