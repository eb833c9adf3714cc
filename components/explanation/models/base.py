"""What a model that explains itself is given, and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Shown:
    """A fitted model and its training rows, prepared as it saw them and as they were read.

    `X` and `raw` have the same rows, before any balancing; `names` are of the columns of X; `y` holds class codes or
    values; `X_test` are some prepared test rows, to try the model on. `classes` are the labels of the codes, None of a
    regression. `rule` is the model with the rule of its predictions around it, where it has one.
    """

    model: Any
    X: Array
    y: Array
    names: list[str]
    raw: pd.DataFrame
    X_test: Array
    target: str
    classes: list[str] | None = None
    seed: int = 0
    rule: Any = None

    @property
    def labels(self) -> list[str]:
        """Of the classes that the model knows, in its order."""
        return [str((self.classes or [])[code]) for code in self.model.classes_]


@dataclass(frozen=True)
class Table:
    """Rows of words and numbers under their heads; the first of each row names it."""

    title: str
    heads: list[str]
    rows: list[list[Any]]


@dataclass(frozen=True)
class Explanation:
    """`sentences` for people; `texts` are shown line by line as they are, under their titles; `figures` by name.

    `history`: of a model that learns epoch by epoch, the epoch that was kept, and series with a value for each.

    A figure's name needs its caption and its section ("deciding") in penstock/reporting/captions.py.
    """

    sentences: list[str]
    tables: list[Table] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    history: dict[str, Any] | None = None

    @property
    def facts(self) -> dict[str, Any]:
        """All but the pictures, as JSON."""
        tables = [{"title": one.title, "heads": one.heads, "rows": one.rows} for one in self.tables]
        return {"sentences": self.sentences, "tables": tables, "texts": self.texts, "history": self.history}


@dataclass(frozen=True)
class Explainer:
    """How one kind of model explains itself: `suits` says of a fitted model whether it is of this kind."""

    name: str
    suits: Callable[[Any], bool]
    explain: Callable[[Shown], Explanation]
