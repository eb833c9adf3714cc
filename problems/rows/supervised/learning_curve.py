"""How the winner's score hangs on the number of rows and on its main parameter: training rows only."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.comparisons import fold_interval
from penstock.components.evaluation.overfitting import fit_gap
from penstock.components.plots.curves import BoundaryPanel, boundary_panels, learning_curve, validation_curve
from penstock.components.plots.methods import boosting_curve, knn_regression
from penstock.components.plots.output import to_svg
from penstock.components.preprocessing.plan import Plan
from penstock.components.search.main_parameter import main_parameter
from penstock.problems.data import DataSplit, Rows
from penstock.problems.rows.explained_sections import (
    CurvePoint,
    Curves,
    LearningCurve,
    RowsPoint,
    ValidationCurve,
    ValuePoint,
)
from penstock.problems.rows.supervised.refit import Refit
from penstock.problems.rows.supervised.study_method import by_neighbours, by_rounds
from penstock.problems.selection import Compared, SelectionEvidence, Winner
from penstock.problems.training import Explained
from penstock.stage import progress, stage
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]

SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)
MIN_ROWS = 5
MIN_VALUES = 3
MAX_PANELS = 4
GRID = 60


@stage(worker=True, libraries=("matplotlib",))
def study_curves(
    store: Store,
    rows: Rows,
    data_split: DataSplit,
    plan: Ref[Plan],
    winner: Ref[Winner],
    evidence: Ref[SelectionEvidence],
    metric_name: str | None,
    seed: int,
) -> Explained:
    """Numbers and pictures. The scores of candidates that differ in the main parameter alone are taken as they are."""
    refit = Refit(store, plan, data_split, winner, rows.schema_, metric_name, seed)
    train, validation = _learning(refit), None
    figures = {"learning_curve": learning_curve(train.model_dump())}
    searched = main_parameter(refit.chosen, refit.schema.problem)
    if searched:
        name, values = searched
        validation = _validation(refit, name, values, store.facts(evidence).compared)
        figures["validation_curve"] = validation_curve(validation.model_dump())
        if panels := _panels(refit, name, validation):
            figures["boundary_panels"] = boundary_panels(panels, name, *_two_columns(refit))
    if rounds := by_rounds(refit):
        figures["boosting_curve"] = boosting_curve(rounds.model_dump())
    if neighbours := by_neighbours(refit):
        figures["knn_regression"] = knn_regression(neighbours, str(refit.schema.target))
    found = Curves(learning_curve=train, validation_curve=validation, rounds=rounds)
    return Explained.of(store, found, {name: to_svg(figure) for name, figure in figures.items()})


def _learning(refit: Refit) -> LearningCurve:
    """At each size the first rows of one shuffled order, or the latest ones where rows are in order of time."""
    rng = np.random.default_rng(refit.seed)
    orders = [refit.latest_first(train) if refit.ordered else rng.permutation(train) for train, _ in refit.folds]
    points = []
    for share in SHARES:
        trained, unseen, sizes = [], [], []
        for order, (_, valid) in zip(orders, refit.folds, strict=True):
            rows = np.sort(order[: max(MIN_ROWS, round(share * len(order)))])
            pipeline = refit.try_fit(rows)
            if pipeline is not None:
                trained.append(refit.score(pipeline, rows))
                unseen.append(refit.score(pipeline, valid))
                sizes.append(len(rows))
            progress(fits=1)
        if sizes:
            point = _point(refit, trained, unseen)
            points.append(RowsPoint(rows=round(float(np.mean(sizes))), **point.model_dump()))
    return LearningCurve(points=points, metric=refit.metric.label, sign=refit.metric.sign)


def _point(refit: Refit, trained: list[float], unseen: list[float]) -> CurvePoint:
    known = [score for score in unseen if math.isfinite(score)]
    train, valid = refit.folds[0]
    interval = fold_interval(known, len(valid) / len(train)) if len(known) > 1 else None
    learnt, held_out = float(np.mean(trained)), float(np.mean(known)) if known else None
    fit = None if held_out is None else fit_gap(learnt, held_out, refit.floor, refit.best_score)
    return CurvePoint(
        train=learnt,
        valid=held_out,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        fit=fit.verdict if fit else None,
    )


def _validation(refit: Refit, name: str, values: list[float], ranked: list[Compared]) -> ValidationCurve:
    """`best` is the value at the curve's best score; `chosen` is the winner's."""
    stored = _stored(refit, name, ranked)
    known = len(stored) >= MIN_VALUES
    points = []
    for value in sorted(stored) if known else values:
        folds = refit.folds[:1] if known else refit.folds
        fitted = [(refit.try_fit(train, **{name: value}), train, valid) for train, valid in folds]
        fitted = [fit for fit in fitted if fit[0] is not None]
        trained = [refit.score(pipeline, train) for pipeline, train, _ in fitted]
        unseen = stored[value] if known else [refit.score(pipeline, valid) for pipeline, _, valid in fitted]
        if not fitted:
            continue
        points.append(ValuePoint(value=value, **_point(refit, trained, unseen).model_dump()))
        progress(fits=len(fitted))
    scored = [(point.valid, point.value) for point in points if point.valid is not None]
    return ValidationCurve(
        parameter=name,
        chosen=refit.chosen.parameters.get(name),
        best=max(scored, key=lambda point: point[0])[1] if scored else None,
        from_candidates=known,
        points=points,
        metric=refit.metric.label,
        sign=refit.metric.sign,
    )


def _stored(refit: Refit, name: str, ranked: list[Compared]) -> dict[float, list[float]]:
    """Scores of the folds by value, of candidates that differ from the winner in this parameter at most."""
    rest = {key: value for key, value in refit.chosen.parameters.items() if key != name}
    found: dict[float, list[float]] = {}
    for one in ranked:
        candidate = one.candidate
        value = candidate.parameters.get(name)
        others = {key: given for key, given in candidate.parameters.items() if key != name}
        alike = candidate.name == refit.chosen.name and others == rest
        if alike and candidate.preparation == refit.chosen.preparation and isinstance(value, int | float):
            found.setdefault(value, one.folds)
    return found


def _two_columns(refit: Refit) -> tuple[str, str]:
    one, other = refit.schema.features
    return one.name, other.name


def _panels(refit: Refit, name: str, found: ValidationCurve) -> list[BoundaryPanel]:
    """Where there are two columns of numbers: the borders that a few values of the parameter draw."""
    features = refit.schema.features
    if not refit.n_classes or len(features) != 2 or any(column.role != "numeric" for column in features):
        return []
    values = [point.value for point in found.points]
    picked = sorted({values[round(place)] for place in np.linspace(0, len(values) - 1, MAX_PANELS - 1)})
    chosen = {found.chosen} if isinstance(found.chosen, int | float) else set()
    picked = sorted({*picked, *chosen})[:MAX_PANELS]
    train, valid = refit.folds[0]
    points = refit.frame[[column.name for column in features]]
    sides = [np.linspace(points[name].min(), points[name].max(), GRID) for name in points]
    grid = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
    panels = []
    for value in picked:
        pipeline = refit.try_fit(train, **{name: value})
        if pipeline is None:
            continue
        wrong = [
            float(np.mean(refit.predict(pipeline, rows).argmax(axis=1) != refit.y[rows])) for rows in (train, valid)
        ]
        border = pipeline.predict(pd.DataFrame(grid, columns=points.columns))
        panels.append(
            BoundaryPanel(
                value=value,
                train_error=wrong[0],
                valid_error=wrong[1],
                sides=sides,
                classes=np.asarray(border).reshape(GRID, GRID),
                points=points.to_numpy()[train],
                y=refit.y[train],
            )
        )
    return panels
