"""The gate of kinds of question that set no units apart as a test."""

from __future__ import annotations

from penstock.problems.comparison import CompareInput, Difference


def compare(given: CompareInput) -> Difference:
    """Hold against a champion, since nothing is new to both; the first model goes into service."""
    problem = given.model.schema.problem
    return Difference(held=f"a {problem} sets no rows apart on which it could be compared with the champion")
