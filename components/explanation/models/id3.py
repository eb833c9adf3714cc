"""How ID3 decides: its tree, its formula for each class, or its list of rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.explanation.models.base import Shown, Teller, Told
from penstock.components.explanation.models.nodes import MOST_RULES, Node, rule
from penstock.components.explanation.models.terms import Terms
from penstock.components.explanation.models.tree import told_of
from penstock.components.trees.growing import LEAF
from penstock.components.trees.id3 import ID3Classifier


def tell_id3(shown: Shown) -> Told:
    terms, made = Terms(shown), _nodes(shown)
    listed = None
    if shown.model.rules_:
        lines = [
            rule([_test(shown, terms, *test) for test in tests], made[node]) for tests, _, node in shown.model.rules_
        ]
        rest = f"otherwise: {made[0].answer}"
        more = [f"and {len(lines) - MOST_RULES} more rules"] if len(lines) > MOST_RULES else []
        listed = {"Rules: the first that holds answers": [*lines[:MOST_RULES], *more, rest]}
    return told_of(shown, made[0], shown.labels, listed)


def _nodes(shown: Shown) -> dict[int, Node]:
    model, terms = shown.model, Terms(shown)
    tree: dict[str, Any] = model.tree_
    made: dict[int, Node] = {}
    for node in range(len(tree["attribute"]) - 1, -1, -1):  # children come after their parents
        counts = tree["counts"][node]
        best = int(counts.argmax())
        told: dict[str, Any] = {
            "answer": shown.labels[best],
            "rows": float(counts.sum()),
            "share": float(counts[best] / counts.sum()),
        }
        place = int(tree["attribute"][node])
        if place != LEAF:
            children = [(branch, int(child)) for branch, child in enumerate(tree["children"][node]) if child != LEAF]
            threshold = float(tree["threshold"][node])
            told["column"] = terms.column(place)
            told["branches"] = [
                (_holds(shown, terms, place, branch, threshold), made[child]) for branch, child in children
            ]
        made[node] = Node(**told)
    return made


def _holds(shown: Shown, terms: Terms, place: int, branch: int, threshold: float) -> str:
    if np.isnan(threshold):
        return terms.level(place, shown.model.levels_[place][branch])
    return terms.cut(place, threshold)[branch]


def _test(shown: Shown, terms: Terms, place: int, kind: str, value: float) -> str:
    is_level = kind == "is"
    branch = int(value) if is_level else int(kind != "below")
    return f"{terms.column(place)} {_holds(shown, terms, place, branch, np.nan if is_level else value)}"


TELLER = Teller(name="id3", suits=lambda model: isinstance(model, ID3Classifier), tell=tell_id3)
