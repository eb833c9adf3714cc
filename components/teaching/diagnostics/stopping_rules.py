"""When training may end: five rules, each tried alone."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.diagnostics import Diagnostic, Found, steps_of
from penstock.components.optimisation.descent import gradient_descent
from penstock.components.optimisation.risk import Risk
from penstock.components.optimisation.trace import RULES, Stop
from penstock.components.teaching.inputs.linear_problem import SEED, TARGET, linear_problem
from penstock.components.teaching.plots.solvers import stopping_figure
from penstock.errors import UsageError

NEVER: dict[str, Any] = {"step": None, "gradient": None, "error": None, "patience": None}
Small = Annotated[float, Field(gt=0)]


def stopping_rules(
    frame: pd.DataFrame,
    *,
    target: str,
    eps: Small = 1e-6,
    error: Small | None = None,
    patience: Annotated[int, Field(ge=1)] = 20,
    most: Annotated[int, Field(ge=2, le=20_000)] = 2_000,
    validation_fraction: Annotated[float, Field(gt=0, lt=1)] = 0.3,
    seed: int = 0,
) -> Found:
    """Gradient descent from small random weights on a part of the rows; the others are asked by one rule only.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> rng = np.random.default_rng(0)
    >>> table = pd.DataFrame(rng.normal(size=(40, 2)), columns=["a", "b"])
    >>> table["y"] = 2 * table["a"] + rng.normal(size=40)
    >>> sorted(find("stopping-rules")(table, {"target": "y", "most": 50}).facts["fired"])
    ['error', 'gradient', 'most', 'step', 'validation']
    """
    problem = linear_problem(frame, target, seed=seed)
    rng = np.random.default_rng(seed)
    whole = problem.risk
    order = rng.permutation(whole.rows)
    cut = max(1, round(validation_fraction * whole.rows))
    if cut == whole.rows:
        raise UsageError(
            "PEN082",
            f"a share of {validation_fraction:g} of {whole.rows} rows leaves none to learn from",
            where="--set validation_fraction",
            remedy="hold out less, by default 0.3",
        )
    risk, others = (Risk(whole.X[rows], whole.y[rows], whole.loss) for rows in (order[cut:], order[:cut]))
    start = rng.normal(scale=0.01, size=whole.X.shape[1])
    goal = error if error is not None else (risk.value(start) + _floor(risk)) / 2
    each = {"step": eps, "gradient": eps, "error": goal, "patience": patience}
    rules = {name: Stop(**{**NEVER, name: value}, most=most) for name, value in each.items()}
    rules["most"] = Stop(**NEVER, most=min(most, 100))
    rate = 1 / risk.steepest()
    found = {
        name: gradient_descent(risk.value, risk.slope, start, rate=rate, stop=stop, validation_loss=others.value)
        for name, stop in rules.items()
    }
    table = pd.DataFrame(
        [
            {
                "rule": "validation" if name == "patience" else name,
                "steps": trace.steps,
                "fired": trace.rule,
                "ended": RULES[trace.rule],
                "training loss": risk.value(trace.end),
                "loss on other rows": others.value(trace.end),
            }
            for name, trace in found.items()
        ]
    ).set_index("rule")
    findings = [
        f"{rule}: {RULES[trace.rule]} after {steps_of(trace.steps)}."
        for rule, trace in zip(table.index, found.values(), strict=True)
    ]
    findings += problem.left_out
    longest = max(found.values(), key=lambda trace: trace.steps)
    curves = {"training rows": longest.values, "other rows": np.array([others.value(w) for w in longest.points])}
    marks = {str(name): int(steps) for name, steps in table["steps"].items()}
    facts = {"fired": table["fired"].to_dict(), "rate": rate, "goal": goal}
    return Found(findings, table, facts, stopping_figure(curves, marks))


def _floor(risk: Risk) -> float:
    """About the least value: that of least squares, or zero of logistic losses."""
    if risk.loss == "logistic":
        return 0.0
    return risk.value(np.linalg.lstsq(risk.X, risk.y, rcond=None)[0])


DIAGNOSTIC = Diagnostic(
    name="stopping-rules",
    summary="When gradient descent ends by each rule alone: step, gradient, training error, other rows, steps made",
    function=stopping_rules,
    parameters={
        "target": TARGET,
        "eps": "how short a step, or a gradient, ends it, by default 1e-6",
        "error": "the training loss that is small enough, by default halfway down",
        "patience": "steps without a lower loss on other rows that end it, by default 20",
        "most": "the most steps of any rule, by default 2000",
        "validation_fraction": "share of the rows that are not trained on, by default 0.3",
        "seed": SEED,
    },
    syllabus=("proc_gd_loop_dual_stop", "proc_stopping_criteria"),
)
