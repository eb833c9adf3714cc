"""Rows of several shapes, and what k-means and a method by density make of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from penstock.components.clustering.dbscan import DBSCAN
from penstock.components.clustering.k_means import KMeans
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.plots.planes import shapes_figure

Array = np.ndarray[Any, Any]

ROWS = 300
GOOD = 0.9
REACH = 0.3
FAR = "far rows"


def shapes(seed: int) -> dict[str, tuple[Array, Array]]:
    """Rows and the group that each was made from."""
    rng = np.random.default_rng(seed)

    def blobs(*groups: tuple[tuple[float, float], float, int]) -> tuple[Array, Array]:
        rows = [rng.normal(middle, spread, size=(count, 2)) for middle, spread, count in groups]
        return np.concatenate(rows), np.repeat(np.arange(len(groups)), [count for *_, count in groups])

    turned = np.array([[0.6, -0.64], [-0.41, 0.85]])
    round_ones = blobs(((0, 0), 0.5, 100), ((4, 0), 0.5, 100), ((2, 3.5), 0.5, 100))
    stretched = blobs(((0, 0), 1.0, 100), ((6, 0), 1.0, 100), ((3, 6), 1.0, 100))
    far = blobs(((0, 0), 0.6, 140), ((4, 0), 0.6, 140), ((25, 25), 3.0, 6))
    return {
        "round": round_ones,
        "stretched": (stretched[0] @ turned, stretched[1]),
        "unequal size": blobs(((0, 0), 1.4, 270), ((4.5, 0), 0.2, 30)),
        "overlapping": blobs(((0, 0), 1.0, 150), ((2.2, 0), 1.0, 150)),
        "moons": make_moons(ROWS, noise=0.05, random_state=seed),
        "rings": make_circles(ROWS, noise=0.04, factor=0.45, random_state=seed),
        FAR: far,
    }


def cluster_shapes(frame: pd.DataFrame | None = None, *, seed: int = 0) -> Found:
    """K-means is told the number of groups, but not of the far rows; the other method finds it."""
    rows, panels = [], {}
    for name, (X, truth) in shapes(seed).items():
        inside = truth < 2 if name == FAR else np.ones(len(truth), dtype=bool)
        middle, spread = X[inside].mean(axis=0), X[inside].std(axis=0)
        scaled = (X - middle) / spread
        groups = len(np.unique(truth[inside]))
        told: dict[str, Any] = {"shape": name}
        for method, model in (
            ("k-means", KMeans(groups, random_state=seed)),
            ("dbscan", DBSCAN(REACH, min_samples=5)),
        ):
            labels = np.asarray(model.fit(scaled).labels_)
            told[method] = float(adjusted_rand_score(truth[inside], labels[inside]))
            panels[f"{name}, {method}: {told[method]:.2f}"] = (scaled, labels)
        rows.append(told)
    table = pd.DataFrame(rows).set_index("shape")
    lost = {method: [str(name) for name in table.index[table[method] < GOOD]] for method in table.columns}
    findings = [
        f"{method} {f'misses these shapes: {_list(names)}' if names else 'finds all groups'} (adjusted Rand index "
        f"{'below' if names else 'at least'} {GOOD})."
        for method, names in lost.items()
    ]
    findings.append("K-means draws straight borders half way between means: it takes round groups of like size.")
    return Found(
        findings, table, {"missed": lost}, shapes_figure(panels, "Where k-means fails, and where density does")
    )


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


DIAGNOSTIC = Diagnostic(
    name="cluster-shapes",
    summary="What k-means and DBSCAN make of round, stretched, unequal, overlapping, bent and outlying groups",
    function=cluster_shapes,
    parameters={"seed": "seed of the rows, by default 0"},
    needs_table=False,
)
