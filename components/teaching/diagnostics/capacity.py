"""Control runs of capacity: what a model does with as many parameters as rows, and with labels that mean nothing."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components import catalog
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.schema import numbers, require_columns
from penstock.components.teaching.inputs.outcome import Positive
from penstock.components.teaching.plots.capacity import double_descent
from penstock.errors import DataError

Array = np.ndarray[Any, Any]

SIZES = (20, 50, 90, 100, 110, 200, 1000, 3000)
MAX_TEST_ROWS = 4000
ZERO = 1e-10
HIDDEN = 256
STEPS = 400


def capacity(
    frame: pd.DataFrame,
    *,
    target: str,
    rows: Positive = 100,
    sizes: Annotated[list[Positive], Field(min_length=1)] | None = None,
    penalty: Annotated[float, Field(gt=0)] = 10.0,
    labels: Annotated[int, Field(ge=0)] = 200,
    seed: int = 0,
) -> Found:
    """Least squares on random features, with ever more of them, with and without a penalty; and a network on noise."""
    require_columns(frame, [target])
    X, y = _points(frame, target, rows)
    order = np.random.default_rng(seed).permutation(len(y))
    X, y = X[order], y[order]
    X = (X - X[:rows].mean(axis=0)) / np.where(X[:rows].std(axis=0) > 0, X[:rows].std(axis=0), 1)
    y = y - y[:rows].mean()
    test_rows = slice(rows, rows + MAX_TEST_ROWS)
    rng = np.random.default_rng(seed)
    sweep = [_sized(size, X, y, rows, test_rows, penalty, rng) for size in sizes or SIZES]
    peak = max(sweep, key=lambda one: one["test"])
    fits = next((one["parameters"] for one in sweep if one["train"] < ZERO), None)
    findings = [
        f"The error on other rows is greatest, {peak['test']:.3g}, with {peak['parameters']} parameters for {rows} "
        f"rows; with {sweep[-1]['parameters']} it is {sweep[-1]['test']:.3g}.",
        f"With a penalty of {penalty:g} it is {peak['penalised']:.3g} there.",
        "No size fits the training rows exactly."
        if fits is None
        else f"From {fits} parameters on, the training rows are fitted exactly.",
    ]
    facts: dict[str, Any] = {"sweep": sweep, "exact_from": fits, "random_labels": None}
    if labels:
        facts["random_labels"] = found = _random_labels(X, min(labels, len(X) // 2), seed)
        findings.append(
            f"A network learns random labels of {found['rows']} rows to an accuracy of {found['train']:.3g}, and gets "
            f"{found['fresh']:.3g} of the random labels of {found['fresh_rows']} other rows: it can learn by heart, so "
            "its training error proves nothing."
        )
    table = pd.DataFrame(sweep).set_index("parameters")
    return Found(findings, table, facts, double_descent(sweep, rows))


def _points(frame: pd.DataFrame, target: str, rows: int) -> tuple[Array, Array]:
    whole = pd.DataFrame({name: numbers(frame[name]) for name in frame.columns}).dropna(axis=1, how="all")
    known = whole.dropna()
    if target not in known or known.shape[1] < 2 or len(known) < 2 * rows:
        raise DataError(
            "PEN048",
            f"{len(known)} rows have numbers in '{target}' and in every column of numbers, and {2 * rows} are needed: "
            f"{rows} to learn from, as many to evaluate",
            where=f"column '{target}'",
            remedy="set fewer rows, fill missing numbers, or name another target",
        )
    return known.drop(columns=target).to_numpy(), known[target].to_numpy()


def _sized(
    size: int, X: Array, y: Array, rows: int, test_rows: slice, penalty: float, rng: np.random.Generator
) -> dict[str, Any]:
    """Signs of random projections as features; of all exact fits, least squares takes the one of least norm."""
    features = np.where(X @ rng.normal(size=(X.shape[1], size)) >= 0, 1.0, -1.0)
    train, others = features[:rows], features[test_rows]
    plain = np.linalg.lstsq(train, y[:rows], rcond=None)[0]
    dual = np.linalg.solve(train @ train.T + penalty * np.eye(rows), y[:rows])
    held_back = train.T @ dual

    def error(part: Array, weights: Array, truth: Array) -> float:
        return float(np.mean((part @ weights - truth) ** 2))

    return {
        "parameters": size,
        "train": error(train, plain, y[:rows]),
        "test": error(others, plain, y[test_rows]),
        "penalised": error(others, held_back, y[test_rows]),
    }


def _random_labels(X: Array, rows: int, seed: int) -> dict[str, Any]:
    wanted = np.random.default_rng(seed).integers(2, size=len(X))
    settings = {"width": HIDDEN, "depth": 1, "learning_rate": 1e-2, "weight_decay": 0.0, "batch_size": rows}
    patience = {"epochs": STEPS, "patience": STEPS, "validation_share": 0.0}
    problem = catalog.find("mlp").problem_as("classifier")
    network = catalog.build("mlp", settings | patience, seed=seed, problem=problem)
    network.fit(X[:rows], wanted[:rows])
    fresh = slice(rows, rows + MAX_TEST_ROWS)
    return {
        "rows": rows,
        "train": float(np.mean(network.predict(X[:rows]) == wanted[:rows])),
        "fresh": float(np.mean(network.predict(X[fresh]) == wanted[fresh])),
        "fresh_rows": len(wanted[fresh]),
    }


DIAGNOSTIC = Diagnostic(
    name="capacity",
    summary="What happens with as many parameters as rows (double descent), and with random labels: capacity control",
    function=capacity,
    parameters={
        "target": "the column of numbers to predict",
        "rows": "rows to learn from, by default 100; the others evaluate",
        "sizes": "numbers of parameters to try, by default [20, 50, 90, 100, 110, 200, 1000, 3000]",
        "penalty": "weight of the squared penalty, by default 10",
        "labels": "rows that a network learns random labels of, by default 200; 0 leaves this out (it needs torch)",
        "seed": "decides which rows learn and which features are drawn, by default 0",
    },
    syllabus=("proc_capacity_controls", "plot_double_descent"),
)
