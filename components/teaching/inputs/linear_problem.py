"""A table as a problem for solvers: the risk of a linear model on standardised columns."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from penstock.components.optimisation.risk import Risk
from penstock.components.teaching.inputs.matrix import finite
from penstock.components.teaching.inputs.outcome import learnable, standardised, thinned

Array = np.ndarray[Any, Any]

MAX_ROWS = 1_000
MAX_COLUMNS = 12
TARGET = (
    "the column to predict: numbers for least squares, two classes for logistic regression; of more than "
    f"{MAX_COLUMNS} columns, those that go most with it are looked at"
)
SEED = f"decides which rows are looked at where there are more than {MAX_ROWS:,}, and what is drawn, by default 0"


class LinearProblem(NamedTuple):
    """`risk` is the mean loss, `names` are its weights; the columns that go most with the target come first.

    `left_out` says in words how many columns were not looked at, where there were too many.
    """

    risk: Risk
    names: list[str]
    classes: list[str] | None
    left_out: list[str]


def linear_problem(
    frame: pd.DataFrame,
    target: str,
    *,
    seed: int = 0,
    penalty: float = 0.0,
    power: Literal[1, 2] = 2,
    most_columns: int = MAX_COLUMNS,
) -> LinearProblem:
    """Least squares of a standardised target, or logistic losses of two classes, whose constant is the last weight."""
    found = learnable(frame, target)
    finite(pd.DataFrame(found.X, columns=found.names))
    found = thinned(learnable(frame, target, two_classes=found.classes is not None), MAX_ROWS, seed)
    X = standardised(found.X)
    y = standardised(found.y.astype(float)[:, None])[:, 0]
    order = np.argsort(-np.abs(X.T @ y), kind="stable")[:most_columns]
    left_out = []
    if len(found.names) > most_columns:
        left_out = [f"Of {len(found.names)} columns, the {most_columns} that go most with {target} are looked at."]
    X, names = X[:, order], [found.names[place] for place in order]
    if found.classes is None:
        return LinearProblem(Risk(X, y, "squared", penalty, power), names, None, left_out)
    X = np.column_stack([X, np.ones(len(y))])
    signs = np.where(found.y == 1, 1.0, -1.0)
    return LinearProblem(Risk(X, signs, "logistic", penalty, power), [*names, "constant"], found.classes, left_out)


def first_two(problem: LinearProblem) -> LinearProblem:
    """The same with two weights, which can be drawn; a second column of nothing where there is but one."""
    risk = problem.risk
    X, names = risk.X[:, :2], problem.names[:2]
    if X.shape[1] < 2:
        X, names = np.column_stack([X, np.ones(len(X))]), [*names, "constant"]
    return problem._replace(risk=Risk(X, risk.y, risk.loss, risk.penalty, risk.power), names=names)
