"""What the rate of gradient descent decides: slow, good, diverging; and what decay, momentum and adaptation change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import pandas as pd
from pydantic import Field

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.optimisation.descent import gradient_descent, schedule
from penstock.components.optimisation.trace import RULES, Stop, Trace
from penstock.components.teaching.inputs.linear_problem import SEED, TARGET, linear_problem
from penstock.components.teaching.inputs.outcome import Array
from penstock.components.teaching.plots.solvers import rate_curves
from penstock.components.teaching.solvers.stochastic import stochastic_descent

SHARES = (0.05, 0.5, 1.0, 1.9, 2.2)
BATCH = 20


def learning_rates(
    frame: pd.DataFrame,
    *,
    target: str,
    rates: Annotated[list[Annotated[float, Field(gt=0)]], Field(min_length=1, max_length=6)] | None = None,
    steps: Annotated[int, Field(ge=2, le=2000)] = 60,
    seed: int = 0,
) -> Found:
    """The same problem with several constant rates, and stochastic descent with several ways of decay.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.1, 4.9, 7.0, 9.0]})
    >>> find("learning-rates")(table, {"target": "y"}).facts["diverging"]
    ['1.1']
    """
    problem = linear_problem(frame, target, seed=seed)
    risk = problem.risk
    start = risk.X[0] * 0
    limit = 2 / risk.steepest()
    stop = Stop(step=None, gradient=None, most=steps)

    def descend(**given: Any) -> Trace:
        return gradient_descent(risk.value, risk.slope, start, stop=stop, **given)

    def jitter(rate: Callable[[int], float]) -> Trace:
        return stochastic_descent(risk, start, rate=rate, batch=BATCH, epochs=steps, seed=seed, stop=stop)

    constant = {f"{rate:.3g}": descend(rate=rate) for rate in rates or [share * limit / 2 for share in SHARES]}
    good = limit / 2
    updates = -(-risk.rows // BATCH) * steps
    others = {"momentum 0.9": descend(rate=good / 2, momentum=0.9), "adaptive": descend(rate=0.3, adaptive=True)}
    decayed = {
        f"stochastic, {kind}": jitter(schedule(kind, good / 2, updates))
        for kind in ("constant", "step", "cosine", "linear")
    }
    traces = {**{f"rate {name}": trace for name, trace in constant.items()}, **others, **decayed}
    table = pd.DataFrame(
        [
            {"way": name, "steps": trace.steps, "value": float(trace.values[-1]), "ended": RULES[trace.rule]}
            for name, trace in traces.items()
        ]
    ).set_index("way")
    wild = [name for name, trace in constant.items() if trace.lost or trace.values[-1] > trace.values[0]]
    calm = {name: trace for name, trace in constant.items() if name not in wild}
    best = min(calm, key=lambda name: calm[name].values[-1], default=None)
    said = {"squared": "squared errors", "logistic": "logistic losses, which may bear more"}[risk.loss]
    findings = [
        f"A constant rate converges below {limit:.3g}, twice over the largest curvature of {said}.",
        f"Too large: {', '.join(wild)}." if wild else "None of these rates is too large.",
        *([f"The lowest after {steps} steps: {best}."] if best else []),
        *problem.left_out,
    ]
    curves: dict[str, Array] = {name: trace.values for name, trace in traces.items()}
    facts = {"limit": limit, "diverging": wild, "best": best}
    return Found(findings, table, facts, rate_curves(curves, list(decayed)))


DIAGNOSTIC = Diagnostic(
    name="learning-rates",
    summary="Loss against steps for several rates of gradient descent, and for decay, momentum and adaptive rates",
    function=learning_rates,
    parameters={
        "target": TARGET,
        "rates": "constant rates to try, by default from a fortieth of the largest that converges to a tenth above it",
        "steps": "steps, and epochs of stochastic descent, by default 60",
        "seed": SEED,
    },
    syllabus=("proc_learning_rate_rule",),
)
