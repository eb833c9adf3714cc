"""The gate of kinds of question that set no units apart as a test."""

from __future__ import annotations

from penstock.problems.comparison import CompareRequest, Comparison
from penstock.store import Store


def compare(store: Store, problem: str, request: CompareRequest) -> Comparison:
    """Hold against a champion, since nothing is new to both; the first model goes into service."""
    if request.champion is None:
        verdict, reason = "promote", "there was no champion to compare with"
    else:
        verdict, reason = "hold", f"a {problem} sets no rows apart on which it could be compared with the champion"
    return Comparison.model_validate(
        {
            "verdict": verdict,
            "reason": reason,
            "difference": None,
            "rows": 0,
            "margin": request.terms.margin,
            "checks": [],
            "timed": False,
        }
    )
