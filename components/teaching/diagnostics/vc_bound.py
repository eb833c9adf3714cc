"""Vapnik's bound, and the class of the least bound among nested ones: structural risk minimisation."""

from __future__ import annotations

import warnings
from operator import itemgetter
from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import PolynomialFeatures

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.outcome import Chance, Positive, learnable, standardised
from penstock.components.teaching.learning_theory.bounds import vc_confidence
from penstock.components.teaching.plots.theory import curves
from penstock.errors import UsageError

Array = np.ndarray[Any, Any]
MAX_COLUMNS = 500
STEPS = 40
NO_PENALTY = 1e6
SAYS_NOTHING = "A bound of 1 or more says nothing: there are too few rows for such classes."


def vc_bound(
    frame: pd.DataFrame | None,
    *,
    target: str | None = None,
    delta: Chance = 0.05,
    degrees: Annotated[list[Annotated[int, Field(ge=1, le=12)]], Field(min_length=1)] | None = None,
    dimension: Positive = 3,
    rows: Positive | None = None,
) -> Found:
    """With a table, polynomials of rising degree are fitted; without one, the confidence of one class is told.

    Examples
    --------
    >>> from penstock.components.diagnostics import find
    >>> round(find("vc-bound")(None, {"dimension": 3, "rows": 1000}).facts["confidence"], 3)
    0.164
    """
    if frame is None or target is None:
        return _of_one_class(dimension, rows or (len(frame) if frame is not None and len(frame) else 1000), delta)
    found = learnable(frame, target, two_classes=True)
    tried = [
        one
        for degree in sorted(set(degrees or range(1, 7)))
        if (one := _fitted(degree, found.X, found.y, delta)) is not None
    ]
    if not tried:
        raise UsageError(
            "PEN082",
            f"polynomials of {found.X.shape[1]} columns have more than {MAX_COLUMNS} terms at every degree asked for",
            where="degrees",
            remedy="ask for a lower degree, or bring in fewer columns",
        )
    table = pd.DataFrame(tried)
    best, closest = (min(tried, key=itemgetter(name)) for name in ("bound", "error"))
    findings = [
        f"Of polynomials of degree {', '.join(str(degree) for degree in table['degree'])}, degree {best['degree']} "
        f"has the least bound: an error of {best['error']:.4g} on the rows, and at most {best['bound']:.4g} on others "
        f"but for a probability of {delta:g}.",
        f"The least error on the rows, {closest['error']:.4g}, has degree {closest['degree']}: capacity is paid for in "
        "confidence.",
    ]
    if best["bound"] >= 1:
        findings.append(SAYS_NOTHING)
    facts = {"chosen": int(best["degree"]), "bound": float(best["bound"]), "rows": len(found.y)}
    lines = {name: table[name].tolist() for name in ("error", "confidence", "bound")}
    figure = curves(
        "Structural risk minimisation",
        table["degree"].tolist(),
        lines,
        across="Degree",
        up="Share of mistakes",
        marks={"least bound": float(best["degree"])},
    )
    return Found(findings, table.set_index("degree"), facts, figure)


def _of_one_class(dimension: int, rows: int, delta: float) -> Found:
    confidence = vc_confidence(dimension, rows, delta)
    sizes = np.unique(np.geomspace(max(10, dimension), 100 * rows, STEPS).round()).tolist()
    lines = {f"VC dimension {h}": [vc_confidence(h, int(n), delta) for n in sizes] for h in (dimension, 4 * dimension)}
    findings = [
        f"In a class of VC dimension {dimension}, the true error exceeds that on {rows:,} rows by at most "
        f"{confidence:.4g}, but for a probability of {delta:g}."
    ]
    if confidence >= 1:
        findings.append(SAYS_NOTHING)
    facts = {"confidence": confidence, "dimension": dimension, "rows": rows}
    table = pd.DataFrame({"rows": [rows], "confidence": [confidence]}).set_index("rows")
    figure = curves(
        "What the true error may exceed the seen one by",
        sizes,
        lines,
        across="Rows",
        up="Confidence",
        marks={"these rows": rows},
        log=("x", "y"),
    )
    return Found(findings, table, facts, figure)


def _fitted(degree: int, X: Array, y: Array, delta: float) -> dict[str, Any] | None:
    """The errors of a boundary that is a polynomial: a hyperplane in its terms, of one dimension more than those."""
    terms = PolynomialFeatures(degree, include_bias=False)
    if terms.fit(X[:1]).n_output_features_ > MAX_COLUMNS:
        return None
    expanded = standardised(terms.fit_transform(standardised(X)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LogisticRegression(C=NO_PENALTY, max_iter=2000).fit(expanded, y)
    dimension, error = expanded.shape[1] + 1, float(np.mean(model.predict(expanded) != y))
    confidence = vc_confidence(dimension, len(y), delta)
    return {
        "degree": degree,
        "VC dimension": dimension,
        "error": error,
        "confidence": confidence,
        "bound": error + confidence,
    }


DIAGNOSTIC = Diagnostic(
    name="vc-bound",
    summary="How much a class of given capacity can deceive, and which of nested classes has the least bound",
    function=vc_bound,
    parameters={
        "target": "the column to predict, of two classes; polynomials of the others are its nested classes",
        "delta": "the probability of being wrong that is allowed, by default 0.05",
        "degrees": "degrees of the polynomials, by default [1, 2, 3, 4, 5, 6]",
        "dimension": "without a table: VC dimension of the class, by default 3 (lines in the plane)",
        "rows": "without a table: how many rows were seen, by default 1000",
    },
    needs_table=False,
    syllabus=("theory-vc-srm",),
)
