"""Linear regressors of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Float

ENTRIES = (
    Entry(
        name="ridge",
        kind="regressor",
        problems=("regression",),
        library="sklearn.linear_model:Ridge",
        # Its other parameters are ways to reach the same weights, or (fit_intercept) a choice of convention.
        space={"alpha": Float(low=1e-3, high=1e4, log=True, default=1.0)},
        syllabus=("linreg-map-gaussian", "linreg-ridge"),
        summary="Least squares with a squared penalty on the weights; fast, and hard to beat when rows are few.",
    ),
)
