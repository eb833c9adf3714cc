"""Whether least squares vary too much, and what to do: take a subset of the columns, or shrink the weights."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import ElasticNetCV, LassoCV, LinearRegression, RidgeCV
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.evaluation.comparisons import corrected_error
from penstock.components.linear_regression.subset import SubsetSelector
from penstock.components.teaching.inputs.outcome import Array, learnable, thinned
from penstock.errors import DataError

MAX_ROWS = 1_000
MAX_EXACT = 20
INNER_FOLDS = 5
MIN_SQUARES = "least squares"
WHY = {
    "best subset": "few columns carry the outcome, and all subsets can be tried",
    "sequential": "few columns carry the outcome, taken one after the other",
    "ridge": "many columns share what they say, and smaller weights are steadier",
    "lasso": "smaller weights are steadier, and many may be zero",
    "elastic net": "columns that go together are kept together, and others may be zero",
}
"""The remedies in the order in which they are preferred among equals, each with what speaks for it."""


def variance_reduction(
    frame: pd.DataFrame, *, target: str, folds: Annotated[int, Field(ge=3, le=50)] = 5, seed: int = 0
) -> Found:
    """Each remedy is tuned within the training rows of each fold, and evaluated on the fold's other rows.

    Least squares vary too much where a remedy errs less by more than a standard error of the difference. Of the
    remedies of which that is so, the first is taken than which the best one does not err less in the same sense.
    """
    names, X, y = _columns_of(frame, target, seed)
    cut = KFold(folds, shuffle=True, random_state=seed)
    ways = _ways(X.shape[1], seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # along a path, at penalties that lose anyway
        errors = {
            name: -cross_val_score(way, X, y, cv=cut, scoring="neg_mean_squared_error") for name, way in ways.items()
        }
        fitted = {name: way.fit(X, y) for name, way in ways.items()}
    condition = _condition(X)
    chosen, reason = _decision(errors, condition)
    gains = {name: _gain(errors, name, MIN_SQUARES) for name in ways}
    weights = {name: _weights(model) for name, model in fitted.items()}
    table = pd.DataFrame(
        {
            "squared error": {name: float(found.mean()) for name, found in errors.items()},
            "less than least squares by": {name: gain for name, (gain, _) in gains.items()},
            "give or take": {name: error for name, (_, error) in gains.items()},
            "columns": {name: int(np.sum(np.abs(found) > 0)) for name, found in weights.items()},
        }
    )
    table.index.name = "way"
    facts = {
        "decision": chosen,
        "reason": reason,
        "condition": condition if np.isfinite(condition) else None,
        "intercept": float(fitted[chosen].predict(np.zeros((1, X.shape[1])))[0]),
        "weights": dict(zip(names, weights[chosen].tolist(), strict=True)),
    }
    return Found([f"{chosen[0].upper()}{chosen[1:]}: {reason}."], table, facts)


def _columns_of(frame: pd.DataFrame, target: str, seed: int) -> tuple[list[str], Array, Array]:
    found = thinned(learnable(frame, target), MAX_ROWS, seed)
    y = found.y.astype(float)
    if found.classes is not None:
        values = pd.to_numeric(pd.Series(found.classes), errors="coerce").to_numpy(float)
        y = values[found.y]
    if np.isnan(y).any() or len(y) < 2 * INNER_FOLDS:
        raise DataError(
            "PEN083",
            f"'{target}' is no column of numbers with {2 * INNER_FOLDS} rows at least",
            where=f"column '{target}'",
            remedy="name a column of numbers; of classes, ask for 'regularisation-path'",
        )
    return found.names, found.X, y


def _ways(columns: int, seed: int) -> dict[str, Pipeline]:
    """Least squares, and each remedy with its own number tuned by folds within the rows it is given."""
    inner = KFold(INNER_FOLDS, shuffle=True, random_state=seed)
    keep = sorted({*range(1, min(columns, 6) + 1), *np.geomspace(1, columns, 8).astype(int).tolist()})

    def subset(search: str) -> Any:
        few = make_pipeline(SubsetSelector(search=search), LinearRegression())
        return GridSearchCV(few, {"subsetselector__keep": keep}, scoring="neg_mean_squared_error", cv=inner)

    models = {
        MIN_SQUARES: LinearRegression(),
        **({"best subset": subset("exact")} if columns <= MAX_EXACT else {}),
        "sequential": subset("forward"),
        "ridge": RidgeCV(np.logspace(-3, 4, 29)),
        "lasso": LassoCV(cv=inner, alphas=30, max_iter=5_000, tol=1e-3),
        "elastic net": ElasticNetCV(cv=inner, alphas=30, max_iter=5_000, tol=1e-3, l1_ratio=0.5),
    }
    return {name: make_pipeline(StandardScaler(), model) for name, model in models.items()}


def _gain(errors: Mapping[str, Array], name: str, other: str) -> tuple[float, float]:
    """By how much the first errs less than the other, and the standard error of that over folds."""
    differences = errors[other] - errors[name]
    return float(differences.mean()), corrected_error(differences, 1 / (len(differences) - 1))


def _clearly_less(errors: Mapping[str, Array], name: str, other: str) -> bool:
    gain, error = _gain(errors, name, other)
    return gain > error


def _decision(errors: Mapping[str, Array], condition: float) -> tuple[str, str]:
    columns = f"the condition number of the columns is {condition:.3g}"
    helping = [name for name in WHY if name in errors and _clearly_less(errors, name, MIN_SQUARES)]
    if not helping:
        return MIN_SQUARES, f"nothing errs clearly less on rows it has not seen; {columns}"
    best = min(helping, key=lambda name: float(errors[name].mean()))
    chosen = next(name for name in helping if not _clearly_less(errors, best, name))
    less = 1 - float(errors[chosen].mean() / errors[MIN_SQUARES].mean())
    return chosen, f"{WHY[chosen]}; it errs {less:.0%} less than least squares on rows it has not seen, and {columns}"


def _condition(X: Array) -> float:
    sizes = np.linalg.svd(StandardScaler().fit_transform(X), compute_uv=False)
    smallest = sizes[-1] if len(X) > X.shape[1] else 0.0
    return float(sizes[0] / smallest) if smallest > 0 else float("inf")


def _weights(fitted: Pipeline) -> Array:
    """In the units of the table: what one more of each column adds; exactly zero for columns left out."""
    model = fitted[-1]
    if isinstance(model, GridSearchCV):
        selector, line = model.best_estimator_
        shrunk = np.zeros(fitted.n_features_in_)
        shrunk[selector.get_support()] = line.coef_
    else:
        shrunk = model.coef_
    weights: Array = shrunk / fitted[0].scale_
    return weights


DIAGNOSTIC = Diagnostic(
    name="variance-reduction",
    summary="Whether least squares vary too much here, and which remedy to take: a subset of columns, or a penalty",
    function=variance_reduction,
    parameters={
        "target": "the column of numbers to predict; all other whole columns of numbers are used",
        "folds": "on how many parts each way is evaluated, by default 5",
        "seed": f"decides the parts, and which rows are used where there are more than {MAX_ROWS:,}, by default 0",
    },
    syllabus=("proc_variance_reduction_decision",),
)
