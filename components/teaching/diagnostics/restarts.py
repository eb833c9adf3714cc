"""Whether the start decides where a non-convex loss ends."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field
from scipy.special import expit

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.optimisation.descent import gradient_descent
from penstock.components.optimisation.trace import RULES, Stop, Trace
from penstock.components.teaching.inputs.linear_problem import SEED, linear_problem
from penstock.components.teaching.inputs.outcome import Array
from penstock.components.teaching.plots.solvers import restart_figure
from penstock.components.teaching.solvers.restarts import multi_start

ALIKE = 1e-3


def restarts(
    frame: pd.DataFrame,
    *,
    target: str,
    starts: Annotated[int, Field(ge=1, le=100)] = 10,
    spread: Annotated[float, Field(gt=0)] = 3.0,
    steps: Annotated[int, Field(ge=1, le=5000)] = 300,
    seed: int = 0,
) -> Found:
    """A sigmoid neuron with squared error, which is not convex, from random weights; the lowest end counts.

    A target of numbers is brought between 0 and 1 first.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 7.0, 8.0], "b": [1.0, 0.0, 2.0, 8.0, 7.0]})
    >>> table["class"] = ["no", "no", "no", "yes", "yes"]
    >>> len(find("restarts")(table, {"target": "class", "starts": 3, "steps": 50}).facts["ends"])
    3
    """
    problem = linear_problem(frame, target, seed=seed)
    X, y = problem.risk.X, problem.risk.y
    if problem.classes is None:
        X = np.column_stack([X, np.ones(len(y))])
    wanted = (y - y.min()) / (y.max() - y.min())
    rng = np.random.default_rng(seed)

    def loss(w: Array) -> float:
        return float(np.mean((wanted - expit(X @ w)) ** 2))

    def slope(w: Array) -> Array:
        out = expit(X @ w)
        steep: Array = -2 * X.T @ ((wanted - out) * out * (1 - out)) / len(y)
        return steep

    traces: list[Trace] = []

    def solve(start: Array) -> Trace:
        traces.append(gradient_descent(loss, slope, start, rate="search", stop=Stop(most=steps)))
        return traces[-1]

    best, ends = multi_start(solve, list(spread * rng.normal(size=(starts, X.shape[1]))))
    lowest = float(best.values[-1])
    as_low = int(np.sum(ends <= lowest * (1 + ALIKE) + 1e-12))
    table = pd.DataFrame(
        {
            "began at": [trace.values[0] for trace in traces],
            "ended at": ends,
            "steps": [trace.steps for trace in traces],
            "ended": [RULES[trace.rule] for trace in traces],
        },
        index=pd.RangeIndex(1, starts + 1, name="start"),
    )
    findings = [
        f"The lowest of {starts} ends is {lowest:.6g}, the highest {ends.max():.6g}; as low as that: {as_low}.",
        "One start would have done."
        if as_low == starts
        else "A single start can end higher: several are worth their time.",
    ]
    facts = {"ends": ends.tolist(), "best": lowest, "as_low": as_low}
    return Found(findings, table, facts, restart_figure([trace.values for trace in traces], lowest))


DIAGNOSTIC = Diagnostic(
    name="restarts",
    summary="Where a non-convex loss ends from several random starts, and how far apart these ends are",
    function=restarts,
    parameters={
        "target": "the column to predict: two classes, or numbers",
        "starts": "random starts, by default 10",
        "spread": "size of the random weights, by default 3",
        "steps": "the most steps from each, by default 300",
        "seed": SEED,
    },
    syllabus=("opt-multi-start", "proc_restarts"),
)
