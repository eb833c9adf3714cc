"""A tree of questions, whoever grew it: its rules in words, and its predictions as formulas."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

MAX_RULES = 20


@dataclass
class Node:
    """`branches`: what holds of the column, and the node that follows. `share`: of its rows that the answer fits.

    Made from the leaves up: a deep tree is never descended into.
    """

    prediction: str
    rows: float
    share: float | None = None
    column: str = ""
    branches: list[tuple[str, Node]] = field(default_factory=list)
    leaves: int = 1
    depth: int = 0

    def __post_init__(self) -> None:
        if self.branches:
            self.leaves = sum(child.leaves for _, child in self.branches)
            self.depth = 1 + max(child.depth for _, child in self.branches)


class Path(NamedTuple):
    """From the root to a leaf."""

    tests: list[str]
    leaf: Node


def paths(root: Node) -> list[Path]:
    """From the first branch to the last."""
    found: list[Path] = []
    waiting: list[Path] = [Path([], root)]
    while waiting:
        tests, node = waiting.pop()
        if not node.branches:
            found.append(Path(tests, node))
        waiting += [Path([*tests, f"{node.column} {holds}"], child) for holds, child in reversed(node.branches)]
    return found


def rules(root: Node) -> list[str]:
    """One line for each leaf, those of most rows first."""
    ordered = sorted(paths(root), key=lambda path: -path.leaf.rows)
    lines = [rule(path.tests, path.leaf) for path in ordered[:MAX_RULES]]
    return lines + ([f"and {len(ordered) - MAX_RULES} more rules"] if len(ordered) > MAX_RULES else [])


def rule(tests: list[str], leaf: Node) -> str:
    share = f"{leaf.share:.0%} of " if leaf.share is not None else ""
    rows = f"{leaf.rows:,.0f} row{'s' if round(leaf.rows) != 1 else ''}"
    return f"if {' and '.join(tests) or 'anything'}: {leaf.prediction} ({share}{rows})"


def formulas(root: Node, predictions: list[str]) -> dict[str, list[str]]:
    """For each answer its leaves as a disjunction of conjunctions, a line for each."""
    found: dict[str, list[str]] = {}
    for prediction in predictions:
        parts = [path.tests for path in paths(root) if path.leaf.prediction == prediction]
        lines = [f"({' and '.join(tests)})" if len(tests) > 1 else tests[0] if tests else "always" for tests in parts]
        shown = lines[:MAX_RULES]
        joined = [f"{'or ' if place else ''}{line}" for place, line in enumerate(shown)] or ["never"]
        more = [f"or one of {len(lines) - MAX_RULES} more"] if len(lines) > MAX_RULES else []
        found[f"{prediction}, if"] = joined + more
    return found
