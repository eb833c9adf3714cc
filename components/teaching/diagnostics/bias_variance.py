"""What of an error is bias, what variance and what noise: where the truth is known, or for models on these rows."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components import catalog
from penstock.components.diagnostics import Diagnostic, Found, amount
from penstock.components.evaluation.bias_variance import squared_loss
from penstock.components.teaching.diagnostics.out_of_bag import kept_away
from penstock.components.teaching.inputs.outcome import Learnable, Positive, learnable, standardised
from penstock.components.teaching.learning_theory.simulation import polynomial_bias_variance
from penstock.components.teaching.plots.theory import stacked

Array = np.ndarray[Any, Any]
DEGREES = (0, 1, 3, 5, 7)
MODELS: dict[catalog.Estimator, tuple[str, ...]] = {
    "classifier": ("logistic-regression", "decision-tree", "k-nearest-neighbours"),
    "regressor": ("linear-regression", "decision-tree", "k-nearest-neighbours"),
}
FITS = 20


def bias_variance(
    frame: pd.DataFrame | None,
    *,
    target: str | None = None,
    models: list[str] | None = None,
    degrees: list[Annotated[int, Field(ge=0, le=15)]] | None = None,
    rows: Positive = 10,
    noise: Annotated[float, Field(ge=0)] = 0.3,
    rounds: Annotated[int, Field(ge=2, le=20_000)] = 2000,
    at: float | None = None,
    even: bool = False,
    seed: int = 0,
) -> Found:
    """Without a table, polynomials learn a sine whose noise is known; with one, bootstrap fits are compared.

    Examples
    --------
    >>> from penstock.components.diagnostics import find
    >>> sorted(find("bias-variance")(None, {"degrees": [0, 3], "rounds": 200}).facts["parts"])
    ['degree 0', 'degree 3']
    """
    if frame is not None and target is not None:
        return _of_models(learnable(frame, target), target, models, seed)
    settings: dict[str, Any] = {"rows": rows, "noise": noise, "rounds": rounds, "at": at, "even": even, "seed": seed}
    tried = {f"degree {degree}": polynomial_bias_variance(degree, **settings) for degree in degrees or DEGREES}
    table = pd.DataFrame.from_dict(tried, orient="index").rename_axis("model")
    best = min(tried, key=lambda name: tried[name]["loss"])
    findings = [
        f"Polynomials learn sin(x) from {rows} rows with noise of {noise:g}, {rounds:,} times"
        + (f"; evaluated at x = {at:g}." if at is not None else "."),
        f"The least expected error, {amount(tried[best]['loss'])}, has {best}: bias² {amount(tried[best]['bias'])}, "
        f"variance {amount(tried[best]['variance'])}, noise {amount(noise**2)}. This takes the truth to know, so it "
        "cannot choose a model.",
    ]
    return Found(findings, table, {"parts": table.to_dict("index")}, _drawn(table, noise=True))


def _of_models(found: Learnable, target: str, models: list[str] | None, seed: int) -> Found:
    rng = np.random.default_rng(seed)
    judging, train = kept_away(found, target, rng)
    X = standardised(found.X, like=found.X[train])
    truth = np.eye(len(found.classes))[found.y[judging]] if found.classes else found.y[judging]
    samples = [_with_all_classes(rng.choice(train, len(train)), train, found) for _ in range(FITS)]
    parts = {}
    for name in models or MODELS[found.estimator]:
        problem, made = catalog.find(name).problem_as(found.estimator), []
        for rows in samples:
            model = catalog.build(name, {}, seed=seed, problem=problem).fit(X[rows], found.y[rows])
            made.append(model.predict_proba(X[judging]) if found.classes else model.predict(X[judging]))
        parts[name] = squared_loss(np.stack(made), truth)
    table = pd.DataFrame.from_dict(parts, orient="index").drop(columns="noise").rename_axis("model")
    steady = min(parts, key=lambda name: parts[name]["variance"])
    close = min(parts, key=lambda name: parts[name]["bias"])
    findings = [
        f"{FITS} fits of each model on resampled rows, evaluated on {len(judging):,} rows that none has seen.",
        f"{steady} changes least from sample to sample (variance {amount(parts[steady]['variance'])}); {close} is "
        f"nearest to {target} on average (bias² {amount(parts[close]['bias'])}, with noise that nobody can predict).",
    ]
    return Found(findings, table, {"parts": table.to_dict("index")}, _drawn(table, noise=False))


def _with_all_classes(rows: Array, train: Array, found: Learnable) -> Array:
    """A resample that lacks a class gets one of its rows."""
    lacking = np.setdiff1d(found.y[train], found.y[rows]).tolist() if found.classes else []
    return np.concatenate([rows, *(train[found.y[train] == code][:1] for code in lacking)]).astype(int)


def _drawn(table: pd.DataFrame, *, noise: bool) -> Any:
    parts = {"bias²": table["bias"].tolist(), "variance": table["variance"].tolist()}
    parts |= {"noise": table["noise"].tolist()} if noise else {}
    measured = table["measured"].tolist() if noise else None
    return stacked("What the squared error is made of", list(table.index), parts, "Squared error", measured)


DIAGNOSTIC = Diagnostic(
    name="bias-variance",
    summary="What of the squared error is bias, variance and noise: of polynomials on a known curve, or of models here",
    function=bias_variance,
    parameters={
        "target": "the column to predict, where a table is given",
        "models": "models of the catalogue to compare on the table, by default a line, a tree and nearest neighbours",
        "degrees": "without a table: degrees of the polynomials, by default [0, 1, 3, 5, 7]",
        "rows": "without a table: rows that each learns from, by default 10",
        "noise": "without a table: standard deviation of the noise, by default 0.3",
        "rounds": "without a table: how often each learns anew, by default 2000",
        "at": "without a table: the x to evaluate at; by default all",
        "even": "without a table: whether x is on an even grid; by default it is drawn anew each time",
        "seed": "decides on rows and noise, by default 0",
    },
    needs_table=False,
    syllabus=("theory-bias-variance",),
)
