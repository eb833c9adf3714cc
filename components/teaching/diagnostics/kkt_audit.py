"""The audit of a support vector machine: whether the conditions of Karush, Kuhn and Tucker hold, row by row."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from pydantic import Field
from sklearn.exceptions import ConvergenceWarning

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.plots.margins import margin_plot
from penstock.components.svm.machine import SupportVectorMachine
from penstock.components.svm.optimum import cases
from penstock.components.teaching.inputs.columns import classed
from penstock.components.teaching.plots.borders import multiplier_plot
from penstock.errors import DataError

Solver = Literal["libsvm", "exact", "smo"]
Cost = Annotated[float, Field(gt=0, le=1e12)]


def kkt_audit(
    frame: pd.DataFrame,
    *,
    target: str,
    columns: list[str] | None = None,
    kernel: str = "linear",
    C: Cost = 1.0,
    gamma: float | None = None,
    degree: float = 3,
    coef0: float = 1.0,
    margin: Literal["soft", "hard"] = "soft",
    solver: Solver = "exact",
    steps: int = -1,
    scale: bool = True,
    tolerance: float = 1e-3,
) -> Found:
    """A machine fitted to two classes, by the solver asked for, and how far it is from an optimum.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 7.0, 8.0], "b": [1.0, 0.0, 2.0, 8.0, 7.0]})
    >>> table["class"] = ["no", "no", "no", "yes", "yes"]
    >>> find("kkt-audit")(table, {"target": "class"}).facts["holds"]
    True
    """
    X, y, names, classes = classed(frame, target, columns)
    if scale:
        spread = X.std(axis=0)
        X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    model = SupportVectorMachine(
        kernel, C, margin, solver=solver, gamma="scale" if gamma is None else gamma, degree=degree, coef0=coef0,
        tol=tolerance / 100, max_iter=steps,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the audit says so itself
        try:
            model.fit(X, y)
        except ValueError as error:
            raise DataError(
                "PEN072",
                f"no support vector machine can be fitted: {error}",
                where=f"column '{target}'",
                remedy="take another kernel, gamma, margin or number of steps",
            ) from None
    (found,) = model.audits()
    signs = np.where(y == 1, 1.0, -1.0)
    alpha = np.zeros(len(y))
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    margins = signs * model.decision_function(X)
    upper = np.full(len(y), C if margin == "soft" else np.inf)
    edge, inside = cases(alpha, upper)
    width = 2 / np.sqrt(squared) if (squared := 2 * (found.primal - C * np.maximum(0, 1 - margins).sum())) > 0 else None
    if margin == "hard":
        width = 2 / np.sqrt(2 * found.primal)
    holds = found.holds(tolerance)
    said = [
        f"{'Every condition of the optimum holds' if holds else 'This is no optimum'}: the worst row is off by "
        f"{found.worst:.3g}, sum a y by {found.balance:.3g}, and primal and dual differ by {found.gap:.3g}.",
        f"{len(model.support_)} of {len(y)} rows are support vectors: {found.on_edge} on the edge of the margin, "
        f"{found.inside} in it or on the wrong side. The other {found.outside} could be left out.",
    ]
    if width:
        said.append(f"The margin is {width:.4g} wide (2 / |w|); the border lies where f = 0, with a bias of "
                    f"{model.intercept_[0]:.4g}, from the rows on the edge alone.")  # fmt: skip
    if model.steps_:
        said.append(f"SMO took {len(model.steps_)} steps of two multipliers; the dual never fell.")
    groups = {"outside, a = 0": ~edge & ~inside, "on the edge, 0 < a < C": edge, "inside or wrong, a = C": inside}
    table = pd.DataFrame(
        {
            "rows": [int(group.sum()) for group in groups.values()],
            "least y f": [float(margins[group].min()) if group.any() else np.nan for group in groups.values()],
            "largest y f": [float(margins[group].max()) if group.any() else np.nan for group in groups.values()],
            "sum of a": [float(alpha[group].sum()) for group in groups.values()],
        },
        index=pd.Index(list(groups), name="case"),
    )
    facts: dict[str, Any] = {
        **found.as_facts(), "holds": holds, "width": width, "bias": float(model.intercept_[0]),
        "support": [int(row) for row in model.support_], "steps": [list(step) for step in model.steps_[:1000]],
    }  # fmt: skip
    if len(names) == 2:
        figure = margin_plot(X, signs, model.decision_function, {"edge": edge, "inside": inside}, names, classes, width)
    else:
        figure = multiplier_plot(margins, alpha, float(upper[0]))
    return Found(said, table, facts, figure)


DIAGNOSTIC = Diagnostic(
    name="kkt-audit",
    summary="Whether a support vector machine is at its optimum (Karush, Kuhn, Tucker), its margin and support vectors",
    function=kkt_audit,
    parameters={
        "target": "the column of two classes",
        "columns": "the columns of numbers to use, by default all; two are drawn with the margin between the classes",
        "kernel": "linear by default; a name, a sum or product of kernels, or normalised(...)",
        "C": "what a row inside the margin costs, by default 1",
        "gamma": "width of the kernel; by default by the spread of the columns",
        "degree": "of the kernel poly, by default 3",
        "coef0": "of the kernels poly and sigmoid, by default 1",
        "margin": "soft (default), or hard, which refuses classes that cannot be separated",
        "solver": "exact (default), libsvm, or smo, whose steps are kept",
        "steps": "the most steps of smo and libsvm; few of them show an audit that fails",
        "scale": "whether columns are standardised first, by default true",
        "tolerance": "how far a condition may be off, by default 0.001",
    },
    syllabus=("svm-kkt-audit",),
)
