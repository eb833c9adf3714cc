"""Whether fits have reached what they look for: conditions that hold at an optimum, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit
from sklearn.decomposition import PCA
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.schema import numbers, require_columns
from penstock.components.svm.machine import SupportVectorMachine
from penstock.components.teaching.diagnostics.kkt_audit import Cost
from penstock.components.teaching.inputs.matrix import finite
from penstock.errors import DataError

Array = np.ndarray[Any, Any]

# Of the smallest penalty under which the lasso uses no column.
PENALTY = 0.2


class Check(NamedTuple):
    """`residual`: how far the condition is from holding, for columns of unit size and sums over one row."""

    method: str
    condition: str
    residual: float


def optimality(
    frame: pd.DataFrame, *, target: str, C: Cost = 1.0, perturb: float = 0.0, tolerance: float = 1e-4
) -> Found:
    """Fits of the columns of numbers, which are standardised; each solution may be moved, to see the check fail.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.1, 4.9, 7.0, 9.0]})
    >>> find("optimality")(table, {"target": "y"}).facts["failed"]
    0
    """
    require_columns(frame, [target])
    X, labels = _table(frame, target)
    checks = [*_components(X, perturb)]
    if labels.dtype.kind == "f":
        checks += [*_least_squares(X, labels, perturb), *_lasso(X, labels / labels.std(), perturb)]
    else:
        checks += [*_logistic(X, labels, perturb), *_support_vectors(X, labels, C, perturb)]
    table = pd.DataFrame(checks).assign(holds=[check.residual <= tolerance for check in checks])
    failed = table.loc[~table["holds"]]
    findings = [
        f"{row.method}: {row.condition} is off by {row.residual:.3g}, more than {tolerance:g}: no optimum."
        for row in failed.itertuples()
    ]
    findings.append(f"{int(table['holds'].sum())} of {len(table)} conditions of an optimum hold.")
    return Found(findings, table.set_index(["method", "condition"]), {"failed": len(failed)})


def _table(frame: pd.DataFrame, target: str) -> tuple[Array, Array]:
    frame = frame.loc[frame[target].notna()]
    columns = {name: numbers(frame[name]) for name in frame.columns if name != target}
    X = finite(pd.DataFrame(columns).dropna(axis=1))
    X = X[:, X.std(axis=0) > 0] if X.size else X
    values = numbers(frame[target])
    codes, classes = pd.factorize(frame[target])
    if not X.size or len(classes) < 2 or (values.isna().any() and len(classes) != 2):
        has = "one value" if len(classes) == 1 else f"{len(classes)} classes"
        raise DataError(
            "PEN049",
            f"checks of fits need whole columns of numbers and a target of numbers or two classes; there are "
            f"{X.shape[1] if X.size else 0} such columns, and '{target}' has {has}",
            where=f"column '{target}'",
            remedy="name a target of numbers that vary or of two classes, or fill missing numbers first",
        )
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, codes if len(classes) == 2 else values.to_numpy()


def _least_squares(X: Array, y: Array, perturb: float) -> Iterator[Check]:
    """The gradient vanishes, and no direction is flat."""
    model = LinearRegression().fit(X, y / y.std())
    left_over = y / y.std() - model.intercept_ - X @ (model.coef_ + perturb)
    yield Check("least squares", "X'(y - Xw) = 0", _largest(X.T @ left_over) / len(y))
    least = float(np.linalg.eigvalsh(X.T @ X / len(y))[0])
    yield Check("least squares", "X'X positive definite", max(0.0, 1e-10 - least) * 1e10)


def _lasso(X: Array, y: Array, perturb: float) -> Iterator[Check]:
    """Where a weight is not zero, the slope of the mean squares is the penalty; where it is, it is no steeper."""
    largest = _largest(X.T @ (y - y.mean())) / len(y)
    alpha = PENALTY * largest
    model = Lasso(alpha, tol=1e-10, max_iter=100_000).fit(X, y)
    weights = model.coef_ + np.where(model.coef_ != 0, perturb, 0.0)
    slope = X.T @ (y - model.intercept_ - X @ weights) / len(y)
    kept = weights != 0
    yield Check("lasso", "slope = penalty where used", _largest(slope[kept] - alpha * np.sign(weights[kept])))
    yield Check("lasso", "slope <= penalty elsewhere", max(0.0, _largest(slope[~kept]) - alpha))


def _logistic(X: Array, y: Array, perturb: float) -> Iterator[Check]:
    model = LogisticRegression(C=np.inf, tol=1e-8, max_iter=10_000).fit(X, y)
    likely = expit(X @ (model.coef_[0] + perturb) + model.intercept_[0])
    yield Check("logistic regression", "X'(y - h) = 0", _largest(X.T @ (y - likely)) / len(y))


def _support_vectors(X: Array, y: Array, C: float, perturb: float) -> Iterator[Check]:
    """The conditions of Karush, Kuhn and Tucker for every row, and that primal and dual meet."""
    model = SupportVectorMachine("linear", C, solver="exact").fit(X, y)  # libsvm might come to no end so near to it
    sign = np.where(y == 1, 1.0, -1.0)
    alpha = np.zeros(len(y))
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    weights = model.normals_[0] + perturb
    margin = sign * (X @ weights + model.intercept_[0])
    inside, at_bound = alpha > 1e-9 * C, alpha > (1 - 1e-9) * C
    violated = np.where(
        ~inside, np.maximum(0, 1 - margin), np.where(at_bound, np.maximum(0, margin - 1), np.abs(margin - 1))
    )
    yield Check("support vectors", "every row meets its condition", _largest(violated))
    yield Check("support vectors", "weights balance", abs(float(alpha @ sign)) / (C * len(y)))
    squared = float(weights @ weights) / 2
    primal, dual = squared + C * np.maximum(0, 1 - margin).sum(), alpha.sum() - squared
    yield Check("support vectors", "primal = dual", abs(primal - dual) / max(1.0, abs(primal)))


def _components(X: Array, perturb: float) -> Iterator[Check]:
    """Components do not go together; whitened, they are of unit size besides."""
    rank = int(np.linalg.matrix_rank(X))
    for name, whiten, wanted in (("PCA", False, "covariance diagonal"), ("whitening", True, "covariance = identity")):
        model = PCA(rank, whiten=whiten).fit(X)
        model.components_ = model.components_ + perturb
        covariance = np.atleast_2d(np.cov(model.transform(X).T))
        off = covariance - (np.eye(rank) if whiten else np.diag(np.diag(covariance)))
        yield Check(name, wanted, _largest(off))


def _largest(values: Array) -> float:
    return float(np.abs(values).max(initial=0.0))


DIAGNOSTIC = Diagnostic(
    name="optimality",
    summary="Whether least squares, lasso, logistic regression, support vectors, PCA and whitening reach their optimum",
    function=optimality,
    parameters={
        "target": "the column to predict: numbers for least squares, two classes for the classifiers",
        "C": "what a row on the wrong side costs the support vectors, by default 1",
        "perturb": "added to every solution, to see that the checks notice, by default 0",
        "tolerance": "how far off a condition may be by rounding, by default 0.0001",
    },
    syllabus=("proc_optimality_checks",),
)
