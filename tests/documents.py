"""Run documents made by hand, for tests of what is made of them."""

from __future__ import annotations

from typing import Any

INTERVAL = {"value": 0.861, "low": 0.832, "high": 0.889, "confidence": 0.95}


def finding(passed: bool, severity: str = "warning", **more: Any) -> dict[str, Any]:
    return {
        "code": "CHK003", "source": "built-in", "rule": "range", "column": "age", "passed": passed,
        "severity": severity, "count": 12, "share": 0.02, "examples": ["-1", "999"], "message": "12 ages are below 0",
        "remedy": "correct them", **more,
    }  # fmt: skip


def candidate(label: str, score: float | None, rank: int | None, **more: Any) -> dict[str, Any]:
    ends = {"low": None, "high": None} if score is None else {"low": score - 0.02, "high": score + 0.03}
    return {
        "label": label, "name": label.split()[0], "parameters": {"alpha": 0.5}, "status": "finished", "reason": None,
        "score": score, **ends, "folds": [] if score is None else [score - 0.01, score + 0.01], "seconds": 1.5,
        "rank": rank, **more,
    }  # fmt: skip


def churn() -> dict[str, Any]:
    """Two classes, promoted, with failed checks and a candidate that did not finish."""
    return {
        "name": "churn",
        "problem": "classification",
        "run": {
            "id": "run-17", "started": "2026-11-16T09:14:03+00:00", "seconds": 84.2, "mlflow_run": "9c1e5f",
            "mlflow_url": "http://127.0.0.1:5000/#/runs/9c1e5f", "prefect_flow_run": "5b8cf0", "git_commit": "4d1756d",
            "reproducible": True, "not_reproducible_because": None, "command": "penstock run churn.yaml",
            "spec_yaml": "name: churn\nproblem: classification\n", "versions": {"scikit-learn": "1.9.1"},
            "penstock": "0.1.0",
        },
        "data": {
            "source": "churn.csv", "digest": "b1946a", "rows": 1000, "columns": 3, "learning_rows": 800,
            "test_rows": 200,
            "schema": [
                {"name": "age", "role": "numeric", "reason": "60 numbers", "missing": 0.07, "distinct": 60},
                {"name": "plan", "role": "nominal", "reason": "3 words", "missing": 0.0, "distinct": 3},
            ],
            "target": {
                "name": "churned", "classes": ["no", "yes"],
                "facts": {"name": "churned", "missing": 0.0, "classes": {"no": 600, "yes": 200}},
            },
        },
        "checks": [finding(True), finding(False), finding(False, "error", message="The key occurs twice")],
        "winner": {"label": "ridge 1", "name": "ridge", "parameters": {"alpha": 0.5}, "model_digest": "3f79bb"},
        "metric": "roc_auc",
        "metrics": {
            "accuracy": {"value": 0.8, "low": 0.76, "high": 0.84, "confidence": 0.95, "label": "Accuracy", "sign": 1},
            "roc_auc": {**INTERVAL, "label": "ROC AUC", "sign": 1},
        },
        "selection": {
            "metric": "roc_auc", "naive": 0.8734, "corrected": {**INTERVAL, "value": 0.8567}, "candidates": 3,
            "fits": 15, "winners_judged": 2,
        },
        "candidates": [
            candidate("mlp 1", None, None, status="memory", reason="needed more than 500 MB"),
            candidate("baseline", 0.5, 2),
            candidate("ridge 1", 0.87, 1),
        ],
        "verdict": {
            "verdict": "promoted", "version": "3", "champion": "2", "reason": "above the margin",
            "difference": {"value": 0.0121, "low": 0.0042, "high": 0.0203, "confidence": 0.95}, "rows": 143,
        },
        "stages": [{"stage": "ingest", "state": "cached", "reason": "nothing changed", "seconds": 0.01}],
    }  # fmt: skip


def segments() -> dict[str, Any]:
    """A clustering with noise."""
    document = churn()
    stability = {**INTERVAL, "label": "Stability", "sign": 1}
    clusters = [
        {"cluster": cluster, "size": 30, "share": 0.5, "stability": INTERVAL, "profile": {"age": 20.5, "plan": "basic"}}
        for cluster in (-1, 0, 1)
    ]
    document["data"] |= {"target": None, "test_rows": None}
    del document["selection"]
    return document | {
        "problem": "clustering",
        "metric": "silhouette",
        "metrics": {"silhouette": {"value": 0.41, "label": "Silhouette", "sign": 1}, "stability": stability},
        "clusters": clusters,
        "verdict": {"verdict": "first", "version": "1", "champion": None, "reason": "", "difference": None, "rows": 0},
    }


def amount() -> dict[str, Any]:
    """A regression that is held back."""
    document = churn()
    document["data"]["target"] = {"name": "price", "classes": None, "facts": {"name": "price", "mean": 12.5}}
    error = {"value": -3.2, "low": -3.9, "high": -2.7, "confidence": 0.95, "label": "MAE", "sign": -1}
    return document | {
        "name": "amount",
        "problem": "regression",
        "metric": "neg_mean_absolute_error",
        "metrics": {"neg_mean_absolute_error": error},
        "candidates": [candidate("ridge 1", -3.1, 1), candidate("dummy 0", -6.2, 2)],
        "selection": {"naive": -3.1, "corrected": error, "candidates": 2, "fits": 10, "winners_judged": 1},
        "verdict": {**document["verdict"], "verdict": "held", "reason": "below the margin"},
    }


def crowded(document: dict[str, Any]) -> dict[str, Any]:
    """The same with many candidates, columns and levels, and names that do not break."""
    labels = [f"hist-gradient-boosting {number}" for number in range(1, 100)]
    found = [candidate(label, 0.9 - place / 1000, place + 2) for place, label in enumerate(labels)]
    found[50]["label"] = "w" * 200
    column = {"role": "nominal", "reason": "200 words", "missing": 0.01, "distinct": 200}
    document["candidates"] = [*document["candidates"], *found]
    document["data"]["schema"] = [{**column, "name": f"{'column_' * 8}{number}"} for number in range(80)]
    document["data"]["target"]["facts"]["classes"] = {f"level {number}": number + 1 for number in range(200)}
    return document
