"""How nearest neighbours decide: whom they ask about some test rows, and how far those are."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from penstock.components.explanation.models.base import Explainer, Explanation, Shown, Table
from penstock.components.explanation.models.rows import row_heads, row_of
from penstock.components.local_models.alike import AlikeClassifier, AlikeRegressor
from penstock.components.local_models.neighbours import EXPONENTIAL
from penstock.components.plots.deciding import neighbour_distances
from penstock.components.plots.style import short_number

Array = np.ndarray[Any, Any]

MAX_ASKED = 3
MAX_NEIGHBOURS = 5
MAX_LEARNING = 300
WEIGHTS = {
    "uniform": "each counts the same",
    "distance": "each counts by one over its distance",
    EXPONENTIAL: "each counts by an exponential that falls with its distance",
}


def explain_neighbours(shown: Shown) -> Explanation:
    model = shown.model
    count = int(model.n_neighbors)
    distances, places = model.kneighbors(shown.X_test)
    some = np.random.default_rng(shown.seed).permutation(len(shown.X))[:MAX_LEARNING]
    farthest = _without_itself(model, shown.X[some], count)
    what = "most common outcome" if shown.classes is not None else "mean outcome"
    far = float(np.mean(distances[:, -1] > np.quantile(farthest, 0.95)))
    sentences = [
        f"The answer is the {what} of the {count} training rows that are most alike; {WEIGHTS[model.weights]}. "
        "Alike is by prepared columns: scaled numbers, and levels as zeros and ones.",
        f"Of {len(distances):,} test rows, {far:.0%} have their farthest neighbour beyond the distance that 95% of the "
        f"training rows stay within, {short_number(float(np.quantile(farthest, 0.95)))}.",
    ]
    tables = []
    if _rows_learnt(model) == len(shown.X):  # else rows were balanced, and places are of other rows than those read
        tables.append(_asked(shown, distances, places, count))
        if shown.classes is not None:
            sentences.append(_agreement(shown, places))
    figure = neighbour_distances(farthest, distances[:, -1], count)
    return Explanation(sentences, tables, figures={"neighbours": figure})


def _asked(shown: Shown, distances: Array, places: Array, count: int) -> Table:
    rows = [
        [f"test row {asked + 1}", rank + 1, float(distances[asked, rank]), *row_of(shown, int(places[asked, rank]))]
        for asked in range(min(MAX_ASKED, len(places)))
        for rank in range(min(MAX_NEIGHBOURS, count))
    ]
    heads = ["Asked about", "Neighbour", "Distance", *row_heads(shown)]
    return Table("The nearest training rows of some test rows", heads, rows)


def _without_itself(model: Any, X: Array, count: int) -> Array:
    """Of training rows, the distance of the last neighbour but the row itself; one less where there are no more."""
    if isinstance(model, AlikeClassifier | AlikeRegressor):
        apart = np.sort(model.distances(X), axis=1)
        return np.asarray(apart[:, min(count, apart.shape[1] - 1)])
    known = min(count + 1, _rows_learnt(model))
    return np.asarray(model.kneighbors(X, n_neighbors=known)[0][:, -1])


def _agreement(shown: Shown, places: Array) -> str:
    neighbours = shown.y[places]
    counts = np.stack([(neighbours == code).sum(axis=1) for code in shown.model.classes_])
    share = float(counts.max(axis=0).mean() / places.shape[1])
    return f"On average {share:.0%} of the neighbours of a test row have the commonest outcome among them."


def _rows_learnt(model: Any) -> int:
    return int(model.neighbours_.n_samples_fit_ if hasattr(model, "neighbours_") else model.n_samples_fit_)


EXPLAINER = Explainer(
    name="neighbours",
    suits=lambda model: isinstance(
        model, KNeighborsClassifier | KNeighborsRegressor | AlikeClassifier | AlikeRegressor
    ),
    explain=explain_neighbours,
)
