"""What least squares tells of its own errors: the noise, the weights' standard errors, what each column adds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from penstock.components.diagnostics import Diagnostic, Found, amount
from penstock.components.schema import numbers, require_columns
from penstock.components.teaching.plots.penalties import intervals
from penstock.components.teaching.solvers.sequential import sequential_least_squares
from penstock.errors import DataError

Array = np.ndarray[Any, Any]

INTERCEPT = "(intercept)"


def residual_variance(y: Array, prediction: Array, parameters: int) -> float:
    """The unbiased variance of the noise: the sum of squares over rows less parameters, the intercept among them."""
    return float(((y - prediction) ** 2).sum() / (len(y) - parameters))


def gaussian_log_likelihood(y: Array, prediction: Array, variance: float | None = None) -> float:
    """Of all rows, with noise of this variance; without one, of the variance that makes it greatest: the mean square.

    It is a constant less n / (2 variance) times the mean squared error, so that the weights of greatest likelihood are
    those of least squares.
    """
    spread = float(np.mean((y - prediction) ** 2)) if variance is None else variance
    return float(stats.norm.logpdf(y, prediction, np.sqrt(spread)).sum())


def least_squares(frame: pd.DataFrame, *, target: str, confidence: float = 0.95) -> Found:
    """Weights with intervals, for noise that is alike and independent from row to row; and one column after the other.

    Of all estimators that are linear in the target and right on average none varies less. The variance of the noise
    is over the rows less the weights; the likelihood's own, over the rows, is too small. The curvature of the mean
    error is (2/N) X'X, not XX' as is printed sometimes, and positive definite where no column follows from others.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.1, 4.9, 7.0, 9.0]})
    >>> round(find("least-squares")(table, {"target": "y"}).facts["noise_variance"], 4)
    0.0063
    """
    require_columns(frame, [target])
    names, X, y = _table(frame, target)
    steps = sequential_least_squares(X, y)
    beta = steps.weights
    prediction = X @ beta
    noise = residual_variance(y, prediction, X.shape[1])
    covariance = noise * np.linalg.inv(X.T @ X)
    errors = np.sqrt(np.diag(covariance))
    reach = stats.t.ppf((1 + confidence) / 2, len(y) - X.shape[1]) * errors
    table = pd.DataFrame(
        {
            "weight": beta,
            "standard error": errors,
            "low": beta - reach,
            "high": beta + reach,
            "lowers the error by": steps.lowered,
            "error left": steps.errors[1:],
        },
        index=names,
    )
    table.index.name = "column"
    signal = float(np.std(prediction))
    clear = int((np.abs(beta) > reach)[1:].sum())
    facts = {
        "noise_variance": noise,
        "signal_to_noise": signal / float(np.sqrt(noise)) if noise > 0 else None,
        "likelihood_variance": float(np.mean((y - prediction) ** 2)),
        "least_curvature": float(np.linalg.eigvalsh(2 / len(y) * X.T @ X)[0]),
        "errors": steps.errors.tolist(),
        "covariance": covariance.tolist(),
        "log_likelihood": gaussian_log_likelihood(y, prediction),
        "normal_equations": (X.T @ (y - prediction)).tolist(),
        "rows": len(y),
    }
    findings = [
        f"What the columns leave open has a variance of {amount(noise)} (typically {amount(np.sqrt(noise))} to either "
        f"side), from {len(y)} rows and {X.shape[1]} weights.",
        "Nothing is left open: the columns say all."
        if facts["signal_to_noise"] is None
        else f"What the columns tell varies {facts['signal_to_noise']:.3g} times as much as what they leave open: the "
        "ratio of signal to noise.",
        f"The log-likelihood, with Gaussian noise, is {facts['log_likelihood']:.5g}.",
        f"{clear} of {len(names) - 1} weights are clearly not zero: their {confidence:.0%} intervals have one "
        "sign each.",
    ]
    figure = intervals(f"Weights of least squares, with {confidence:.0%} intervals", names[1:], beta[1:], reach[1:])
    return Found(findings, table, facts, figure)


def _table(frame: pd.DataFrame, target: str) -> tuple[list[str], Array, Array]:
    columns = {name: numbers(frame[name]) for name in frame.columns if name != target}
    read = pd.DataFrame(columns).dropna(axis=1)
    y = numbers(frame[target])
    X = np.column_stack([np.ones(len(frame)), read.to_numpy(float)])
    known = y.notna().all() and len(y) > X.shape[1] > 1
    if not known or np.linalg.matrix_rank(X) < X.shape[1]:
        raise DataError(
            "PEN123",
            f"'{target}' and {X.shape[1] - 1} whole column(s) of numbers in {len(frame)} rows do not settle weights",
            where=f"column '{target}'",
            remedy="give more rows than columns, numbers without gaps, and leave out columns that follow from others",
        )
    return [INTERCEPT, *map(str, read.columns)], X, y.to_numpy(float)


DIAGNOSTIC = Diagnostic(
    name="least-squares",
    summary="The weights of least squares with standard errors, the noise, the likelihood, and what each column adds",
    function=least_squares,
    parameters={
        "target": "the column of numbers to predict; all other columns of numbers are used",
        "confidence": "of the weights' intervals, by default 0.95",
    },
    syllabus=(
        "linreg-ols-inference",
        "linreg-qr-sequential",
        "met_log_likelihood_gaussian",
        "met_ols_covariance",
        "met_residual_variance",
        "met_snr",
    ),
)
