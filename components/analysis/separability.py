"""Whether a straight boundary separates the classes, and if not, what helps: a softer margin, bends, or neighbours.

The steps are tried in this order: no mistakes at all (a hard margin will do); some mistakes (a soft margin); squares
and products of columns; a kernel; nearest neighbours. The first that is about as good as the best is the advice, if the
best is better than always answering the commonest class.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.svm import SVC

from penstock.components.analysis.hyperplane import separating

MAX_ROWS = 1_000
MAX_COLUMNS = 10
FOLDS = 3
ABOUT_AS_GOOD = 0.02
NEIGHBOURS = 5

Step = Literal["separable", "none", "linear", "products", "kernel", "neighbours"]
ADVICE: dict[Step, str] = {
    "separable": "a straight boundary separates the classes without a mistake: linear models will do",
    "none": "by accuracy, no boundary is better than always answering the commonest class: this does not tell which "
    "methods suit; evaluate them by a measure that heeds rare classes, such as ROC AUC or balanced accuracy",
    "linear": "a straight boundary that allows mistakes is about as good as a bent one: linear models will do",
    "products": "squares and products of columns help: try trees, boosting, or a kernel beside linear models",
    "kernel": "the boundary is bent: try kernels, trees or boosting rather than linear models",
    "neighbours": "rows near each other share their class: try nearest neighbours and trees",
}


def separability(numbers: pd.DataFrame, y: NDArray[np.int64], seed: int) -> dict[str, Any] | None:
    """Cross-validated accuracy of each step on at most 1,000 rows and 10 columns; None where it cannot be evaluated."""
    counts = np.bincount(y)
    enough = np.isin(y, np.flatnonzero(counts >= 2 * FOLDS))
    X = numbers.iloc[:, :MAX_COLUMNS][enough].to_numpy(dtype=np.float64)
    y = y[enough]
    if not X.shape[1] or len(np.unique(y)) < 2:
        return None
    if len(y) > MAX_ROWS:
        drawn = np.sort(np.random.default_rng(seed).choice(len(y), MAX_ROWS, replace=False))
        X, y = X[drawn], y[drawn]
        if np.bincount(y)[np.unique(y)].min() < FOLDS:
            return None
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    models = {
        "linear": RidgeClassifier(),
        "products": make_pipeline(PolynomialFeatures(2, include_bias=False), StandardScaler(), RidgeClassifier()),
        "kernel": SVC(),
        "neighbours": KNeighborsClassifier(min(NEIGHBOURS, len(y) // 2)),
    }
    accuracy = {
        step: float(cross_val_score(make_pipeline(StandardScaler(), model), X, y, cv=folds).mean())
        for step, model in models.items()
    }
    separable = _separable(X, y)
    majority = float(np.bincount(y).max() / len(y))
    step: Any = "separable" if separable else _first_good(accuracy, majority, len(y))
    return {
        "rows": len(y),
        "columns": [str(name) for name in numbers.columns[:MAX_COLUMNS]],
        "majority": majority,
        "separable": separable,
        "accuracy": [{"step": name, "value": value} for name, value in accuracy.items()],
        "step": step,
        "advice": ADVICE[step],
    }


def _first_good(accuracy: dict[str, float], majority: float, rows: int) -> str:
    best = max(accuracy.values())
    chance = 2 * np.sqrt(majority * (1 - majority) / rows)  # two standard errors of the share of the commonest class
    return next(s for s in accuracy if accuracy[s] >= best - ABOUT_AS_GOOD) if best > majority + chance else "none"


def _separable(X: NDArray[np.float64], y: NDArray[np.int64]) -> bool | None:
    """Of two classes only."""
    classes = np.unique(y)
    return separating(X, y == classes[1]) is not None if len(classes) == 2 else None
