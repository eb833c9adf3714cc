"""The border of Gaussian naive Bayes: a quadratic, column by column."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.bayes.gaussian import GaussianNaiveBayes, quadratic_boundary
from penstock.components.diagnostics.base import Diagnostic, Found
from penstock.components.diagnostics.columns import classed
from penstock.components.plots.margins import border_plot


def naive_bayes_border(
    frame: pd.DataFrame, *, target: str, columns: list[str] | None = None, var_smoothing: float = 1e-9
) -> Found:
    """Of two classes: sum_j (a_j x_j² + b_j x_j) + c = 0, from means, variances and shares."""
    X, y, names, classes = classed(frame, target, columns)
    model = GaussianNaiveBayes(var_smoothing=var_smoothing).fit(X, y)
    a, b, c = quadratic_boundary(model)
    table = pd.DataFrame({"square": a, "straight": b}, index=pd.Index(names, name="column"))
    straight = bool(np.all(np.abs(a) <= 1e-9 * np.abs(1 / model.var_).max(axis=0)))
    said = [
        f"'{classes[0]}' is likelier where the sum over columns of square * x² + straight * x, plus {c:.4g}, is above "
        f"zero, '{classes[1]}' where it is below.",
        "Both classes have the same variances, so that the border is straight."
        if straight
        else f"The border bends most along {names[int(np.argmax(np.abs(a) * X.var(axis=0)))]}.",
    ]
    figure = None
    if len(names) == 2:
        figure = border_plot(X, y, lambda points: points**2 @ a + points @ b + c, names, classes)
    return Found(said, table, {"constant": c, "classes": classes, "straight": straight}, figure)


DIAGNOSTIC = Diagnostic(
    name="naive-bayes-border",
    summary="The quadratic border that Gaussian naive Bayes draws between two classes",
    function=naive_bayes_border,
    parameters={
        "target": "the column of two classes",
        "columns": "the columns of numbers to use, by default all; two are drawn",
        "var_smoothing": "share of the largest variance that is added to all, by default 1e-9",
    },
    syllabus=("bayes-nb-boundary",),
)
