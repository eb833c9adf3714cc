"""What losses make of the rows of a linear model."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.linear_problem import SEED, TARGET, linear_problem
from penstock.components.teaching.losses import MARGIN, RESIDUAL
from penstock.components.teaching.plots.penalties import loss_functions
from penstock.components.teaching.solvers.convexity import is_convex

RIDGE = 1.0


def losses(frame: pd.DataFrame, *, target: str, seed: int = 0) -> Found:
    """Margins of two classes, or residuals, of a ridge fit; each loss over them, and where its sum comes from.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> rng = np.random.default_rng(0)
    >>> table = pd.DataFrame(rng.normal(size=(40, 2)), columns=["a", "b"])
    >>> table["y"] = 2 * table["a"] + rng.normal(size=40)
    >>> find("losses")(table, {"target": "y"}).facts["rows"]
    40
    """
    problem = linear_problem(frame, target, seed=seed)
    X, y = problem.risk.X, problem.risk.y
    scores = X @ np.linalg.solve(X.T @ X + RIDGE * np.eye(X.shape[1]), X.T @ y)
    margins = problem.classes is not None
    at = y * scores if margins else y - scores
    known = MARGIN if margins else RESIDUAL
    hard = at < 0 if margins else np.abs(at) > np.quantile(np.abs(at), 0.9)
    table = pd.DataFrame(
        [
            {
                "loss": name,
                "mean": float(loss(at).mean()),
                "largest": float(loss(at).max()),
                "share from the worst rows": float(loss(at[hard]).sum() / max(loss(at).sum(), 1e-300)),
                "convex": is_convex(loss, float(at.min()) - 1, float(at.max()) + 1),
            }
            for name, loss in known.items()
        ]
    ).set_index("loss")
    worst = "on the wrong side" if margins else "the tenth that is missed most"
    findings = [
        f"{int(hard.sum())} of {len(at)} rows are {worst}.",
        *(f"{row.Index}: {row[3]:.0%} of the loss is theirs." for row in table.itertuples()),
        f"Convex, so that whatever is lowest nearby is lowest: {', '.join(table.index[table['convex']])}.",
    ]
    return Found(findings, table, {"rows": len(at), "worst": int(hard.sum())}, loss_functions(at, margins=margins))


DIAGNOSTIC = Diagnostic(
    name="losses",
    summary="Losses of one row over the margins or residuals of a linear fit: 0-1, squared, hinge, logistic and others",
    function=losses,
    parameters={"target": TARGET, "seed": SEED},
)
