"""How ID3 decides: its tree, its formula for each class, or its list of rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.explanation.models.base import Explainer, Explanation, Shown
from penstock.components.explanation.models.nodes import MAX_RULES, Node, rule
from penstock.components.explanation.models.terms import Terms
from penstock.components.explanation.models.tree import explanation_of
from penstock.components.trees.growing import LEAF
from penstock.components.trees.id3 import ID3Classifier


def explain_id3(shown: Shown) -> Explanation:
    root, model = _nodes(shown)[0], shown.model
    listed = {"Rules: the first that holds answers": _listed(shown, root)} if model.rules_ else None
    found = explanation_of(shown, root, shown.labels, listed)
    rows = f"{len(model.validation_rows_):,} training rows that it was not grown from"
    if model.rules_:
        found.sentences.append(
            f"Its paths became a list of {len(model.rules_):,} rules, each shortened by {rows}. The list answers; the "
            "picture is the tree before that."
        )
    elif model.pruning == "reduced-error":
        found.sentences.append(f"Branches that did not help with {rows} were cut off.")
    return found


def _listed(shown: Shown, root: Node) -> list[str]:
    """Each rule with the training rows that it answers, and how often it is right about them."""
    terms, deciding = Terms(shown), shown.model.deciding_rules(shown.X)
    lines = []
    for place, (tests, label, _) in enumerate(shown.model.rules_):
        node = _answering(shown, shown.labels[label], deciding == place)
        lines.append(rule([_test(shown, terms, *test) for test in tests], node))
    more = [f"and {len(lines) - MAX_RULES} more rules"] if len(lines) > MAX_RULES else []
    rest = rule([], _answering(shown, root.prediction, deciding < 0)).replace("if anything", "otherwise", 1)
    return [*lines[:MAX_RULES], *more, rest]


def _answering(shown: Shown, prediction: str, rows: np.ndarray[Any, Any]) -> Node:
    right = shown.y[rows] == shown.model.classes_[shown.labels.index(prediction)]
    return Node(prediction, float(rows.sum()), float(right.mean()) if rows.any() else None)


def _nodes(shown: Shown) -> dict[int, Node]:
    model, terms = shown.model, Terms(shown)
    tree: dict[str, Any] = model.tree_
    made: dict[int, Node] = {}
    for node in range(len(tree["attribute"]) - 1, -1, -1):  # children come after their parents
        counts = tree["counts"][node]
        best = int(counts.argmax())
        found: dict[str, Any] = {
            "prediction": shown.labels[best],
            "rows": float(counts.sum()),
            "share": float(counts[best] / counts.sum()),
        }
        place = int(tree["attribute"][node])
        if place != LEAF:
            children = [(branch, int(child)) for branch, child in enumerate(tree["children"][node]) if child != LEAF]
            threshold = float(tree["threshold"][node])
            found["column"] = terms.column(place)
            found["branches"] = [
                (_holds(shown, terms, place, branch, threshold), made[child]) for branch, child in children
            ]
        made[node] = Node(**found)
    return made


def _holds(shown: Shown, terms: Terms, place: int, branch: int, threshold: float) -> str:
    if np.isnan(threshold):
        return terms.level(place, shown.model.levels_[place][branch])
    return terms.cut(place, threshold)[branch]


def _test(shown: Shown, terms: Terms, place: int, kind: str, value: float) -> str:
    is_level = kind == "is"
    branch = int(value) if is_level else int(kind != "below")
    return f"{terms.column(place)} {_holds(shown, terms, place, branch, np.nan if is_level else value)}"


EXPLAINER = Explainer(name="id3", suits=lambda model: isinstance(model, ID3Classifier), explain=explain_id3)
