"""Solvers of one problem side by side: what each step costs and gains, and why it ends."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.diagnostics import Diagnostic, Found, steps_of
from penstock.components.optimisation.descent import gradient_descent, schedule
from penstock.components.optimisation.risk import Prefactor, Risk
from penstock.components.optimisation.trace import RULES, Stop, Trace
from penstock.components.teaching.inputs.linear_problem import SEED, TARGET, first_two, linear_problem
from penstock.components.teaching.plots.solvers import solver_figure
from penstock.components.teaching.solvers.conjugate import conjugate_gradient
from penstock.components.teaching.solvers.coordinate import coordinate_descent
from penstock.components.teaching.solvers.newton import newton
from penstock.components.teaching.solvers.stochastic import stochastic_descent

STOP = Stop(most=500)
SWEEPS = Stop(most=50)


def solvers(
    frame: pd.DataFrame,
    *,
    target: str,
    penalty: Annotated[float, Field(ge=0)] = 0.0,
    on: Literal["squares", "sizes"] = "squares",
    rate: Annotated[float, Field(gt=0)] | None = None,
    batch: Annotated[int, Field(ge=1)] = 100,
    epochs: Annotated[int, Field(ge=1, le=1000)] = 20,
    prefactor: Prefactor = "mean",
    seed: int = 0,
) -> Found:
    """From weights of zero. A penalty on sizes has no slope at zero: there subgradients and coordinates do the work.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.1, 4.9, 7.0, 9.0]})
    >>> round(find("solvers")(table, {"target": "y", "epochs": 2}).facts["weights"]["x"], 2)
    1.0
    """
    problem = linear_problem(frame, target, seed=seed, penalty=penalty, power=1 if on == "sizes" else 2)
    paces: dict[str, Any] = {"batch": batch, "epochs": epochs, "prefactor": prefactor, "seed": seed}
    traces = _traces(problem.risk, rate, paces)
    least = min(float(np.nanmin(trace.values)) for trace in traces.values() if not trace.lost)
    told = [_told(name, trace, problem.risk, least, batch) for name, trace in traces.items()]
    table = pd.DataFrame(told).set_index("solver")
    rate = rate or 1 / problem.risk.steepest()
    findings = [
        f"The lowest value found is {least:.6g}; gradient descent with a constant rate converges below "
        f"{2 / problem.risk.steepest():.3g}, and {rate:.3g} was taken.",
        *(f"{one['solver']}: {steps_of(one['steps'])}; {one['ended']}." for one in told),
        *problem.left_out,
    ]
    small = first_two(problem)
    drawn = {name: trace.points for name, trace in _traces(small.risk, rate, {**paces, "epochs": 3}).items()}
    gaps = {name: np.maximum(trace.values - least, 1e-16) for name, trace in traces.items()}
    facts: dict[str, Any] = {
        "least": least,
        "rate": rate,
        "weights": dict(zip(problem.names, _best(traces).end.tolist(), strict=True)),
    }
    return Found(findings, table, facts, solver_figure(small.risk.value, drawn, gaps, small.names))


def _traces(risk: Risk, rate: float | None, paces: dict[str, Any]) -> dict[str, Trace]:
    start = np.zeros(risk.X.shape[1])
    rate = rate or 1 / risk.steepest()
    steps = -(-risk.rows // paces["batch"]) * paces["epochs"]
    sparse = risk.power == 1 and risk.penalty > 0
    name = "subgradient descent" if sparse else "gradient descent"
    pace = schedule("root", rate, STOP.most) if sparse else rate
    found = {name: gradient_descent(risk.value, risk.slope, start, rate=pace, stop=STOP)}
    if not sparse:
        found["searched rate"] = gradient_descent(risk.value, risk.slope, start, rate="search", stop=STOP)
        if risk.loss == "squared":
            bend, pull = risk.curvature(start), -risk.slope(start)
            found["conjugate gradients"] = conjugate_gradient(risk.value, bend, pull, start)
        found["Newton"] = newton(risk.value, risk.slope, risk.curvature, start)
    found["stochastic"] = stochastic_descent(risk, start, rate=schedule("linear", rate, steps), **paces)
    found["coordinates"] = coordinate_descent(risk.value, start, stop=SWEEPS)
    return found


def _best(traces: dict[str, Trace]) -> Trace:
    return min(traces.values(), key=lambda trace: trace.values[-1] if not trace.lost else np.inf)


def _told(name: str, trace: Trace, risk: Risk, least: float, batch: int) -> dict[str, Any]:
    looked = trace.steps * min(batch, risk.rows) if name == "stochastic" else trace.steps * risk.rows
    return {
        "solver": name,
        "steps": trace.steps,
        "passes over the rows": looked / risk.rows,
        "value": float(trace.values[-1]),
        "above the least": float(trace.values[-1]) - least,
        "weights at zero": int(np.sum(trace.end == 0)),
        "rule": trace.rule,
        "ended": RULES[trace.rule],
    }


DIAGNOSTIC = Diagnostic(
    name="solvers",
    summary="Newton, gradient, conjugate, stochastic and coordinate steps on one linear problem: value, why they end",
    function=solvers,
    parameters={
        "target": TARGET,
        "penalty": "weight of the penalty, per sum of losses, by default 0",
        "on": "what is penalised: squares of the weights, or their sizes; by default squares",
        "rate": "the constant rate, by default 1 / the largest curvature",
        "batch": "rows of a stochastic step, by default 100",
        "epochs": "passes of stochastic descent, by default 20",
        "prefactor": "what a batch's sum is divided by: its own rows (mean), all rows (whole) or nothing (sum); a rate "
        "for one does not serve another; by default mean",
        "seed": SEED,
    },
    syllabus=(
        "linclf-logistic-solvers",
        "opt-conjugate-gradient",
        "opt-coordinate-descent",
        "opt-gradient-descent",
        "opt-newton",
        "opt-sgd",
        "opt-subgradient",
    ),
)
