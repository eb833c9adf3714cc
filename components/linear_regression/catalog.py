"""Linear regressors of the catalogue."""

from __future__ import annotations

from dataclasses import replace

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import Float, Int, OneOf

_PENALTY = Float(low=1e-4, high=1e3, log=True, default=1.0)

_CARD = Card(
    form="parametric", view="discriminative", output="deterministic", shape="linear", memory="O(n d)", time="O(n d^2)"
)

ENTRIES = (
    Entry(
        name="linear-regression",
        kind="regressor",
        problems=("regression",),
        library="penstock.components.linear_regression.least_squares:LeastSquaresRegressor",
        complexity=1,
        syllabus=("linreg-min-norm", "linreg-ols"),
        objective="sum of squared errors (the squared norm of y - Xw): w = X+ y, the pseudo-inverse, which is "
        "(X'X)^-1 X'y where X'X, not X, can be inverted; of one column and a constant X'X begins with the sum of x^2",
        summary="Least squares without a penalty; its weights can be read where columns are few and not alike.",
        card=_CARD,
    ),
    Entry(
        name="ridge",
        kind="regressor",
        problems=("regression",),
        library="penstock.components.linear_regression.ridge:RidgeRegressor",
        # Its other parameters are ways to reach the same weights, or (the intercept's) a choice of convention.
        space={"alpha": Float(low=1e-3, high=1e4, log=True, default=1.0)},
        complexity=1,
        simpler={"alpha": "more"},
        syllabus=("linreg-map-gaussian", "linreg-ridge"),
        objective="sum of squared errors + alpha * sum of squared weights, the intercept free unless "
        "penalise_intercept puts it under the penalty, like a column of ones; solved by (X'X + alpha I)^-1 X'y, which "
        "is there for any alpha above 0, however few the rows; alpha is lambda where sum and penalty have the same "
        "factor (1, 1/n or 1/2), n lambda for mean loss + lambda, and as the most probable weights the variance (not "
        "the standard deviation) of the noise over that of the prior",
        summary="Least squares with a squared penalty on the weights; fast, and hard to beat when rows are few.",
        card=_CARD,
    ),
    Entry(
        name="bayesian-ridge",
        kind="regressor",
        problems=("regression",),
        library="sklearn.linear_model:BayesianRidge",
        complexity=1,
        syllabus=("proc_evidence_maximisation",),
        objective="the evidence of alpha and lambda, the precisions of noise and weights; ridge has lambda / alpha",
        summary="Ridge whose penalty needs no search: it is what makes the rows most probable (the evidence).",
        card=replace(_CARD, output="probabilistic"),
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
        syllabus=("linreg-lasso",),
        objective="sum of squared errors / (2 * rows) + alpha * sum of absolute weights, the intercept free; alpha is "
        "lambda / (2 n) for the lambda of sum of squares + lambda * sizes, lambda / n for half the sum + lambda * "
        "sizes, and twice the first for a Laplace prior exp(-lambda |w| / noise variance); of orthonormal columns the "
        "weights are sign(w) max(0, |w| - lambda) in the half form, w those of least squares: w - lambda where w >= "
        "lambda, w + lambda where w <= -lambda, else 0, not a share of w as with ridge",
        summary="Least squares with a penalty on the sizes of the weights, which sets many of them to zero.",
        card=replace(_CARD, time="O(n d) for each pass"),
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
        objective="sum of squared errors / (2 * rows) + alpha * (l1_ratio * sum of absolute weights + (1 - l1_ratio) "
        "* sum of squared weights / 2), the squared norm where some print the norm; for the lambda of sum of squares "
        "+ lambda * (a * sizes + (1 - a) * squares) alpha is lambda (2 - a) / (2 n) and l1_ratio a / (2 - a)",
        summary="Between ridge and lasso: sets weights to zero, and keeps columns that are alike together.",
        card=replace(_CARD, time="O(n d) for each pass"),
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
        card=replace(_CARD, time="a linear programme of n + d unknowns", capacity=("alpha",)),
    ),
    Entry(
        name="lasso-lars",
        kind="regressor",
        problems=("regression",),
        library="sklearn.linear_model:LassoLars",
        space={"alpha": _PENALTY},
        complexity=1,
        simpler={"alpha": "more"},
        syllabus=("linreg-lars-path",),
        objective="sum of squared errors / (2 * rows) + alpha * sum of absolute weights",
        summary="The lasso by least angle regression, which finds its whole path; for many columns and few rows.",
        card=_CARD,
    ),
    Entry(
        name="norm-constrained-regression",
        kind="regressor",
        problems=("regression",),
        library="penstock.components.linear_regression.constrained:NormConstrainedRegressor",
        space={"norm": OneOf(("l2", "l1"), default="l2"), "share": Float(low=0.05, high=1.0, default=0.5)},
        complexity=1,
        simpler={"share": "less"},
        syllabus=("linreg-norm-constrained",),
        objective="sum of squared errors, where the sum of squared (or absolute) weights is at most t",
        summary="Ridge or lasso told by how much weight they may use: a bound t, or a share of what least squares use.",
        card=_CARD,
    ),
    Entry(
        name="bridge",
        kind="predictor",
        problems=("regression", "classification"),
        library={
            "regression": "penstock.components.linear_regression.bridge:BridgeRegressor",
            "classification": "penstock.components.linear_classification.bridge:BridgeClassifier",
        },
        space={
            "q": {
                "regression": Float(low=0.3, high=2.0, default=0.5),
                "classification": Float(low=1.0, high=3.0, default=1.5),
            },
            "lam": Float(low=1e-3, high=1e3, log=True, default=1.0),
        },
        complexity=1,
        simpler={"lam": "more"},
        syllabus=("linclf-logistic-lp", "linreg-bridge-lq"),
        objective="(sum of squared errors + lam * sum of |weight|^q) / 2; or sum of logistic losses + lam * the same",
        summary="A penalty on any power q of the weights: 2 is ridge, 1 the lasso, below 1 sparser than the lasso.",
        card=replace(_CARD, time="O(n d) for each pass", output="by its loss", capacity=("lam", "q")),
    ),
    Entry(
        name="penalised-risk",
        kind="predictor",
        problems=("regression", "classification"),
        library={
            "regression": "penstock.components.linear_regression.risk:PenalisedRiskRegressor",
            "classification": "penstock.components.linear_classification.risk:PenalisedRiskClassifier",
        },
        space={
            "loss": {
                "regression": OneOf(("squared", "absolute"), default="squared"),
                "classification": OneOf(("logistic", "squared", "hinge", "perceptron"), default="logistic"),
            },
            "penalty": OneOf(("l2", "l1"), default="l2"),
            "lam": Float(low=1e-3, high=1e2, log=True, default=1.0),
        },
        complexity=1,
        simpler={"lam": "more"},
        syllabus=("linclf-hinge", "linclf-least-squares", "linclf-perceptron-loss", "linreg-glm-erm"),
        objective="sum of losses + lam * penalty",
        summary="A linear model by its loss and its penalty: ridge, lasso, hinge, logistic and others by one name.",
        card=replace(
            _CARD,
            time="O(n d) for each pass, squared losses O(n d^2)",
            output="by its loss",
            capacity=("lam", "penalty"),
        ),
    ),
    Entry(
        name="sparse-signal",
        kind="regressor",
        problems=("regression",),
        library="penstock.components.linear_regression.basis:SparseSignalRegressor",
        space={
            "basis": OneOf(("cosines", "places"), default="cosines"),
            "alpha": Float(low=1e-5, high=1.0, log=True, default=1e-3),
        },
        own_units=True,
        complexity=1,
        simpler={"alpha": "more"},
        syllabus=("linreg-compressed-sensing",),
        objective="sum of squared errors / (2 * rows) + alpha * sum of absolute weights in the basis",
        summary="Compressed sensing: columns are places of a signal that few waves make up; the lasso finds the waves.",
        card=replace(_CARD, time="O(n d) for each pass", capacity=("alpha", "basis")),
    ),
    Entry(
        name="least-squares-subset",
        kind="selector",
        problems=("regression",),
        library="penstock.components.linear_regression.subset:SubsetSelector",
        space={
            "keep": Int(low=1, high=30, log=True, default=5),
            "search": OneOf(("forward", "backward"), default="forward"),
        },
        syllabus=("linreg-best-subset", "linreg-stepwise-rss", "proc_subset_regression"),
        summary="Keeps the columns with which least squares err least: stepwise, or the best set of all.",
    ),
)

TRUSTED = (
    "penstock.components.linear_regression.basis.SparseSignalRegressor",
    "penstock.components.linear_regression.bridge.BridgeRegressor",
    "penstock.components.linear_regression.constrained.NormConstrainedRegressor",
    "penstock.components.linear_regression.least_squares.LeastSquaresRegressor",
    "penstock.components.linear_regression.ridge.RidgeRegressor",
    "penstock.components.linear_regression.risk.PenalisedRiskRegressor",
    "penstock.components.linear_regression.subset.SubsetSelector",
)
