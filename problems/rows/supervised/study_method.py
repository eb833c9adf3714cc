"""What the winner's own method does as it is given more: boosting rounds, or neighbours. Training rows only."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from penstock.components import catalog
from penstock.components.ensembles.chosen import build_chosen
from penstock.components.plots.methods import NeighbourPanel, NeighbourStudy
from penstock.problems.rows.explained_sections import Rounds, RoundsPoint
from penstock.problems.rows.supervised.prediction import with_all_classes
from penstock.problems.rows.supervised.refit import Refit

Array = np.ndarray[Any, Any]

MAX_POINTS = 40
MAX_ROWS = 1000
NEIGHBOURS = "k-nearest-neighbours"
STEPS = 200


def by_rounds(refit: Refit) -> Rounds | None:
    """Scores of a boosted model after each of some rounds, on rows of the first fold; None of other methods.

    `best`: the rounds at the best score of other rows. `no_errors_from`: the first of these rounds after which the
    predictions for all training rows are right.
    """
    stages = "staged_predict_proba" if refit.n_classes else "staged_predict"
    if not hasattr(build_chosen(refit.chosen, seed=refit.seed, problem=refit.schema.problem), stages):
        return None
    train, valid = refit.folds[0]
    pipeline = refit.try_fit(train)
    if pipeline is None:
        return None
    sides = [rows[:MAX_ROWS] for rows in (train, valid)]
    model = pipeline[-1]
    total = sum(1 for _ in getattr(model, stages)(pipeline[:-1].transform(refit.frame.iloc[train[:1]])))
    kept = {round(place) for place in np.linspace(1, total, min(total, MAX_POINTS))}
    told = [_after_rounds(refit, pipeline, rows, stages, kept) for rows in sides]
    points = [
        RoundsPoint(rounds=rounds, train=refit.scored(sides[0], seen), valid=refit.scored(sides[1], other))
        for rounds, seen, other in zip(sorted(kept), *told, strict=True)
    ]
    known = [point for point in points if np.isfinite(point.valid)]
    right = [bool(refit.n_classes and (seen.argmax(axis=1) == refit.y[sides[0]]).all()) for seen in told[0]]
    exact = [point.rounds for point, every in zip(points, right, strict=True) if every]
    return Rounds(
        points=known,
        best=max(known, key=lambda point: point.valid).rounds if known else None,
        no_errors_from=exact[0] if exact else None,
        metric=refit.metric.label,
        sign=refit.metric.sign,
    )


def _after_rounds(refit: Refit, pipeline: Any, rows: Array, stages: str, kept: set[int]) -> list[Array]:
    matrix = pipeline[:-1].transform(refit.frame.iloc[rows])
    staged = islice(getattr(pipeline[-1], stages)(matrix), max(kept))
    taken = [said for rounds, said in enumerate(staged, start=1) if rounds in kept]
    if not refit.n_classes:
        return taken
    return [with_all_classes(said, pipeline[-1].classes_, refit.n_classes) for said in taken]


def by_neighbours(refit: Refit) -> NeighbourStudy | None:
    """The mean of few, of the chosen and of many neighbours, by the one column that goes with the target most closely.

    None where the winner is no regression by neighbours, or has no column of numbers.
    """
    if refit.n_classes or refit.chosen.name != NEIGHBOURS:
        return None
    train, valid = refit.folds[0]
    y = refit.y.astype(float)
    columns = {
        column.name: refit.frame[column.name].to_numpy(float)
        for column in refit.schema.features
        if column.role == "numeric"
    }
    varied = [name for name, values in columns.items() if np.nanstd(values[train]) > 0]
    if not varied:
        return None
    outcome = pd.Series(y[train])
    linked = pd.Series({name: abs(outcome.corr(pd.Series(columns[name][train]))) for name in varied})
    name = str(linked.fillna(0.0).idxmax())
    x = columns[name]
    train, valid = (rows[np.isfinite(x[rows])] for rows in (train, valid))
    chosen = min(int(refit.chosen.parameters.get("n_neighbors", 5)), len(train))
    grid = np.linspace(x[train].min(), x[train].max(), STEPS)
    panels = []
    for neighbours in sorted({1, chosen, max(1, len(train) // 2)}):
        parameters = {**refit.chosen.parameters, "n_neighbors": neighbours}
        model = catalog.build(NEIGHBOURS, parameters, seed=refit.seed, problem="regression")
        model.fit(x[train, None], y[train])
        errors = [float(np.mean((model.predict(x[rows, None]) - y[rows]) ** 2)) for rows in (train, valid)]
        panels.append(NeighbourPanel(neighbours, errors[0], errors[1], grid, model.predict(grid[:, None])))
    few = np.sort(np.random.default_rng(refit.seed).permutation(train)[:MAX_ROWS])
    return NeighbourStudy(name, chosen, panels, x[few], y[few])
