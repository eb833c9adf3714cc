from __future__ import annotations

from pathlib import Path
from typing import Any

from penstock.context import Run
from penstock.flows.announce import in_words
from tests.documents import typed

DOCUMENT: dict[str, Any] = {
    "metric": "roc_auc",
    "metrics": {"roc_auc": {"value": 0.8123, "low": 0.7, "high": 0.9}},
    "winner": {"name": "ridge"},
    "verdict": {"verdict": "promoted", "reason": "it is better"},
    "artifacts": {"report": "/home/runs/churn-1/report.html"},
}
RUN = Run(
    id="churn-1", pipeline="churn", home=Path("/home"), folder=Path("/home/runs"), base=Path("/"), tracking_uri="",
    mlflow_run="abc",
)  # fmt: skip


def test_with_a_server_both_links_are_given() -> None:
    told = in_words(RUN, typed(DOCUMENT), "http://mlflow/#/experiments/1/runs/abc")
    assert "**ridge**: roc_auc 0.812 (0.7 to 0.9)" in told
    assert "Gate: **promoted**. It is better." in told
    assert "[MLflow run](http://mlflow/#/experiments/1/runs/abc?workflowType=machine_learning)" in told
    assert "[Report](http://mlflow/#/experiments/1/runs/abc/artifacts/report.html?workflowType" in told


def test_without_one_the_command_that_opens_pages_is_named() -> None:
    told = in_words(RUN, typed({**DOCUMENT, "metrics": {}}), None)
    assert "](" not in told
    assert "`penstock ui churn`" in told
    assert "`/home/runs/churn-1/report.html`" in told
