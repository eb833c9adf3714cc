"""A small example of each kind of question: rows, a pipeline file, and what makes its model better or worse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

Models = list[Any]
Rows = Callable[[int, int], pd.DataFrame]


@dataclass(frozen=True, kw_only=True)
class Example:
    """What the suite runs a kind of question on.

    Parameters
    ----------
    rows : callable
        Rows of one law: how many, and the seed.
    data : dict
        The pipeline file's `data`, but for the source.
    good, alike, weak : list
        Models: a good one, another that is worth as much, and one that is clearly worse than these.
    moved : str
        A column of numbers from which the good model predicts.
    beside : mapping
        Further tables, as `rows`.
    """

    rows: Rows
    good: Models
    alike: Models
    weak: Models
    data: dict[str, Any]
    moved: str = "a"
    beside: Mapping[str, Rows] = field(default_factory=dict)


def _numbers(rows: int, seed: int) -> tuple[np.random.Generator, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(rows, 3)), columns=list("abc"))
    return rng, frame.assign(id=[f"r{seed}-{number}" for number in range(rows)])


def _classes(rows: int, seed: int) -> pd.DataFrame:
    rng, frame = _numbers(rows, seed)
    logit = 3 * (frame["a"] - frame["b"] + frame["c"])
    return frame.assign(y=np.where(rng.random(rows) < 1 / (1 + np.exp(-logit)), "yes", "no"))


def _values(rows: int, seed: int) -> pd.DataFrame:
    rng, frame = _numbers(rows, seed)
    return frame.assign(y=2 * frame["a"] - frame["b"] + frame["c"] + rng.normal(scale=0.3, size=rows))


def _groups(rows: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    centres = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])[rng.integers(0, 3, rows)]
    frame = pd.DataFrame(centres + rng.normal(size=(rows, 2)), columns=list("ab"))
    return frame.assign(id=[f"r{seed}-{number}" for number in range(rows)])


def _hidden(rows: int, seed: int) -> pd.DataFrame:
    """Two hidden columns in five, the first with two modes."""
    rng = np.random.default_rng(seed)
    hidden = np.column_stack([rng.normal(4 * rng.integers(2, size=rows), 0.5), rng.normal(size=rows)])
    mixed = hidden @ [[1, 0.5, -0.5, 0, 1], [0, 1, 1, 1, -0.5]] + 0.1 * rng.normal(size=(rows, 5))
    frame = pd.DataFrame(mixed, columns=list("abcde"))
    return frame.assign(id=[f"r{seed}-{number}" for number in range(rows)])


def _purchases(rows: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    users = [f"u{number}" for number in rng.integers(0, 4 * rows, rows)]
    items = rng.choice(list("pqrstuvw"), rows, p=[0.4, 0.25, 0.15, 0.08, 0.05, 0.04, 0.02, 0.01])
    return pd.DataFrame({"user": users, "item": items, "price": 1.0})


def _users(rows: int, seed: int) -> pd.DataFrame:
    """The first table is not about all of them."""
    users = [f"u{number}" for number in range(3 * rows)]
    return pd.DataFrame({"user": users, "age": np.random.default_rng(seed).integers(18, 80, len(users))})


EXAMPLES: dict[str, Example] = {
    "classification": Example(
        rows=_classes,
        data={"key": "id", "target": "y", "positive": "yes"},
        good=[{"logistic-regression": {"C": 1.0}}],
        alike=[{"logistic-regression": {"C": 1.01}}],
        weak=[{"decision-tree": {"max_depth": 1}}],
    ),
    "regression": Example(
        rows=_values,
        data={"key": "id", "target": "y"},
        good=[{"ridge": {"alpha": 1.0}}],
        alike=[{"ridge": {"alpha": 1.01}}],
        weak=[{"decision-tree": {"max_depth": 1}}],
    ),
    "clustering": Example(
        rows=_groups,
        data={"key": "id"},
        good=[{"k-means": {"clusters": 3}}],
        alike=[{"k-means": {"clusters": 3, "n_init": 4}}],
        weak=[{"k-means": {"clusters": 6}}],
    ),
    "reduction": Example(
        rows=_hidden,
        data={"key": "id"},
        good=[{"pca": {"components": 2}}],
        alike=[{"pca": {"components": 2, "svd_solver": "full"}}],
        weak=[{"pca": {"components": 1}}],
    ),
    "density": Example(
        rows=_hidden,
        data={"key": "id"},
        good=[{"gaussian-mixture-density": {"components": 2}}],
        alike=[{"gaussian-mixture-density": {"components": 2, "tol": 0.0011}}],
        weak=[{"gaussian-mixture-density": {"components": 1}}],
    ),
    "ranges": Example(
        rows=_hidden,
        data={"key": "id"},
        good=[{"quantile-box": {"share": 0.95}}],
        alike=[{"quantile-box": {"share": 0.94}}],
        weak=[{"quantile-box": {"share": 0.6}}],
    ),
    "baskets": Example(
        rows=_purchases,
        beside={"users": _users},
        data={"group": "user", "tables": {"users": "users.csv"}},
        good=[{"popular": {"order": "most"}}],
        alike=[{"popular": {"order": "most", "ties": "last"}}],
        weak=[{"popular": {"order": "least"}}],
        moved="price",
    ),
}
