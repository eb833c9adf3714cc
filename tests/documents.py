"""Run documents made by hand, for tests of what is made of them."""

from __future__ import annotations

from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, RootModel

from penstock.document import registry
from penstock.document.run import VERSION, RunDocument
from penstock.reporting.render import render

P = TypeVar("P", bound=BaseModel)

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
            "mlflow_uri": "http://127.0.0.1:5000/#/runs/9c1e5f", "prefect_flow_run": "5b8cf0", "git_commit": "4d1756d",
            "reproducible": True, "not_reproducible_because": None, "command": "penstock run churn.yaml",
            "spec_yaml": "name: churn\nproblem: classification\n", "versions": {"scikit-learn": "1.9.1"},
        },
        "data": {
            "source": "churn.csv", "digest": "b1946a", "rows": 1000, "columns": 3, "train_rows": 800,
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
            "fits": 15, "winners_evaluated": 2,
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
        "selection": {
            "naive": -3.1,
            "corrected": {name: error[name] for name in INTERVAL},
            "candidates": 2,
            "fits": 10,
            "winners_evaluated": 1,
        },
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


def typed(facts: dict[str, Any]) -> RunDocument:
    """A whole document with these facts; what they do not tell is empty, zero or None."""
    filled = {"version": VERSION, **_filled(RunDocument, {"sections": {}, **facts})}
    del filled["sections"]
    for key, kind in registry.sections().items():
        if filled.get(key) is not None:
            filled[key] = _of_type(kind, filled[key])
    return RunDocument.model_validate(filled)


def _filled(kind: type[BaseModel], facts: dict[str, Any]) -> dict[str, Any]:
    found = dict(facts)
    for name, field in kind.model_fields.items():
        key = field.alias or name
        lacking = found.get(key) is None and type(None) not in get_args(field.annotation)
        if lacking and (key in found or field.is_required()):
            found[key] = _nothing(field.annotation)
        if key in found or field.is_required():
            found[key] = _of_type(field.annotation, found.get(key))
    return found


def _of_type(kind: Any, value: Any) -> Any:
    """The value with what it lacks, wherever a part of the document is asked for."""
    parts = [part for part in get_args(kind) if part is not type(None)]
    if isinstance(kind, type) and issubclass(kind, RootModel):
        return _of_type(kind.model_fields["root"].annotation, value)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _filled(kind, value) if isinstance(value, dict) else value
    if get_origin(kind) is Annotated:
        return _of_type(parts[0], value)
    if get_origin(kind) in (Union, UnionType):
        named = [part for part in parts if _names(part, value)]
        return _of_type(named[0] if named else parts[0], value) if len(parts) == 1 or named else value
    if get_origin(kind) is list and isinstance(value, list):
        return [_of_type(parts[0], one) for one in value]
    if get_origin(kind) is dict and isinstance(value, dict):
        return {key: _of_type(parts[1], one) for key, one in value.items()}
    return value


def _names(kind: Any, value: Any) -> bool:
    """Of the looks of the analysis, the one that the name stands for."""
    name = getattr(kind, "model_fields", {}).get("name")
    return name is not None and isinstance(value, dict) and value.get("name") in get_args(name.annotation)


def _nothing(kind: Any) -> Any:
    parts = get_args(kind)
    if type(None) in parts or kind is Any:
        return None
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {}
    return (get_origin(kind) or kind)()


def part(kind: type[P], facts: dict[str, Any]) -> P:
    """A part of a document with these facts; what they do not tell is empty, zero or None."""
    return kind.model_validate(_of_type(kind, facts))


def page(facts: dict[str, Any], figures: dict[str, str]) -> str:
    """The report of a document with these facts."""
    return render(typed(facts), figures)
