"""A picture seen through measurements, and what can be made of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from pydantic import Field
from scipy.linalg import dft

from penstock.components import catalog
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.matrix import finite
from penstock.components.teaching.plots.solvers import pictures

Array = np.ndarray[Any, Any]
Measure = Literal["sums", "rays", "fourier", "random"]
Solver = Literal["least-norm", "ridge", "lasso", "cosines"]


def reconstruction(
    frame: pd.DataFrame,
    *,
    measure: Measure = "rays",
    solver: Solver = "least-norm",
    share: Annotated[float, Field(gt=0, le=1)] = 1.0,
    penalty: Annotated[float, Field(gt=0)] = 1e-3,
    noise: Annotated[float, Field(ge=0)] = 0.0,
    seed: int = 0,
) -> Found:
    """The table is the picture. It is measured, y = X w + noise, and w is looked for; the truth evaluates, not y.

    Where there are fewer measurements (or a lower rank) than places, many pictures fit, and the shortest of them is
    not the sparsest.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame([[0.0, 1.0], [1.0, 0.0]])
    >>> find("reconstruction")(table, {"measure": "rays"}).facts["rank"]
    4
    """
    truth = finite(frame)
    rng = np.random.default_rng(seed)
    X = design(measure, truth.shape, share, rng)
    y = X @ truth.ravel() + noise * rng.normal(size=len(X))
    plain: dict[str, Any] = {"fit_intercept": False}
    names: dict[Solver, tuple[str, dict[str, Any]]] = {
        "least-norm": ("linear-regression", plain),
        "ridge": ("ridge", {**plain, "alpha": penalty}),
        "lasso": ("sparse-signal", {"basis": "places", "alpha": penalty / (2 * len(X)), "tol": 1e-8}),
        "cosines": ("sparse-signal", {"basis": "cosines", "alpha": penalty / (2 * len(X)), "tol": 1e-8}),
    }
    name, given = names[solver]
    found = catalog.build(name, given, seed=seed).fit(X, y).coef_.reshape(truth.shape)
    size = float(np.linalg.norm(truth)) or 1.0
    off = float(np.linalg.norm(found - truth)) / size
    rank = int(np.linalg.matrix_rank(X))
    findings = [
        f"{len(X)} measurements of rank {rank} for {truth.size} places: "
        f"{'they tell all pictures apart' if rank == truth.size else 'different pictures give the same measurements'}.",
        f"What {solver} makes of them is off by {off:.3g} of the picture's length.",
    ]
    facts = {"measurements": len(X), "rank": rank, "off": off, "found": found.tolist()}
    table = pd.DataFrame(found, columns=[str(column) for column in frame.columns])
    return Found(findings, table, facts, pictures({"the truth": truth, f"by {solver}": found}))


def design(measure: Measure, shape: tuple[int, ...], share: float, rng: np.random.Generator) -> Array:
    """Which places each measurement adds up: rows and columns, diagonals besides, waves, or random parts of all."""
    height, width = shape
    places = np.arange(height * width).reshape(shape)
    down, across = np.indices(shape)
    if measure == "fourier":
        waves = dft(height * width, scale="sqrtn")
        X = np.vstack([waves.real, waves.imag])
    elif measure == "random":
        X = rng.normal(size=(height * width, height * width)) / np.sqrt(height * width)
    else:
        rays = [down == row for row in range(height)] + [across == column for column in range(width)]
        if measure == "rays":
            rays += [down - across == gap for gap in range(1 - width, height)]
            rays += [down + across == reach for reach in range(height + width - 1)]
        X = np.array([np.isin(places, places[ray]).ravel() for ray in rays], dtype=float)
    if share == 1:
        return X
    return X[np.sort(rng.choice(len(X), max(1, round(share * len(X))), replace=False))]


DIAGNOSTIC = Diagnostic(
    name="reconstruction",
    summary="How well a picture is recovered from sums along rays, waves or random measurements (tomography, sensing)",
    function=reconstruction,
    parameters={
        "measure": "sums of rows and columns; rays, with diagonals besides; fourier; random. By default rays",
        "solver": "least-norm, ridge, lasso (few places), or cosines (few waves); by default least-norm",
        "share": "share of the measurements that are taken, by default all",
        "penalty": "lambda of the sum of squared errors + lambda * penalty, by default 0.001",
        "noise": "standard deviation of each measurement's noise, by default 0",
        "seed": "draws noise and measurements, by default 0",
    },
    syllabus=("linreg-inverse-problem",),
)
