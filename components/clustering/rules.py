"""A small decision tree that says in columns of the data which cluster a row belongs to, and how often it is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from penstock.components.clustering.describe import numbers_of
from penstock.components.evaluation.intervals import mean_interval

if TYPE_CHECKING:
    from penstock.components.schema import Column, Schema

Labels = NDArray[np.integer[Any]]

MAX_ROWS = 50_000
MAX_LEAVES = 16
MAX_LEVELS = 20
DEEPEST = 4


def explain_by_tree(
    train: tuple[pd.DataFrame, Labels], unseen: tuple[pd.DataFrame, Labels], schema: Schema, *, seed: int
) -> dict[str, Any] | None:
    """The rules, trained on the clusters of the training rows, and their fidelity: the share of unseen rows that they
    put into the cluster of the model. `guess` is the share that the largest cluster alone would get right.

    None where there are not two clusters to tell apart.
    """
    (frame, labels), (others, labels_of_others) = _fewer(*train, seed), unseen
    clusters = np.unique(labels)
    if len(clusters) < 2 or not len(labels_of_others):
        return None
    columns = [column for column in schema.features if column.role != "text"]
    questions = [question for column in columns for question in _questions(frame[column.name], column)]
    if not questions:
        return None
    tree = DecisionTreeClassifier(
        max_depth=DEEPEST, max_leaf_nodes=min(2 * len(clusters), MAX_LEAVES), min_samples_leaf=2, random_state=seed
    ).fit(_encoded(frame, questions), labels)
    hits = (tree.predict(_encoded(others, questions)) == labels_of_others).astype(float)
    largest = clusters[np.argmax([np.sum(labels == cluster) for cluster in clusters])]
    return {
        "fidelity": mean_interval(hits, seed=seed).model_dump(),
        "guess": float(np.mean(labels_of_others == largest)),
        "rows": len(hits),
        "leaves": int(tree.get_n_leaves()),
        "rules": _rules(tree, questions),
    }


def _fewer(frame: pd.DataFrame, labels: Labels, seed: int) -> tuple[pd.DataFrame, Labels]:
    """A small tree needs no more than so many rows."""
    if len(labels) <= MAX_ROWS:
        return frame, labels
    drawn = np.sort(np.random.default_rng(seed).choice(len(labels), MAX_ROWS, replace=False))
    return frame.iloc[drawn], labels[drawn]


class _Question:
    """A column as one number a row: the value itself, or whether it is a level."""

    def __init__(self, column: Column, level: str | None, fill: float) -> None:
        self.column, self.level, self.fill = column, level, fill

    def encode(self, frame: pd.DataFrame) -> NDArray[np.float64]:
        values = frame[self.column.name]
        if self.level is not None:
            return np.asarray(values == self.level, dtype=np.float64)
        numbers = np.full(len(values), self.fill)
        known = values.notna().to_numpy()
        if self.column.role == "ordinal":
            known = known & values.isin(self.column.levels or []).to_numpy()
        numbers[known] = numbers_of(values[known], self.column)
        return numbers

    def words(self, threshold: float, *, above: bool) -> str:
        name = self.column.name
        if self.level is not None:
            return f"{name} is {'' if above else 'not '}{self.level}"
        if self.column.role == "boolean":
            return f"{name} is {'true' if above else 'false'}"
        if self.column.role == "ordinal":
            levels = self.column.levels or []
            first = int(np.floor(threshold))
            return f"{name} {'above' if above else 'up to'} {levels[first]}"
        if self.column.role == "date":
            day = (pd.Timestamp(0) + pd.Timedelta(days=threshold)).date().isoformat()
            return f"{name} {'after' if above else 'up to'} {day}"
        shown = f"{threshold:,.0f}" if abs(threshold) >= 10_000 else f"{threshold:.4g}"
        return f"{name} {'>' if above else '≤'} {shown}"


def _questions(values: pd.Series[Any], column: Column) -> list[_Question]:
    known = values.dropna()
    if column.role == "nominal":
        return [_Question(column, str(level), 0.0) for level in known.value_counts().index[:MAX_LEVELS]]
    numbers = numbers_of(known, column)
    return [_Question(column, None, float(np.median(numbers)))] if len(numbers) else []


def _encoded(frame: pd.DataFrame, questions: list[_Question]) -> NDArray[np.float64]:
    return np.column_stack([question.encode(frame) for question in questions])


def _rules(tree: DecisionTreeClassifier, questions: list[_Question]) -> list[dict[str, Any]]:
    """Each leaf as the conditions that lead to it, the largest first."""
    nodes, found = tree.tree_, []

    def walk(node: int, conditions: dict[tuple[int, bool], str]) -> None:
        if nodes.children_left[node] == nodes.children_right[node]:
            shares = nodes.value[node][0]
            found.append(
                {
                    "cluster": int(tree.classes_[np.argmax(shares)]),
                    "conditions": list(conditions.values()),
                    "rows": int(nodes.n_node_samples[node]),
                    "share": float(np.max(shares) / np.sum(shares)),
                }
            )
            return
        place, threshold = int(nodes.feature[node]), float(nodes.threshold[node])
        for below, above in ((nodes.children_left[node], False), (nodes.children_right[node], True)):
            # A later question about the same column and side is the narrower one.
            walk(below, {**conditions, (place, above): questions[place].words(threshold, above=above)})

    walk(0, {})
    return sorted(found, key=lambda rule: (rule["cluster"], -rule["rows"]))
