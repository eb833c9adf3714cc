"""Solvers on small functions of books: every point that they stand on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.diagnostics import Diagnostic, Found, steps_of
from penstock.components.optimisation.descent import gradient_descent
from penstock.components.optimisation.trace import RULES, Array, Stop, Trace
from penstock.components.teaching.plots.solvers import restart_figure
from penstock.components.teaching.solvers.conjugate import conjugate_gradient
from penstock.components.teaching.solvers.coordinate import coordinate_descent
from penstock.components.teaching.solvers.functions import COURSES, Course
from penstock.components.teaching.solvers.newton import newton
from penstock.components.teaching.solvers.restarts import multi_start
from penstock.errors import UsageError

SHOWN = 50
Solver = Literal["gradient", "newton", "coordinates", "conjugate"]


def descent(
    frame: pd.DataFrame | None,
    *,
    function: Literal["bowl", "valley", "quartic", "hills", "logarithm", "kink"] = "valley",
    solver: Solver = "gradient",
    starts: Annotated[list[list[float]], Field(min_length=1, max_length=50)] | None = None,
    rate: Annotated[float, Field(gt=0)] | None = None,
    eps: Annotated[float, Field(gt=0)] = 1e-6,
    most: Annotated[int, Field(ge=1, le=20_000)] = 10_000,
) -> Found:
    """From each start to where a rule ends it; of several starts the lowest end counts.

    A step goes against the gradient, the direction in which the function rises most. At a kink the slope of |x| at 0 is
    taken to be 0, and a constant rate comes near to zero without staying there.

    Examples
    --------
    >>> from penstock.components.diagnostics import find
    >>> find("descent")(None, {"function": "bowl", "solver": "newton"}).facts["steps"]
    [1]
    """
    course = COURSES[function]
    begun = starts or [list(course.start)]
    _check(course, function, solver, begun)
    stop = Stop(step=eps, gradient=eps, most=most)
    traces: list[Trace] = []

    def solve(start: Array) -> Trace:
        traces.append(_solved(course, solver, start, rate, stop))
        return traces[-1]

    best, ends = multi_start(solve, [np.array(start) for start in begun])
    table = pd.DataFrame(
        [
            {
                "start": _said(start),
                "end": _said(trace.end),
                "value": float(trace.values[-1]),
                "steps": trace.steps,
                "ended": RULES[trace.rule],
            }
            for start, trace in zip(begun, traces, strict=True)
        ]
    ).set_index("start")
    lowest = float(best.values[-1])
    findings = [
        f"No start came to a least value of {course.formula}."
        if best.lost
        else f"The lowest value of {course.formula} that was found is {lowest:.6g}, at {_said(best.end)}.",
        *(
            f"From {_said(start)}: {steps_of(trace.steps)}; {RULES[trace.rule]}."
            for start, trace in zip(begun, traces, strict=True)
        ),
    ]
    facts: dict[str, Any] = {
        "value": None if best.lost else lowest,
        "end": _finite(best.end),
        "ends": _finite(ends),
        "steps": [trace.steps for trace in traces],
        "rules": [trace.rule for trace in traces],
        "points": [[_finite(point) for point in trace.points[:SHOWN]] for trace in traces],
        "values": [_finite(trace.values[:SHOWN]) for trace in traces],
    }
    calm = [trace.values for trace in traces if not trace.lost]
    return Found(findings, table, facts, restart_figure(calm, lowest) if calm else None)


def _said(point: Iterable[float]) -> str:
    return ", ".join(f"{place:.6g}" for place in point)


def _finite(values: Array) -> list[float | None]:
    """Nothing in the place of what a diverging solver has left."""
    return [float(value) if np.isfinite(value) else None for value in values]


def _solved(course: Course, solver: Solver, start: Array, rate: float | None, stop: Stop) -> Trace:
    if solver == "newton" and course.curvature is not None:
        return newton(course.value, course.slope, course.curvature, start, stop=stop)
    if solver == "conjugate" and course.bowl is not None:
        return conjugate_gradient(course.value, course.bowl.A, course.bowl.b, start, stop=stop)
    if solver == "coordinates":
        return coordinate_descent(course.value, start, stop=stop)
    return gradient_descent(course.value, course.slope, start, rate=rate or "search", stop=stop)


def _check(course: Course, function: str, solver: Solver, starts: list[list[float]]) -> None:
    if (solver == "newton" and course.curvature is None) or (solver == "conjugate" and course.bowl is None):
        why = "has a kink" if course.curvature is None else "is no quadratic"
        raise UsageError(
            "PEN222",
            f"'{solver}' does not fit '{function}': {course.formula} {why}",
            where="--set solver",
            remedy="take the solver gradient or coordinates, or another function",
        )
    if any(len(start) != len(course.start) for start in starts):
        raise UsageError(
            "PEN222",
            f"{starts!r} does not fit 'starts': {course.formula} has {len(course.start)} unknown(s)",
            where="--set starts",
            remedy=f"give a list of starts of {len(course.start)} number(s) each, such as [{list(course.start)}]",
        )
    with np.errstate(all="ignore"):
        outside = [start for start in starts if not np.isfinite(course.value(np.array(start)))]
    if outside:
        raise UsageError(
            "PEN222",
            f"{outside[0]!r} does not fit 'starts': {course.formula} has no finite value there",
            where="--set starts",
            remedy=f"begin where the function is defined, such as at [{list(course.start)}]",
        )


DIAGNOSTIC = Diagnostic(
    name="descent",
    summary="Gradient, Newton, conjugate and coordinate steps on a small function of books, point by point",
    function=descent,
    parameters={
        "function": "; ".join(f"{name}: {course.formula}" for name, course in COURSES.items()) + "; by default valley",
        "solver": "gradient, newton, coordinates, or conjugate of bowl and valley; by default gradient",
        "starts": "a list of points to begin at; by default one that books begin at",
        "rate": "a constant rate of gradient steps; by default each is halved until it lowers the function enough",
        "eps": "how short a step, or a gradient, ends it, by default 1e-6",
        "most": "the most steps, by default 10000",
    },
    needs_table=False,
    syllabus=(
        "opt-conjugate-gradient",
        "opt-coordinate-descent",
        "opt-gradient-descent",
        "opt-multi-start",
        "opt-newton",
        "opt-subgradient",
    ),
)
