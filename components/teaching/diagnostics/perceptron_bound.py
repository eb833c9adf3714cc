"""How often the perceptron can be wrong before it is right for good."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.analysis.hyperplane import separating
from penstock.components.diagnostics import Diagnostic, Found, amount
from penstock.components.teaching.inputs.outcome import Positive, learnable, standardised, thinned
from penstock.components.teaching.learning_theory.hyperplanes import (
    least_slack,
    widest_margin,
)
from penstock.components.teaching.learning_theory.perceptron import perceptron_updates
from penstock.components.teaching.plots.theory import two_sides

MAX_ROWS = 2_000


def perceptron_bound(
    frame: pd.DataFrame,
    *,
    target: str,
    intercept: bool = True,
    standardise: bool = True,
    most: Positive = 100_000,
    seed: int = 0,
) -> Found:
    """(R / gamma)^2 with the widest margin through the origin, beside the updates that the rows really cause.

    The bound counts updates, not rows looked at, and needs a start at zero.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 7.0, 8.0], "b": [1.0, 0.0, 2.0, 8.0, 7.0]})
    >>> table["class"] = ["no", "no", "no", "yes", "yes"]
    >>> find("perceptron-bound")(table, {"target": "class"}).facts["separable"]
    True
    """
    found = thinned(learnable(frame, target, two_classes=True), MAX_ROWS, seed)
    columns = standardised(found.X) if standardise else found.X
    X = np.column_stack([np.ones(len(found.y)), columns]) if intercept else columns
    signs = np.where(found.y == 1, 1.0, -1.0)
    radius = float(np.linalg.norm(X, axis=1).max())
    parting = separating(columns, signs > 0, intercept=intercept)
    classes = found.classes or ["", ""]
    facts: dict[str, float | int | bool | None] = {"separable": parting is not None, "radius": radius}
    if parting is None:
        findings = [
            f"No hyperplane {'' if intercept else 'through the origin '}parts the classes: the perceptron never comes "
            "to an end, and there is no bound."
        ]
        weights, start = least_slack(columns, signs > 0, intercept=intercept)
        scores = (columns @ weights + start) / (float(np.linalg.norm(weights)) or 1.0)
        figure = two_sides("Not apart: the least shortfall", scores, found.y == 1, (classes[0], classes[1]))
        return Found(findings, pd.DataFrame([facts]), facts, figure)
    weights, start = parting
    widest = widest_margin(X, signs, np.append(start, weights) if intercept else weights)
    margin = 1 / float(np.linalg.norm(widest))
    bound = (radius / margin) ** 2
    run = perceptron_updates(X, signs, most)
    updates = run[1] if run else None
    facts |= {"margin": margin, "bound": bound, "updates": updates}
    findings = [
        f"At most {amount(bound)} updates{' of standardised columns' if standardise else ''}: the rows lie within "
        f"{amount(radius)} of the origin, and the widest margin is {margin:.4g}.",
        f"From zero, in the order of the rows, it took {updates:,}." if run else f"After {most:,} it had not ended.",
    ]
    scores = X @ widest * margin
    figure = two_sides("The widest margin through the origin", scores, found.y == 1, (classes[0], classes[1]))
    return Found(findings, pd.DataFrame([facts]), dict(facts), figure)


DIAGNOSTIC = Diagnostic(
    name="perceptron-bound",
    summary="The most updates that the perceptron can need, by radius and margin, and how many these rows cause",
    function=perceptron_bound,
    parameters={
        "target": "the column to predict, of two classes",
        "intercept": "whether a column of ones goes before the others, by default yes",
        "standardise": "whether columns are standardised first, by default yes; else their units decide on the bound",
        "most": "updates after which the loop is ended, by default 100000",
        "seed": f"decides which rows are looked at where there are more than {MAX_ROWS:,}, by default 0",
    },
    syllabus=("theory-perceptron-bound",),
)
