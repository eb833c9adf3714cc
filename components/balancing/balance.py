"""Balance the classes of training rows that are prepared; rows that evaluate never come here."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from penstock.components import catalog
from penstock.components.preprocessing.plan import Step
from penstock.errors import DataError, UsageError

Array = np.ndarray[Any, Any]

WHERE = "preparation.balance"
CLASS_WEIGHTS = "class-weights"


def balance(chosen: Step, X: Array, y: Array, weight: Array | None, *, seed: int) -> tuple[Array, Array, Array | None]:
    """Rows, classes and weights to teach with. `chosen`: the balancer.

    A row that is taken again or left out keeps its weight. Rows that are made have none, so a balancer that makes some
    does not go with weights.
    """
    entry = catalog.find(chosen.name, "balancer", where=WHERE)
    balancer = catalog.build(entry.name, chosen.parameters, seed=seed)
    if hasattr(balancer, "weigh"):
        return X, y, balancer.weigh(y, weight)
    if weight is not None and entry.invents_rows:
        raise no_weights(entry.name)
    _require_neighbours(balancer, entry.name, y)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what it then gives up, its error tells
            more, classes = balancer.fit_resample(X, y)
    except (ValueError, RuntimeError) as error:
        raise DataError(
            "PEN154",
            f"'{entry.name}' cannot balance these {len(y)} training rows: {error}",
            where=WHERE,
            remedy="choose another balancer: class-weights and random-over-sampling always can",
        ) from error
    if len(np.unique(classes)) < len(np.unique(y)):
        raise DataError(
            "PEN154",
            f"'{entry.name}' leaves no row of a class among {len(y)} training rows",
            where=WHERE,
            remedy="choose another balancer: class-weights and random-over-sampling always can",
        )
    return (
        np.ascontiguousarray(more, dtype=np.float64),
        np.asarray(classes),
        None if weight is None else weight[balancer.sample_indices_],
    )


def no_weights(name: str, where: str = WHERE) -> UsageError:
    resampling = [
        entry.name for entry in catalog.entries().values() if entry.kind == "balancer" and not entry.invents_rows
    ]
    return UsageError(
        "PEN028",
        f"'{name}' makes new rows, and nobody can say what they weigh",
        where=where,
        remedy=f"choose one of: {', '.join(resampling)}; or declare the weight as `ignore`",
    )


def _require_neighbours(balancer: Any, name: str, y: Array) -> None:
    """New rows lie between a row and its neighbours of the same class."""
    given = balancer.get_params()
    if name in ("smote-tomek", "smote-edited-neighbours"):
        given = {"k_neighbors": 5}
    neighbours = given.get("k_neighbors", given.get("n_neighbors") if name == "adasyn" else None)
    sizes = np.bincount(y)
    fewest = int(sizes[sizes > 0].min())
    if neighbours is not None and fewest <= neighbours:
        fitting = f"give at most `neighbours: {fewest - 1}`, or " if fewest > 1 and "smote-" not in name else ""
        raise DataError(
            "PEN152",
            f"'{name}' looks at {neighbours} neighbours of the same class, but a class has {fewest} training row(s)",
            where=WHERE,
            remedy=f"{fitting}choose class-weights or random-over-sampling, or make fewer folds",
        )
