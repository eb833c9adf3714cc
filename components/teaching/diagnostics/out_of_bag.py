"""Whether rows that a tree has not seen evaluate a forest as well as rows that none has seen."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components import catalog
from penstock.components.diagnostics import Diagnostic, Found, amount
from penstock.components.teaching.inputs.outcome import Learnable, learnable, standardised
from penstock.components.teaching.plots.theory import curves
from penstock.errors import DataError

Array = np.ndarray[Any, Any]
MIN_ROWS = 10


def out_of_bag(
    frame: pd.DataFrame, *, target: str, trees: Annotated[int, Field(ge=5, le=1000)] = 200, seed: int = 0
) -> Found:
    """A third of the rows is kept from the forest, to compare with.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> rng = np.random.default_rng(0)
    >>> table = pd.DataFrame(rng.normal(size=(40, 2)), columns=["a", "b"])
    >>> table["y"] = 2 * table["a"] + rng.normal(size=40)
    >>> bool(find("out-of-bag")(table, {"target": "y", "trees": 20}).facts["out_of_bag"] > 0)
    True
    """
    found = learnable(frame, target)
    problem = catalog.find("random-forest").problem_as(found.estimator)
    away, taught = kept_away(found, target, np.random.default_rng(seed))
    scaled = standardised(found.X)  # trees hold short numbers
    X, y = scaled[taught], found.y[taught]
    forest = catalog.build("random-forest", {"n_estimators": trees}, seed=seed, problem=problem).fit(X, y)
    seen, unseen, others = (_Vote(len(part), found.classes) for part in (y, y, away))
    rows = []
    for place, (tree, sample) in enumerate(zip(forest.estimators_, forest.estimators_samples_, strict=True), start=1):
        bag = np.zeros(len(y), dtype=bool)
        bag[sample] = True
        predictions, apart = _answers(tree, X, found.classes), _answers(tree, scaled[away], found.classes)
        seen.add(predictions)
        unseen.add(predictions, ~bag)
        others.add(apart)
        if place % max(1, trees // 40) == 0 or place == trees:
            errors = seen.error(y), unseen.error(y), others.error(found.y[away])
            rows.append(dict(zip(("trees", "trained on", "out of bag", "kept away"), (place, *errors), strict=True)))
    table = pd.DataFrame(rows)
    last = table.iloc[-1]
    what = "mean squared error" if found.classes is None else "share of mistakes"
    drawn, out, away_from = (amount(last[name]) for name in ("trained on", "out of bag", "kept away"))
    findings = [
        f"With {trees} trees, the {what} is {out} out of the bag and {away_from} on {len(away):,} rows that no tree "
        f"has seen; on the training rows it is {drawn}, which says nothing.",
        "Out of the bag, every row is evaluated by the trees that did not draw it, about 37% of all.",
    ]
    facts = {name.replace(" ", "_"): float(last[name]) for name in ("trained on", "out of bag", "kept away")}
    lines = {name: table[name].tolist() for name in ("trained on", "out of bag", "kept away")}
    up = what[0].upper() + what[1:]
    figure = curves("A forest evaluated by its own rows", table["trees"].tolist(), lines, across="Trees", up=up)
    return Found(findings, table.set_index("trees"), facts, figure)


def kept_away(found: Learnable, target: str, rng: np.random.Generator) -> tuple[Array, Array]:
    """A third of the rows, and the others, which have rows of every class."""
    if len(found.y) < MIN_ROWS:
        raise DataError(
            "PEN080",
            f"{len(found.y)} rows with an outcome are too few to keep a third of them away",
            where=f"column '{target}'",
            remedy=f"bring in at least {MIN_ROWS} rows",
        )
    if found.classes is not None and len(found.classes) < 2:
        raise DataError(
            "PEN081",
            f"'{target}' has one class, so there is nothing to predict",
            where=f"column '{target}'",
            remedy="name a column of at least two classes, or of numbers",
        )
    order = rng.permutation(len(found.y))
    away, taught = order[: len(order) // 3], order[len(order) // 3 :]
    if found.classes is None:
        return away, taught
    unknown = ~np.isin(found.y[away], found.y[taught])
    return away[~unknown], np.concatenate([taught, away[unknown]])


class _Vote:
    """Sums of what trees answer, of those rows that they may evaluate."""

    def __init__(self, rows: int, classes: list[str] | None) -> None:
        self.total = np.zeros((rows, len(classes) if classes else 1))
        self.votes = np.zeros(rows)
        self.classes = classes

    def add(self, predictions: Array, out_of_bag: Array | None = None) -> None:
        part = np.ones(len(self.votes)) if out_of_bag is None else out_of_bag.astype(float)
        self.total += predictions * part[:, None]
        self.votes += part

    def error(self, y: Array) -> float:
        known = self.votes > 0
        if self.classes:
            return float(np.mean(self.total[known].argmax(axis=1) != y[known]))
        return float(np.mean((self.total[known, 0] / self.votes[known] - y[known]) ** 2))


def _answers(tree: Any, X: Array, classes: list[str] | None) -> Array:
    predictions: Array = tree.predict_proba(X) if classes else tree.predict(X)[:, None]
    return predictions


DIAGNOSTIC = Diagnostic(
    name="out-of-bag",
    summary="Whether a forest's out-of-bag error tells the truth here: beside rows that no tree has seen",
    function=out_of_bag,
    parameters={
        "target": "the column to predict",
        "trees": "how many trees to grow, by default 200",
        "seed": "decides on rows and trees, by default 0",
    },
    syllabus=("ens-oob-error",),
)
