"""The best of a finite list of hypotheses: those that are given, or every question about one column."""

from __future__ import annotations

import re
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.outcome import Chance, Learnable, learnable
from penstock.components.teaching.learning_theory.risk import Stump, minimise_risk, stumps
from penstock.components.teaching.plots.theory import risks
from penstock.errors import UsageError

SHOWN = 10
Hypotheses = Annotated[list[str], Field(min_length=1)]
ALWAYS = re.compile(r"always (?P<answer>.+)")
QUESTION = re.compile(r"(?P<column>.+) > (?P<cut>\S+): (?P<above>.+), else (?P<below>.+)")
FORMS = "'COLUMN > NUMBER: CLASS, else CLASS' or 'always CLASS'"


def empirical_risk(
    frame: pd.DataFrame, *, target: str, delta: Chance = 0.05, hypotheses: Hypotheses | None = None
) -> Found:
    """Stumps, which are the weak learners of boosting; both answers of each count as hypotheses.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 7.0, 8.0], "b": [1.0, 0.0, 2.0, 8.0, 7.0]})
    >>> table["class"] = ["no", "no", "no", "yes", "yes"]
    >>> find("empirical-risk")(table, {"target": "class"}).facts["least"]
    0.0
    """
    found = learnable(frame, target, two_classes=True)
    if hypotheses is None:
        return _judged(found, stumps(found.X), delta, SHOWN)
    return _judged(found, [_read(text, found) for text in hypotheses], delta, len(hypotheses))


def _judged(found: Learnable, hypotheses: list[Stump], delta: float, shown: int) -> Found:
    risk = minimise_risk(hypotheses, found.X, found.y, delta)
    order = np.argsort(risk.errors, kind="stable")[:shown]
    rows = [
        {
            "hypothesis": _told(hypotheses[place], found.names, found.classes or []),
            "error": float(risk.errors[place]),
            "low": max(0.0, float(risk.errors[place]) - risk.band),
            "high": min(1.0, float(risk.errors[place]) + risk.band),
        }
        for place in order
    ]
    best = rows[0]
    findings = [
        f"Of {len(hypotheses):,} hypotheses, the fewest mistakes are made by: {best['hypothesis']} "
        f"({best['error']:.4g} of {len(found.y):,} rows).",
        f"But for a probability of {delta:g}, the true error of each of them is within {risk.band:.4g} of that on the "
        "rows; "
        f"that of the best is at most {best['high']:.4g}.",
    ]
    facts = {
        "hypotheses": len(hypotheses),
        "least": best["error"],
        "band": risk.band,
        "best": best["hypothesis"],
        "evaluated": rows,
    }
    return Found(findings, pd.DataFrame(rows).set_index("hypothesis"), facts, risks(rows[:SHOWN]))


def _read(text: str, found: Learnable) -> Stump:
    """A hypothesis from the words in which this diagnostic tells it."""
    codes = {name: code for code, name in enumerate(found.classes or [])}
    always, question = ALWAYS.fullmatch(text.strip()), QUESTION.fullmatch(text.strip())
    try:
        if question is None and always is not None:
            return Stump(0, np.inf, codes[always["answer"]], 1 - codes[always["answer"]])
        if question is not None:
            place = found.names.index(question["column"])
            return Stump(place, float(question["cut"]), codes[question["below"]], codes[question["above"]])
    except (KeyError, ValueError):
        pass
    raise UsageError(
        "PEN222",
        f"{text!r} does not fit 'hypotheses'",
        where="--set hypotheses",
        remedy=f"write {FORMS}, with columns {', '.join(found.names)} and classes {', '.join(codes)}",
    )


def _told(stump: Stump, names: list[str], classes: list[str]) -> str:
    if np.isinf(stump.cut):
        return f"always {classes[stump.below]}"
    cut = repr(stump.cut).removesuffix(".0")  # with all its digits, so that it is read as the same number
    return f"{names[stump.column]} > {cut}: {classes[stump.above]}, else {classes[stump.below]}"


DIAGNOSTIC = Diagnostic(
    name="empirical-risk",
    summary="The best single question about one column, and how far its error can be trusted after trying them all",
    function=empirical_risk,
    parameters={
        "target": "the column to predict, of two classes",
        "delta": "the probability of being wrong that is allowed, by default 0.05",
        "hypotheses": f"the hypotheses to choose from, each as {FORMS}; by default every question about one column",
    },
    syllabus=("theory-erm-finite",),
)
