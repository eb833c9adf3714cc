"""Whether what a method must lower (or raise) at every step does so: the first sign of a wrong update.

K-means never raises its sum of squares, nor alternating least squares their loss; expectation and maximisation never
lower the likelihood; the merges of a tree never go down, but by centroids; gradient descent falls by short steps.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from pydantic import Field
from sklearn.exceptions import ConvergenceWarning

from penstock.components.clustering.agglomerative import LINKAGES, Agglomerative
from penstock.components.clustering.gaussian_mixture import GaussianMixture
from penstock.components.clustering.k_means import lloyd_keeping
from penstock.components.diagnostics import Diagnostic, Found, steps_of
from penstock.components.dimensionality_reduction.als import AlternatingLeastSquares
from penstock.components.optimisation.descent import gradient_descent
from penstock.components.optimisation.trace import Stop
from penstock.components.teaching.inputs.linear_problem import MAX_ROWS, SEED, linear_problem
from penstock.components.teaching.inputs.outcome import Array
from penstock.components.teaching.inputs.plane import scaled_rows
from penstock.components.teaching.plots.chains import course_figure
from penstock.errors import UsageError

Method = Literal["k-means", "gaussian-mixture", "als", "agglomerative", "gradient-descent"]

ROUNDING = 1e-12
MAX_STEPS = 300
FAR = 10
WRONG = "this must not be, so do not trust the answer; rounding is the usual cause, where columns differ much in size"


class Course(NamedTuple):
    """What is watched, from the first step to the last; `must` is False where theory promises nothing."""

    watched: str
    values: Array
    rises: bool = False
    must: bool = True
    if_not: str = WRONG


def first_breach(values: Array, *, rises: bool = False) -> int | None:
    """The first step that goes the wrong way by more than rounding does; a value that is no number does so too."""
    values = np.asarray(values, dtype=np.float64)
    before, after = values[:-1], values[1:]
    with np.errstate(invalid="ignore", over="ignore"):
        right = after - before if rises else before - after
        slack = ROUNDING * np.maximum(np.abs(before), np.abs(values[0]))
        wrong = ~(right >= -slack)
    return int(wrong.argmax()) + 1 if wrong.any() else None


def objectives(
    frame: pd.DataFrame,
    *,
    method: Method | None = None,
    target: str | None = None,
    groups: Annotated[int, Field(ge=1, le=20)] = 3,
    rate: Annotated[float, Field(gt=0)] = 1.0,
    seed: int = 0,
) -> Found:
    """From random starts, on standardised columns of numbers; only gradient descent looks at the target.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 0.1, 0.2, 5.0, 5.1, 5.2], "b": [0.0, 0.2, 0.1, 5.0, 5.2, 5.1]})
    >>> find("objectives")(table, {"method": "k-means", "groups": 2}).facts["broken"]
    []
    """
    if method == "gradient-descent" and target is None:
        raise UsageError(
            "PEN355",
            "gradient descent needs an outcome to fit",
            where="--set target",
            remedy="name the column to predict: numbers, or two classes",
        )
    courses: dict[str, Course] = {}
    if method != "gradient-descent":
        X = scaled_rows(frame, target, most=MAX_ROWS, seed=seed)
        rng = np.random.RandomState(seed)
        distinct = np.unique(X, axis=0)
        groups = min(groups, len(distinct) - 1)
        start = distinct[rng.choice(len(distinct), groups, replace=False)]
        ways: dict[Method, Callable[[], dict[str, Course]]] = {
            "k-means": lambda: {"k-means": Course("sum of squares", np.array(lloyd_keeping(X, start, MAX_STEPS)[2]))},
            "gaussian-mixture": lambda: {
                "gaussian-mixture": Course("log-likelihood", _likelihoods(X, start), rises=True)
            },
            "als": lambda: {"als": Course("squared misfit", _misfits(X, groups, seed))},
            "agglomerative": lambda: dict(_heights(X)),
        }
        for name, way in ways.items():
            if method in (None, name):
                courses |= way()
    if target is not None and method in (None, "gradient-descent"):
        courses["gradient-descent"] = _descent(frame, target, rate, seed)
    breaches = {name: first_breach(course.values, rises=course.rises) for name, course in courses.items()}
    table = pd.DataFrame([_told(name, course, breaches[name]) for name, course in courses.items()]).set_index("method")
    findings = [_sentence(name, course, breaches[name]) for name, course in courses.items()]
    if target is None:
        findings.append("Gradient descent is left out: it needs a target.")
    facts = {
        "broken": [name for name, course in courses.items() if course.must and breaches[name] is not None],
        "first_breach": breaches,
        "courses": {name: course.values.tolist() for name, course in courses.items()},
    }
    drawn = {name: (course.watched, _until_far(course), breaches[name]) for name, course in courses.items()}
    return Found(findings, table, facts, course_figure(drawn))


def _likelihoods(X: Array, means: Array) -> Array:
    """Of round components of one variance: none can collapse, and no variance is added, which would break the law."""
    count = len(means)
    model = GaussianMixture(
        count,
        covariance_type="spherical",
        shared=True,
        reg_covar=0.0,
        tol=1e-9,
        max_iter=MAX_STEPS,
        weights_init=np.full(count, 1 / count),
        means_init=means,
        precisions_init=np.ones(count),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the way is looked at, not its end
        return np.array(model.fit(X).lower_bounds_)


def _misfits(X: Array, rank: int, seed: int) -> Array:
    return np.asarray(AlternatingLeastSquares(rank, random_state=seed).fit(X).objective_)


def _heights(X: Array) -> Iterator[tuple[str, Course]]:
    for link in LINKAGES:
        heights = Agglomerative(1, linkage=link).fit(X).merges_[:, 2]
        free = "centroids may come closer as they merge: the tree is right, and a cut by height is not to be trusted"
        promised = link != "centroid"
        yield f"tree, {link}", Course("height", heights, rises=True, must=promised, if_not=WRONG if promised else free)


def _descent(frame: pd.DataFrame, target: str, rate: float, seed: int) -> Course:
    risk = linear_problem(frame, target, seed=seed).risk
    pace = rate / risk.steepest()
    start = np.zeros(risk.X.shape[1])
    trace = gradient_descent(risk.value, risk.slope, start, rate=pace, stop=Stop(most=MAX_STEPS))
    long = "its steps are too long: it falls for sure while the rate is below 2" if rate >= 2 else WRONG
    return Course("loss", trace.values, if_not=long)


def _until_far(course: Course) -> Array:
    """What has diverged would hide where that began."""
    far = course.values > FAR * course.values[0]
    return course.values[: int(far.argmax()) + 1] if far.any() and not course.rises else course.values


def _told(name: str, course: Course, breach: int | None) -> dict[str, Any]:
    return {
        "method": name,
        "watched": course.watched,
        "never": ("falls" if course.rises else "rises") if course.must else "(no promise)",
        "steps": len(course.values) - 1,
        "first": float(course.values[0]),
        "last": float(course.values[-1]),
        "first breach": breach,
        "holds": breach is None,
    }


def _sentence(name: str, course: Course, breach: int | None) -> str:
    wrong = "falls" if course.rises else "rises"
    if breach is None:
        first, last = course.values[[0, -1]]
        steps = len(course.values) - 1
        return f"{name}: its {course.watched} never {wrong} in {steps_of(steps)}, from {first:.4g} to {last:.4g}."
    before, after = course.values[breach - 1 : breach + 1]
    return f"{name}: its {course.watched} {wrong} at step {breach}, from {before:.6g} to {after:.6g}; {course.if_not}."


DIAGNOSTIC = Diagnostic(
    name="objectives",
    summary="Whether what k-means, mixtures, ALS, trees and gradient descent improve gets better at every step",
    function=objectives,
    parameters={
        "method": "k-means, gaussian-mixture, als, agglomerative or gradient-descent; by default all",
        "target": "the column that gradient descent predicts: numbers, or two classes",
        "groups": "clusters, components of the mixture and directions of ALS, by default 3",
        "rate": "of gradient descent, in units of 1 / the largest curvature, by default 1; from 2 on it may rise",
        "seed": SEED,
    },
    syllabus=("proc_monotone_objectives",),
)
