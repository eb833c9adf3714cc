"""Compare: the new model with the champion, on rows that neither was trained on, and with the limits."""

from __future__ import annotations

from penstock.problems import find
from penstock.problems.comparison import CompareRequest, Comparison
from penstock.stage import stage
from penstock.store import Store


@stage(worker=True, asks="compare", travels=False)
def compare(store: Store, problem: str, request: CompareRequest) -> Comparison:
    """The gate's verdict. The champion's files are on this machine alone."""
    comparison: Comparison = find(problem).function("compare")(store, problem, request)
    return comparison
