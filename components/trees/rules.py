"""A tree as rules: one for each leaf, shortened one by one, or joined into one formula for each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from penstock.components.trees.growing import LEAF, Tree

Array = np.ndarray[Any, Any]
Levels = list[list[Any] | None]
DIGITS = 12  # of an accuracy; beyond, equal ones differ by rounding


class Question(NamedTuple):
    """`value` is the code of a level for "is", else a threshold."""

    attribute: int
    kind: str
    value: float

    def holds(self, values: list[Array]) -> Array:
        column = values[self.attribute]
        if self.kind == "is":
            return np.equal(column, int(self.value))
        with np.errstate(invalid="ignore"):
            return column < self.value if self.kind == "below" else column >= self.value

    def describe(self, names: Sequence[str], levels: Levels) -> str:
        name, known = names[self.attribute], levels[self.attribute]
        if self.kind == "is" and known is not None:
            return f"{name} = {_plain(known[int(self.value)])}"
        return f"{name} {'<' if self.kind == 'below' else '>='} {self.value:.6g}"


class Rule(NamedTuple):
    """If all tests hold, then the class; `node` is the leaf that it came from."""

    tests: tuple[Question, ...]
    label: int
    node: int

    def fires(self, values: list[Array], n_rows: int) -> Array:
        fired = np.ones(n_rows, dtype=bool)
        for test in self.tests:
            fired &= test.holds(values)
        return fired

    def accuracy(self, values: list[Array], y: Array, weight: Array) -> float:
        """Of the rows that it speaks of, the share that it is right about, by weight; 0 where it speaks of none."""
        fired = self.fires(values, len(y))
        return float(np.average(y[fired] == self.label, weights=weight[fired])) if fired.any() else 0.0


def rules_of(tree: Tree) -> list[Rule]:
    """The paths from the root to each leaf, from the first branch to the last."""
    found: list[Rule] = []
    waiting: list[tuple[int, tuple[Question, ...]]] = [(0, ())]
    while waiting:
        node, tests = waiting.pop()
        attribute = int(tree.attribute[node])
        if attribute == LEAF:
            found.append(Rule(tests, int(tree.labels[node]), node))
            continue
        cut = float(tree.threshold[node])
        branches = [(branch, int(child)) for branch, child in enumerate(tree.children[node]) if child != LEAF]
        for branch, child in reversed(branches):
            numeric = "below" if branch == 0 else "not below"
            test = Question(attribute, "is", branch) if np.isnan(cut) else Question(attribute, numeric, cut)
            waiting.append((child, (*tests, test)))
    return found


def shortened(rules: list[Rule], values: list[Array], y: Array, weight: Array) -> list[Rule]:
    """Each rule without the tests whose removal makes it strictly more accurate on held-out rows; the best rule first.

    Rules are shortened independently of each other, so the list can say what no tree can.
    """
    shorter = [_shorten(rule, values, y, weight) for rule in rules]
    return sorted(shorter, key=lambda rule: -round(rule.accuracy(values, y, weight), DIGITS))


def _shorten(rule: Rule, values: list[Array], y: Array, weight: Array) -> Rule:
    accuracy = round(rule.accuracy(values, y, weight), DIGITS)
    while rule.tests:
        candidates = [rule._replace(tests=rule.tests[:i] + rule.tests[i + 1 :]) for i in range(len(rule.tests))]
        scores = [round(candidate.accuracy(values, y, weight), DIGITS) for candidate in candidates]
        best = int(np.argmax(scores))
        if scores[best] <= accuracy:
            break
        rule, accuracy = candidates[best], scores[best]
    return rule


def first_that_fires(rules: list[Rule], values: list[Array], n_rows: int) -> Array:
    """For each row the position of its rule; -1 where none speaks of it."""
    chosen = np.full(n_rows, -1)
    for position in range(len(rules) - 1, -1, -1):
        chosen[rules[position].fires(values, n_rows)] = position
    return chosen


def formulas(rules: list[Rule], names: Sequence[str], levels: Levels, classes: Sequence[Any]) -> dict[str, str]:
    """For each class, its paths as a disjunction of conjunctions."""
    describe: dict[str, list[str]] = {str(name): [] for name in classes}
    for rule in rules:
        tests = " and ".join(test.describe(names, levels) for test in rule.tests)
        describe[str(classes[rule.label])].append(f"({tests})" if len(rule.tests) > 1 else tests or "always")
    return {name: " or ".join(parts) or "never" for name, parts in describe.items()}


def _plain(level: Any) -> str:
    return f"{level:g}" if isinstance(level, float) else str(level)
