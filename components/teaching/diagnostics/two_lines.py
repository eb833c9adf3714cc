"""Least squares upright and at right angles: which errors a line makes small."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.dimensionality_reduction.pca import PCA
from penstock.components.dimensionality_reduction.total_least_squares import TotalLeastSquares
from penstock.components.schema import numbers, require_columns
from penstock.components.teaching.plots.planes import lines_figure
from penstock.errors import DataError

UPRIGHT, RIGHT_ANGLES = "least squares", "first principal component"


def two_lines(frame: pd.DataFrame, *, x: str, y: str) -> Found:
    """The line by ordinary least squares, and the first principal component, which is total least squares.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.1, 4.9, 7.0, 9.0]})
    >>> round(find("two-lines")(table, {"x": "x", "y": "y"}).facts["lines"]["least squares"]["slope"], 2)
    1.99
    """
    require_columns(frame, [x, y])
    rows = pd.DataFrame({"x": numbers(frame[x]), "y": numbers(frame[y])}).dropna()
    if len(rows) < 3 or rows["x"].nunique() < 2 or rows["y"].nunique() < 2:
        raise DataError(
            "PEN349",
            f"{len(rows)} rows have both numbers, and both have to vary",
            where=f"columns '{x}' and '{y}'",
            remedy="name two columns of numbers that differ from row to row",
        )
    X, target = rows[["x"]].to_numpy(), rows["y"].to_numpy()
    plain, total = LinearRegression().fit(X, target), TotalLeastSquares().fit(X, target)
    way = PCA(1, svd_solver="full").fit(rows.to_numpy()).components_[0]
    lines = {
        UPRIGHT: (float(plain.coef_[0]), float(plain.intercept_)),
        RIGHT_ANGLES: (float(total.coef_[0]), float(total.intercept_)),
    }
    errors = {
        name: {
            "slope": slope,
            "upright": float(np.sum((target - slope * X[:, 0] - height) ** 2)),
            "at right angles": float(np.sum((target - slope * X[:, 0] - height) ** 2) / (1 + slope**2)),
        }
        for name, (slope, height) in lines.items()
    }
    table = pd.DataFrame(errors).T.rename_axis("line")
    findings = [
        f"Least squares has a slope of {lines[UPRIGHT][0]:.4g}, the first principal component "
        f"{lines[RIGHT_ANGLES][0]:.4g}: the former makes errors in one column small, the latter in both.",
        "Errors at right angles hang on the units of both columns; upright ones only on those of the target.",
    ]
    facts = {"lines": errors, "component": way.tolist()}
    return Found(findings, table, facts, lines_figure(X[:, 0], target, lines, (x, y)))


DIAGNOSTIC = Diagnostic(
    name="two-lines",
    summary="A line by least squares beside the first principal component: upright errors, and errors at right angles",
    function=two_lines,
    parameters={"x": "the column across", "y": "the column upright"},
)
