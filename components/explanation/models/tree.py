"""How a single tree decides: its questions, drawn and as rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

from penstock.components.explanation.models.base import Explainer, Explanation, Shown
from penstock.components.explanation.models.nodes import Node, formulas, rules
from penstock.components.explanation.models.terms import Terms
from penstock.components.plots.style import short_number
from penstock.components.plots.trees import tree_diagram, tree_regions

Array = np.ndarray[Any, Any]
LEAF = -1
FEW_LEAVES = 8


def explain_tree(shown: Shown) -> Explanation:
    root = _grown(shown)
    predictions = shown.labels if shown.classes is not None else []
    return explanation_of(shown, root, predictions)


def explanation_of(
    shown: Shown, root: Node, predictions: list[str], listed: dict[str, list[str]] | None = None
) -> Explanation:
    """What any tree tells; `listed` are rules that the model answers by in the place of its leaves."""
    asked = _asked(root)
    sentences = [
        f"A tree of {root.depth} question{'s' if root.depth != 1 else ''} at most, with {root.leaves:,} "
        f"leaves; it asks about {', '.join(asked[:6])}{f' and {len(asked) - 6} more' if len(asked) > 6 else ''}."
        if root.branches
        else f"A tree that asks nothing: the answer is always {root.prediction}."
    ]
    texts = listed or {"Rules, those of most rows first": rules(root)}
    if predictions and root.leaves <= FEW_LEAVES and not listed:
        texts |= formulas(root, predictions)
    figures = {"tree": tree_diagram(root, shown.target)} if root.branches else {}
    if root.branches and len(shown.names) <= 2:
        figures["tree_regions"] = tree_regions(shown, _predicted(shown), Terms(shown))
    return Explanation(sentences, texts=texts, figures=figures)


def _grown(shown: Shown) -> Node:
    grown, terms = shown.model.tree_, Terms(shown)
    made: dict[int, Node] = {}
    for node in range(grown.node_count - 1, -1, -1):  # children come after their parents
        prediction, share = _answer(shown, grown.value[node, 0])
        found: dict[str, Any] = {
            "prediction": prediction,
            "rows": float(grown.weighted_n_node_samples[node]),
            "share": share,
        }
        if grown.children_left[node] != LEAF:
            place = int(grown.feature[node])
            below, above = terms.cut(place, float(grown.threshold[node]))
            children = made.pop(int(grown.children_left[node])), made.pop(int(grown.children_right[node]))
            found |= {"column": terms.column(place), "branches": list(zip((below, above), children, strict=True))}
        made[node] = Node(**found)
    return made[0]


def _answer(shown: Shown, value: Array) -> tuple[str, float | None]:
    if shown.classes is None:
        return short_number(float(value[0])), None
    best = int(value.argmax())
    return shown.labels[best], float(value[best] / value.sum())


def _asked(root: Node) -> list[str]:
    """The columns that are asked about, nearest to the root first."""
    found: dict[str, None] = {}
    level = [root]
    while level:
        found |= {node.column: None for node in level if node.branches}
        level = [child for node in level for _, child in node.branches]
    return list(found)


def _predicted(shown: Shown) -> Any:
    """Values, or the probability of each class that the model knows."""
    return shown.model.predict if shown.classes is None else shown.model.predict_proba


EXPLAINER = Explainer(
    name="tree",
    suits=lambda model: isinstance(
        model, DecisionTreeClassifier | DecisionTreeRegressor | ExtraTreeClassifier | ExtraTreeRegressor
    ),
    explain=explain_tree,
)
