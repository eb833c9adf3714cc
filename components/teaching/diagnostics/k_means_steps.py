"""Round by round, what k-means does from a given start, and whether another start ends elsewhere."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.clustering.starts import STARTS, means
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.plane import in_a_plane, whole_numbers
from penstock.components.teaching.plots.planes import Cells, rounds_figure

Array = np.ndarray[Any, Any]
Start = Literal["random", "random-partition", "furthest-first", "over-seeded"]

MAX_ROUNDS = 100
ALIKE = 1e-6


def lloyd(X: Array, centres: Array) -> list[Cells]:
    """Every round: each row to its nearest centre, then each centre to the mean of its rows; one without rows stays."""
    rounds: list[Cells] = []
    before: Array | None = None
    for _ in range(MAX_ROUNDS):
        labels = ((X[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        rounds.append(Cells(labels, centres, before))
        filled = np.bincount(labels, minlength=len(centres)) > 0
        moved = np.where(filled[:, None], means(X, labels, len(centres)), centres)
        if np.allclose(moved, centres):
            break
        before, centres = centres, moved
    return rounds


def objective(X: Array, cells: Cells) -> float:
    """The sum of squared distances to the centres."""
    return float(((X - cells.centres[cells.labels]) ** 2).sum())


def k_means_steps(
    frame: pd.DataFrame,
    *,
    clusters: Annotated[int, Field(ge=2, le=12)] = 3,
    start: Start = "random",
    scale: bool = True,
    seed: int = 0,
) -> Found:
    """In the two main directions of the rows, from two starts of one kind.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 0.1, 0.2, 5.0, 5.1, 5.2], "b": [0.0, 0.2, 0.1, 5.0, 5.2, 5.1]})
    >>> find("k-means-steps")(table, {"clusters": 2}).facts["same_end"]
    True
    """
    points = in_a_plane(whole_numbers(frame), scale=scale)[1]
    runs = [lloyd(points, _first(points, min(clusters, len(points)), start, seed + other)) for other in (0, 1)]
    sums = [[objective(points, cells) for cells in rounds] for rounds in runs]
    panels: dict[str, Cells] = {}
    for number, rounds in enumerate(runs, start=1):
        panels |= {f"start {number}": rounds[0], f"start {number}, after {len(rounds) - 1} rounds": rounds[-1]}
    table = pd.DataFrame(
        [
            {"start": number, "round": place, "objective": value}
            for number, values in enumerate(sums, start=1)
            for place, value in enumerate(values)
        ]
    )
    ends = [values[-1] for values in sums]
    same = abs(ends[0] - ends[1]) <= ALIKE * max(ends)
    findings = [
        f"From the first start k-means ends after {len(runs[0]) - 1} rounds at {ends[0]:.4g}, from the second after "
        f"{len(runs[1]) - 1} at {ends[1]:.4g}: {'the same' if same else 'the start decides, so several are tried'}.",
        "No round makes the sum of squares larger, and there are finitely many partitions: it always ends, if not "
        "always at the best.",
    ]
    facts = {"objectives": sums, "same_end": same}
    figure = rounds_figure(points, panels, f"K-means with {clusters} centres from two starts")
    return Found(findings, table, facts, figure)


def _first(points: Array, clusters: int, start: Start, seed: int) -> Array:
    rng = np.random.RandomState(seed)
    if start == "random":
        return points[rng.choice(len(points), clusters, replace=False)]
    return STARTS[start](points, clusters, rng)


DIAGNOSTIC = Diagnostic(
    name="k-means-steps",
    summary="What k-means does round by round, with centres and their cells, and whether the start decides",
    function=k_means_steps,
    parameters={
        "clusters": "how many, by default 3",
        "start": "random (rows), random-partition, furthest-first or over-seeded (K log K and merge)",
        "scale": "false to leave the columns in their own units",
        "seed": "seed of the starts, by default 0",
    },
)
