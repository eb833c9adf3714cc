"""A linear or quadratic programme from a table, with an audit of its answer and its dual."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.schema import require_columns
from penstock.components.teaching.inputs.matrix import finite
from penstock.components.teaching.plots.solvers import dual_figure
from penstock.components.teaching.solvers.programmes import HOLDS, Programme, Solution, audit, solve
from penstock.errors import DataError, did_you_mean

RELATIONS = ("min", "max", "curvature", "<=", ">=", "=")


def programme(frame: pd.DataFrame, *, relation: str = "relation", bound: str = "bound") -> Found:
    """One column a variable; one row the cost (`min` or `max`), one a constraint, and maybe a matrix of curvature.

    With `curvature` rows, one for each variable in order, what is minimised is 1/2 x'Qx + cost. Multipliers are those
    of Ax <= b (rows with >= are turned round), so they are prices that are never negative; of = they have any sign.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"x": [3.0, 1.0, 1.0, 0.0], "y": [2.0, 1.0, 0.0, 1.0]})
    >>> table["relation"], table["bound"] = ["min", ">=", ">=", ">="], [0.0, 4.0, 0.0, 0.0]
    >>> round(find("programme")(table).facts["value"], 2)
    8.0
    """
    asked, names, constraints, sign = _read(frame, relation, bound)
    solution = solve(asked)
    if solution.x is None:
        raise DataError(
            "PEN064",
            f"the programme {solution.why}",
            where="the table",
            remedy="look at the signs of the constraints and of the curvature, which a minimum needs positive or zero "
            "and a maximum negative or zero, and at whether every variable is bounded",
        )
    residuals = audit(asked, solution.x, solution.inequality, solution.equality)
    value, dual = asked.value(solution.x), asked.dual(solution.inequality, solution.equality)
    prices = _prices(constraints, solution)
    meet = abs(value - dual) <= HOLDS * max(1.0, abs(value))
    failed = [name for name, residual in residuals.items() if residual > HOLDS]
    point = ", ".join(f"{name} = {one:.6g}" for name, one in zip(names, solution.x, strict=True))
    findings = [
        f"{'Greatest' if sign < 0 else 'Least'} value {sign * value:.6g} at {point}.",
        f"The dual's value is {sign * dual:.6g}: {'they meet' if meet else 'there is a gap'}.",
        f"Karush-Kuhn-Tucker: {'all conditions hold' if not failed else 'these fail: ' + ', '.join(failed)}.",
    ]
    table = pd.DataFrame(
        {
            "constraint": list(prices),
            "multiplier": list(prices.values()),
            "binds": [abs(p) > HOLDS for p in prices.values()],
        }
    ).set_index("constraint")
    facts: dict[str, Any] = {
        "x": dict(zip(names, solution.x.tolist(), strict=True)),
        "value": sign * value,
        "dual": sign * dual,
        "multipliers": prices,
        "residuals": residuals,
    }
    figure = _drawn(asked, solution, value) if asked.Q is not None and prices else None
    return Found(findings, table, facts, figure)


def _read(frame: pd.DataFrame, relation: str, bound: str) -> tuple[Programme, list[str], list[tuple[str, str]], float]:
    require_columns(frame, [relation, bound])
    words = frame[relation].astype(str).str.strip()
    strange = sorted(set(words) - set(RELATIONS))
    if strange:
        raise DataError(
            "PEN063",
            f"'{strange[0]}' is no relation",
            where=f"column '{relation}'",
            remedy=did_you_mean(strange[0], RELATIONS),
        )
    variables = frame.drop(columns=[relation, bound]).select_dtypes("number")
    names = [str(name) for name in variables.columns]
    numbers = finite(variables.fillna(0.0))
    cost, curved = words.isin(["min", "max"]).to_numpy(), (words == "curvature").to_numpy()
    if cost.sum() != 1 or curved.sum() not in (0, len(names)):
        raise DataError(
            "PEN063",
            f"there are {cost.sum()} rows of cost and {curved.sum()} of curvature for {len(names)} variables",
            where=f"column '{relation}'",
            remedy="give one row with min or max, and a row of curvature for each variable or none",
        )
    sign = 1.0 if words[cost].iloc[0] == "min" else -1.0
    limits = pd.to_numeric(frame[bound], errors="coerce")
    least, most, same = ((words == one).to_numpy() for one in (">=", "<=", "="))
    missing = limits[least | most | same].isna()
    if missing.any():
        raise DataError(
            "PEN063",
            f"{int(missing.sum())} constraint(s) have no number as bound",
            where=f"column '{bound}'",
            remedy="give every constraint a number on its right side",
        )
    ends = limits.to_numpy(dtype=float)
    Q = sign * (numbers[curved] + numbers[curved].T) / 2 if curved.any() else None
    turned = np.where(least, -1.0, 1.0)
    unequal = least | most
    asked = Programme(
        sign * numbers[cost][0],
        turned[unequal, None] * numbers[unequal],
        (turned * ends)[unequal],
        numbers[same],
        ends[same],
        Q,
    )
    labels = [_label(names, row, word, end) for row, word, end in zip(numbers, words, ends, strict=True)]
    constraints = [(labels[row], words.iloc[row]) for row in range(len(frame)) if (unequal | same)[row]]
    return asked, names, constraints, sign


def _label(names: list[str], row: np.ndarray[Any, Any], word: str, end: float) -> str:
    terms = " + ".join(f"{value:g} {name}" for name, value in zip(names, row, strict=True) if value)
    return f"{terms} {word} {end:g}"


def _prices(constraints: list[tuple[str, str]], solution: Solution) -> dict[str, float]:
    unequal, equal = iter(solution.inequality.tolist()), iter(solution.equality.tolist())
    return {label: next(equal) if word == "=" else next(unequal) for label, word in constraints}


def _drawn(asked: Programme, solution: Solution, value: float) -> Any:
    """The dual function along the multipliers of the answer: from none of them to twice as much."""
    shares = np.linspace(0, 2, 81)
    duals = np.array([asked.dual(share * solution.inequality, share * solution.equality) for share in shares])
    seen = np.isfinite(duals)
    return dual_figure(shares[seen], duals[seen], value) if seen.sum() > 1 else None


DIAGNOSTIC = Diagnostic(
    name="programme",
    summary="Solves a linear or quadratic programme, and checks the conditions of its optimum and its dual",
    function=programme,
    parameters={
        "relation": "the column that says what a row is: min, max, curvature, <=, >= or =; by default 'relation'",
        "bound": "the column with the right sides of the constraints, by default 'bound'",
    },
    syllabus=("opt-lagrangian-dual", "opt-linear-program", "opt-quadratic-program"),
)
