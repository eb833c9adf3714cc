"""Linear regressors of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Float, OneOf

# Of scikit-learn's mean loss: the penalty lambda of a sum of squares over n rows is alpha = lambda / (2 n).
_PENALTY = Float(low=1e-4, high=1e3, log=True, default=1.0)

ENTRIES = (
    Entry(
        name="linear-regression",
        kind="regressor",
        problems=("regression",),
        library="sklearn.linear_model:LinearRegression",
        complexity=1,
        syllabus=("linreg-min-norm", "linreg-ols"),
        summary="Least squares without a penalty; its weights can be read where columns are few and not alike.",
    ),
    Entry(
        name="ridge",
        kind="regressor",
        problems=("regression",),
        library="sklearn.linear_model:Ridge",
        # Its other parameters are ways to reach the same weights, or (fit_intercept) a choice of convention.
        space={"alpha": Float(low=1e-3, high=1e4, log=True, default=1.0)},
        complexity=1,
        simpler={"alpha": "more"},
        syllabus=("linreg-map-gaussian", "linreg-ridge"),
        objective="sum of squared errors + alpha * sum of squared weights",
        summary="Least squares with a squared penalty on the weights; fast, and hard to beat when rows are few.",
    ),
    Entry(
        name="lasso",
        kind="regressor",
        problems=("regression",),
        library="sklearn.linear_model:Lasso",
        defaults={"max_iter": 10_000},
        space={"alpha": _PENALTY, "positive": OneOf((False, True), default=False)},
        complexity=1,
        simpler={"alpha": "more"},
        objective="sum of squared errors / (2 * rows) + alpha * sum of absolute weights",
        summary="Least squares with a penalty on the sizes of the weights, which sets many of them to zero.",
    ),
    Entry(
        name="elastic-net",
        kind="regressor",
        problems=("regression",),
        library="sklearn.linear_model:ElasticNet",
        defaults={"max_iter": 10_000},
        space={"alpha": _PENALTY, "l1_ratio": Float(low=0.05, high=1.0, default=0.5)},
        complexity=1,
        simpler={"alpha": "more", "l1_ratio": "more"},
        syllabus=("linreg-elastic-net",),
        summary="Between ridge and lasso: sets weights to zero, and keeps columns that are alike together.",
    ),
    Entry(
        name="least-absolute-deviations",
        kind="regressor",
        problems=("regression",),
        library="sklearn.linear_model:QuantileRegressor",
        defaults={"alpha": 0.0},
        complexity=1,
        syllabus=("linreg-lad",),
        summary="The line with the smallest sum of absolute errors: outliers pull it less than least squares.",
    ),
)
