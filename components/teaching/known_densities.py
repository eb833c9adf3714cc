"""The least error there is, where the densities of the classes are known, and how the rows of a table do by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.bayes.densities import log_density, proba
from penstock.components.diagnostics import Found
from penstock.components.teaching.inputs.columns import classed
from penstock.components.teaching.irreducible import bayes_error, density_grid
from penstock.components.teaching.plots.borders import densities_plot
from penstock.errors import UsageError


def known_densities(
    frame: pd.DataFrame,
    target: str,
    densities: Mapping[str, Any],
    priors: Mapping[str, float] | None,
    *,
    draws: int,
    seed: int,
) -> Found:
    X, y, names, classes = classed(frame, target, None, most_classes=20)
    missing = [name for name in classes if name not in densities or (priors is not None and name not in priors)]
    counted = np.bincount(y) / len(y)
    try:
        if missing:
            raise ValueError(f"class '{missing[0]}' has none")
        shares = counted if priors is None else np.array([priors[name] for name in classes], dtype=float)
        if (shares < 0).any() or abs(shares.sum() - 1) > 1e-9:
            raise ValueError(f"priors are shares that sum to one, not {shares.tolist()}")
        specs = [densities[name] for name in classes]
        found = proba(specs, shares, X)
        least = bayes_error(specs, list(shares), draws=draws, seed=seed)
    except ValueError as error:
        raise UsageError(
            "PEN071",
            f"these densities do not fit {len(classes)} classes and {len(names)} columns: {error}",
            where="--set densities",
            remedy="give each class one for each column: {yes: [{family: normal, loc: 0, scale: 1}], no: [...]}",
        ) from None
    wrong = float(np.mean(found.argmax(axis=1) != y))
    said = [
        f"With these densities no classifier is wrong in fewer than {least:.1%} of all rows.",
        f"The best one, which knows them, is wrong in {wrong:.1%} of the {len(y)} rows here; a model that does better "
        "on new rows has met a leak, or the densities are others.",
    ]
    pointwise = 1 - found.max(axis=1)
    table = pd.DataFrame(
        {
            "rows": np.bincount(y),
            "prior": shares,
            "wrong": [float(np.mean(found[y == code].argmax(axis=1) != code)) for code in range(len(classes))],
            "mean doubt": [float(pointwise[y == code].mean()) for code in range(len(classes))],
        },
        index=pd.Index(classes, name="class"),
    )
    figure = None
    grid = density_grid(specs)
    if grid is not None:
        few = grid[:: max(1, len(grid) // 400)]
        joint = np.exp(np.column_stack([log_density(spec, few[:, None]) for spec in specs])) * shares
        figure = densities_plot(few, joint, classes, least, names[0])
    return Found(said, table, {"least_error": least, "error_of_rows": wrong}, figure)
