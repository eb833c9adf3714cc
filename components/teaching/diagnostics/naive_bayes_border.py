"""The border of Gaussian naive Bayes: a quadratic, column by column."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.bayes.gaussian import GaussianNaiveBayes
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.columns import classed
from penstock.components.teaching.plots.borders import border_plot

Array = np.ndarray[Any, Any]

MAX_CLASSES = 10


def naive_bayes_border(
    frame: pd.DataFrame,
    *,
    target: str,
    columns: list[str] | None = None,
    var_smoothing: Annotated[float, Field(ge=0)] = 1e-9,
    ddof: Literal[0, 1] = 0,
) -> Found:
    """Of two classes: sum_j (a_j x_j² + b_j x_j) + c = 0, from means, variances and shares; of more, of each pair.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 7.0, 8.0], "b": [1.0, 0.0, 2.0, 8.0, 7.0]})
    >>> table["class"] = ["no", "no", "no", "yes", "yes"]
    >>> find("naive-bayes-border")(table, {"target": "class"}).facts["classes"]
    ['no', 'yes']
    """
    X, y, names, classes = classed(frame, target, columns, most_classes=MAX_CLASSES)
    model = GaussianNaiveBayes(var_smoothing=var_smoothing, ddof=ddof).fit(X, y)
    if len(classes) > 2:
        return _pairs(model, names, classes)
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


def _pairs(model: GaussianNaiveBayes, names: list[str], classes: list[str]) -> Found:
    """A border in pieces, each of the pair of classes that is likeliest there."""
    parts, constants = [], {}
    for first, second in combinations(range(len(classes)), 2):
        a, b, c = quadratic_boundary(model, first, second)
        pair = {"class": classes[first], "other": classes[second]}
        parts.append(pd.DataFrame({**pair, "column": names, "square": a, "straight": b, "constant": c}))
        constants[f"{classes[first]}, {classes[second]}"] = c
    said = [
        "Of each pair, the first class is likelier where the sum over columns of square * x² + straight * x, plus the "
        "constant, is above zero; a row is of the class that wins against all others.",
        f"The border of {len(classes)} classes is made of pieces of {len(constants)} quadratics.",
    ]
    table = pd.concat(parts).set_index(["class", "other", "column"])
    return Found(said, table, {"constants": constants, "classes": classes}, None)


def quadratic_boundary(model: GaussianNaiveBayes, first: int = 0, second: int = 1) -> tuple[Array, Array, float]:
    """a, b and c of the border sum_j (a_j x_j² + b_j x_j) + c = 0 between two classes; above zero lies the first."""
    pair = [first, second]
    (mean0, mean1), (var0, var1) = model.theta_[pair], model.var_[pair]
    prior0, prior1 = model.class_prior_[pair]
    a = 1 / (2 * var1) - 1 / (2 * var0)
    b = mean0 / var0 - mean1 / var1
    c = np.log(prior0 / prior1) + np.sum(np.log(var1 / var0) / 2 - mean0**2 / (2 * var0) + mean1**2 / (2 * var1))
    return a, b, float(c)


DIAGNOSTIC = Diagnostic(
    name="naive-bayes-border",
    summary="The quadratic border that Gaussian naive Bayes draws between two classes, or each pair of more",
    function=naive_bayes_border,
    parameters={
        "target": "the column of classes, two or a few",
        "columns": "the columns of numbers to use, by default all; two are drawn",
        "var_smoothing": "share of the largest variance that is added to all, by default 1e-9",
        "ddof": "1 divides a class's squares by one row fewer, by default 0",
    },
    syllabus=("bayes-nb-boundary",),
)
