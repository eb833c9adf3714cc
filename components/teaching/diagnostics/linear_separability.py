"""Whether a hyperplane parts the classes without a mistake."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.preprocessing import PolynomialFeatures

from penstock.components.analysis.hyperplane import separating
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.outcome import learnable, standardised, thinned
from penstock.components.teaching.learning_theory.hyperplanes import least_slack
from penstock.components.teaching.plots.theory import two_sides
from penstock.errors import DataError

Array = np.ndarray[Any, Any]
MAX_ROWS = 1_000


def linear_separability(frame: pd.DataFrame, *, target: str, products: bool = False, seed: int = 0) -> Found:
    """By a linear programme; of several classes, each against the others.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 0.0, 1.0, 1.0], "b": [0.0, 1.0, 0.0, 1.0]})
    >>> table["class"] = ["no", "yes", "yes", "no"]
    >>> find("linear-separability")(table, {"target": "class"}).facts["separable"]
    False
    """
    found = thinned(learnable(frame, target), MAX_ROWS, seed)
    if found.classes is None or len(found.classes) < 2:
        raise DataError(
            "PEN081",
            f"this is about classes, and '{target}' has {'numbers' if found.classes is None else 'one class'}",
            where=f"column '{target}'",
            remedy="name a column of at least two classes",
        )
    X = PolynomialFeatures(2, interaction_only=True, include_bias=False).fit_transform(found.X) if products else found.X
    X = standardised(X)
    own = [found.classes[-1]] if len(found.classes) == 2 else found.classes
    rows: list[dict[str, Any]] = []
    drawn: tuple[float, Array, Array, str] | None = None
    for name in own:
        positive = found.y == found.classes.index(name)
        plane = separating(X, positive)
        weights, start = plane if plane else least_slack(X, positive)
        length = float(np.linalg.norm(weights)) or 1.0
        scores = (X @ weights + start) / length
        wrong = float(np.mean((scores > 0) != positive))
        rows.append({"class": name, "separable": plane is not None, "wrong side": wrong})
        if drawn is None or wrong > drawn[0]:
            drawn = wrong, scores, positive, name
    assert drawn is not None
    _, scores, positive, name = drawn
    others = found.classes[0] if len(found.classes) == 2 else "others"
    every = all(row["separable"] for row in rows)
    findings = [
        (
            f"A hyperplane parts {'the classes' if len(own) == 1 else 'each class from the others'} without a mistake: "
            "a hard margin exists, the perceptron comes to an end, and logistic regression without a penalty does not."
            if every
            else f"No hyperplane parts {', '.join(row['class'] for row in rows if not row['separable'])} from the rest "
            "without a mistake: take a soft margin, other columns, or a bent boundary."
        ),
        f"{len(found.y):,} rows, {X.shape[1]} columns{' with their products' if products else ''}; the plane with the "
        f"least shortfall has {max(row['wrong side'] for row in rows):.1%} of them on the wrong side.",
    ]
    facts = {"separable": every, "rows": len(found.y), "columns": X.shape[1]}
    title = f"{name} against {others}: {'apart' if every else 'not apart'}"
    figure = two_sides(title, scores, positive, (str(others), str(name)))
    return Found(findings, pd.DataFrame(rows).set_index("class"), facts, figure)


DIAGNOSTIC = Diagnostic(
    name="linear-separability",
    summary="Whether a hyperplane parts the classes without a mistake, which hard margins and the perceptron need",
    function=linear_separability,
    parameters={
        "target": "the column of classes",
        "products": "whether products of two columns are taken as columns too, by default no",
        "seed": f"decides which rows are looked at where there are more than {MAX_ROWS:,}, by default 0",
    },
    syllabus=("theory-linear-separability",),
)
