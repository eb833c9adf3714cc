"""Why some penalties set weights to zero."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components import catalog
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.linear_problem import SEED, first_two, linear_problem
from penstock.components.teaching.plots.penalties import penalty_contours

POWERS = (2.0, 1.0, 0.5)


def penalties(
    frame: pd.DataFrame, *, target: str, share: Annotated[float, Field(gt=0, lt=1)] = 0.4, seed: int = 0
) -> Found:
    """Two columns: the lowest error within each ball, which uses a share of what least squares use.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, -1.0, -1.0, 1.0], "y": [0.0, 2.1, 3.9, 6.0]})
    >>> find("penalties")(table, {"target": "y"}).facts["zero"]
    ['b']
    """
    problem = first_two(linear_problem(frame, target, seed=seed))
    X, y, names = problem.risk.X, problem.risk.y, problem.names
    best = np.linalg.lstsq(X, y, rcond=None)[0]
    balls = {}
    for norm, power in (("l2", 2.0), ("l1", 1.0)):
        given = {"norm": norm, "share": share, "fit_intercept": False}
        model = catalog.build("norm-constrained-regression", given, seed=seed).fit(X, y)
        balls[power] = (model.coef_, model.bound_, model.penalty_)
    table = pd.DataFrame(
        [
            {"penalty": f"|w|^{power:g}", names[0]: found[0], names[1]: found[1], "bound": bound, "lambda": lam}
            for power, (found, bound, lam) in balls.items()
        ]
    ).set_index("penalty")
    zero = [names[place] for place in range(2) if balls[1.0][0][place] == 0]
    findings = [
        f"Least squares give {names[0]} {best[0]:.4g} and {names[1]} {best[1]:.4g}.",
        f"Within the diamond, {zero[0]} is exactly zero: the lowest point is a corner."
        if zero
        else "Within the diamond no weight is zero here; a smaller share leads to a corner.",
        "Within the ball both are shrunk, and neither is zero.",
    ]
    facts = {"least_squares": best.tolist(), "zero": zero}
    touching = {power: (found, bound) for power, (found, bound, _) in balls.items()}
    return Found(findings, table, facts, penalty_contours(X, y, best, touching, names, POWERS))


DIAGNOSTIC = Diagnostic(
    name="penalties",
    summary="Balls of several norms touching the contours of the error, and how each penalty shrinks a weight",
    function=penalties,
    parameters={
        "target": "the column to predict: numbers, or two classes",
        "share": "of what least squares use, the share that weights may use, by default 0.4",
        "seed": SEED,
    },
)
