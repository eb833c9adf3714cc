"""An inverse problem in full: the mean length of decays, seen through a window that cuts off short and long ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.schema import numbers, require_columns
from penstock.components.teaching.plots.borders import likelihood_curve
from penstock.errors import DataError, UsageError

Array = np.ndarray[Any, Any]

POINTS = 400


def normaliser(length: float, low: float, high: float) -> float:
    """Z, the probability that a decay falls into the window: e^(-low/length) - e^(-high/length)."""
    return float(np.exp(-low / length) - np.exp(-high / length))


def log_likelihood(length: Array | float, mean: float, rows: int, low: float, high: float) -> Any:
    """sum over rows of -x / length - log(length) - log Z(length), for the mean of rows in the window."""
    length = np.asarray(length, dtype=float)
    # log Z = -low/length + log(1 - e^(-(high-low)/length)), which stays exact where both ends are nearly alike.
    log_z = -low / length + np.log(-np.expm1(-(high - low) / length))
    return rows * (-mean / length - np.log(length) - log_z)


def most_likely(mean: float, low: float, high: float) -> float:
    """The length of greatest likelihood; endless where the mean is not below the middle of the window."""
    if mean >= (low + high) / 2:
        return float("inf")
    found = minimize_scalar(
        lambda log: -float(log_likelihood(np.exp(log), mean, 1, low, high)),
        bounds=(np.log((high - low) / 1e4), np.log((high - low) * 1e6)),
        method="bounded",
        options={"xatol": 1e-12},
    )
    return float(np.exp(found.x))


def decay_length(frame: pd.DataFrame, *, column: str, low: float = 1.0, high: float = 20.0) -> Found:
    """Likelihood of one decay, normalised over the window, multiplied over rows; a prior drops out of the maximum.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"length": [1.5, 2.0, 3.0, 4.0, 5.0, 12.0]})
    >>> round(find("decay-length")(table, {"column": "length"}).facts["best"], 2)
    3.7
    """
    require_columns(frame, [column])
    if not 0 <= low < high:
        raise UsageError(
            "PEN074", f"from {low:g} to {high:g} is no window", where="--set low, high", remedy="give 0 <= low < high"
        )
    values = numbers(frame[column]).dropna().to_numpy(float)
    seen = values[(values >= low) & (values <= high)]
    if len(seen) < 2:
        raise DataError(
            "PEN075",
            f"{len(seen)} values of '{column}' lie in the window from {low:g} to {high:g}",
            where=f"column '{column}'",
            remedy="set low and high to what could be seen, or name another column",
        )
    mean = float(seen.mean())
    best = most_likely(mean, low, high)
    top = 3 * best if np.isfinite(best) else 10 * (high - low)
    grid = np.linspace((high - low) / 100, top, POINTS)
    logs = log_likelihood(grid, mean, len(seen), low, high)
    likelihood = np.exp(logs - logs.max())
    believed = grid[likelihood >= np.exp(-2)]  # within two of the greatest log likelihood
    said = [
        f"The length of greatest likelihood is {best:.4g}, with {believed.min():.3g} to {believed.max():.3g} nearly as "
        f"likely; the plain mean of the {len(seen)} values seen, {mean:.4g}, is the wrong answer."
        if np.isfinite(best)
        else f"The likelihood grows without end: a mean of {mean:.4g}, not below the middle of the window, tells only "
        f"that the length is long, {believed.min():.3g} at least.",
    ]
    if len(seen) < len(values):
        said.append(f"{len(values) - len(seen)} values outside the window were left out.")
    share = normaliser(best, low, high) if np.isfinite(best) else None
    if share is not None:
        said.append(f"Of decays of that length {share:.0%} fall into the window; the others were never seen.")
    found = {"parameter": "decay length", "values": grid, "likelihood": likelihood, "best": best, "naive": mean}
    table = pd.DataFrame({"length": grid, "likelihood": likelihood}).set_index("length").iloc[:: POINTS // 20]
    facts = {"best": best if np.isfinite(best) else None, "naive": mean, "rows": len(seen), "share_seen": share}
    return Found(said, table, facts, likelihood_curve(found))


DIAGNOSTIC = Diagnostic(
    name="decay-length",
    summary="The mean length of exponential decays of which only those in a window were seen, by greatest likelihood",
    function=decay_length,
    parameters={
        "column": "the lengths that were seen",
        "low": "where the window begins, by default 1",
        "high": "where it ends, by default 20",
    },
    syllabus=("met_truncated_exponential", "proc_bayes_inverse_recipe"),
)
