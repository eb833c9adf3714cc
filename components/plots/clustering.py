"""Plots of a clustering, and which of them a run gets. Label -1 is noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from penstock.components.plots.hints import hint_boxes, hint_points, rows_of
from penstock.components.plots.overview import candidate_figure, missing_figure
from penstock.components.plots.style import (
    INK,
    PALETTE,
    QUIET,
    amounts,
    colour,
    heat_map,
    house_style,
    label,
    new_figure,
    say_thinned,
    scatter,
    short_number,
    thin,
)

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_PROFILE_COLUMNS = 14
MAX_SILHOUETTES = 1500
# What a criterion is called, and which end of its scale is the good one (the elbow has none); greater, for all others.
CRITERIA: dict[str, tuple[str, str | None]] = {
    "inertia": ("Spread inside, W(K)", None),
    "gap": ("Gap(K)", "greatest"),
    "silhouette": ("Silhouette", "greatest"),
    "calinski_harabasz": ("Calinski-Harabasz", "greatest"),
    "davies_bouldin": ("Davies-Bouldin", "least"),
    "stability": ("Stability", "greatest"),
    "bic": ("BIC", "least"),
    "aic": ("AIC", "least"),
    "neg_bic": ("\N{MINUS SIGN}BIC", "greatest"),
    "neg_aic": ("\N{MINUS SIGN}AIC", "greatest"),
}


@house_style()
def clusters_2d(points: Floats, labels: Codes, explained_variance: Sequence[float] | None = None) -> Figure:
    """The rows in two dimensions, coloured by cluster; principal components where `explained_variance` is given."""
    shown = thin(len(points))
    clusters = [int(cluster) for cluster in np.unique(labels)]
    found = sum(cluster >= 0 for cluster in clusters)
    figure = new_figure(f"{len(points):,} rows in {found} cluster{'' if found == 1 else 's'}", height=3.8)
    axes = figure.subplots()
    for cluster in clusters:
        inside = shown[labels[shown] == cluster]
        name = f"{_name(cluster)} ({int(np.sum(labels == cluster)):,})"
        scatter(axes, points[inside, 0], points[inside, 1], color=_tone(cluster), total=len(points), name=name)
        words = f"A row of {'the noise' if cluster < 0 else f'cluster {cluster}'}"
        hint_points(axes, points[inside, 0], points[inside, 1], [words] * len(inside))
    say_thinned(figure, len(shown), len(points))
    for set_label, axis in ((axes.set_xlabel, 0), (axes.set_ylabel, 1)):
        if explained_variance is None:
            set_label(f"Dimension {axis + 1}")
        else:
            set_label(f"Component {axis + 1} ({explained_variance[axis]:.0%} of variance)")
    if len(clusters) <= 12:
        figure.legend(loc="outside lower center", ncols=min(len(clusters), 3), markerscale=1.6)
    return figure


@house_style()
def silhouette_plot(values: Floats, labels: Codes) -> Figure:
    """Silhouette of every row, sorted inside its cluster; the dashed line is the mean."""
    clustered = labels >= 0
    mean = float(np.mean(values[clustered]))
    figure = new_figure(f"Silhouette: {mean:.3f} on average", height=3.8)
    axes = figure.subplots()
    clusters = [int(cluster) for cluster in np.unique(labels[clustered])]
    gap = max(1, int(0.02 * clustered.sum()))
    below = 0
    places = []
    for cluster in clusters:
        sizes = np.sort(values[labels == cluster])[::-1]
        rows = below + np.arange(len(sizes))
        kept = _spaced(len(sizes), max(2, MAX_SILHOUETTES * len(sizes) // int(clustered.sum())))
        axes.fill_betweenx(rows[kept], 0, sizes[kept], color=_tone(cluster), alpha=0.75, linewidth=0.6)
        misplaced = f"{np.mean(sizes < 0):.1%} of {rows_of(len(sizes))} below 0"
        words = f"Cluster {cluster}: {sizes.mean():.3f} on average, {misplaced}"
        hint_boxes(axes, min(0, sizes.min()), rows[0], max(0, sizes.max()), rows[-1] + 1, [words])
        places.append(below + len(sizes) / 2)
        below += len(sizes) + gap
    axes.axvline(mean, color=INK, linewidth=1, linestyle="--")
    axes.set_yticks(places, [_name(cluster) for cluster in clusters])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("Silhouette: 1 well inside, 0 between clusters, below 0 misplaced")
    axes.set_ylabel("Rows by cluster")
    return figure


@house_style()
def choice_of_k(curves: Mapping[str, Mapping[Any, float | None]], chosen: int | None) -> Figure:
    """One panel a curve: its score over K, its own best K as a ring, the chosen K as a line.

    A curve is named by its criterion, its method, or both: `silhouette`, `k-means`, `k-means: silhouette`.
    """
    pictures = {
        method: sorted((int(k), score) for k, score in curve.items() if score is not None)
        for method, curve in curves.items()
    }
    pictures = {method: curve for method, curve in pictures.items() if curve}
    title = "How many clusters?" + (f" {chosen} were chosen" if chosen else "")
    figure = new_figure(title, height=1.0 + 1.45 * -(-len(pictures) // 2) + (1.0 if len(pictures) <= 2 else 0))
    panels = figure.subplots(-(-len(pictures) // 2), min(len(pictures), 2), squeeze=False).ravel()
    for index, (method, curve) in enumerate(pictures.items()):
        axes = panels[index]
        ks, scores = [k for k, _ in curve], [value for _, value in curve]
        of_method, _, criterion = method.rpartition(": ")
        score, good_end = CRITERIA.get(criterion, ("Score", "greatest"))
        name = of_method or (score if criterion in CRITERIA else criterion)
        if chosen is not None:
            axes.axvline(chosen, color=PALETTE[1], linewidth=1.2, linestyle="--")
        axes.plot(ks, scores, "o-", color=PALETTE[0], markersize=4)
        hint_points(axes, ks, scores, (f"{k} clusters: {short_number(value)}" for k, value in curve))
        if good_end:
            best = int(np.argmax(scores) if good_end == "greatest" else np.argmin(scores))
            axes.plot(ks[best], scores[best], "o", markersize=10, markerfacecolor="none", color=PALETTE[1])
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        amounts(axes.yaxis)
        axes.margins(0.12)
        axes.set_title(label(name))
        axes.set_xlabel("Number of clusters K")
        axes.set_ylabel(score)
    for empty in panels[len(pictures) :]:
        empty.set_axis_off()
    return figure


@house_style()
def cluster_profile(profiles: Mapping[Any, Mapping[str, Any]]) -> Figure:
    """The numeric columns that differ most between clusters: values as text, shade by distance from their mean."""
    clusters = list(profiles)
    columns = numeric_columns(profiles)
    values = np.array([[float(profiles[cluster][column]) for cluster in clusters] for column in columns])
    spread = values.std(axis=1, keepdims=True)
    away = (values - values.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1)
    figure = new_figure("What sets the clusters apart", height=1.5 + 0.27 * len(columns))
    axes = figure.subplots()
    reach = max(float(np.abs(away).max()), 1.0)
    for side, tone in ((away, PALETTE[1]), (-away, PALETTE[0])):
        heat_map(axes, np.ma.masked_less_equal(side, 0), color=tone, most=reach)
    cells = np.argwhere(np.ones_like(values))
    hint_boxes(
        axes, cells[:, 1], cells[:, 0], cells[:, 1] + 1, cells[:, 0] + 1,
        (
            f"{label(columns[row], 60)} in cluster {label(clusters[column])}: "
            f"{short_number(values[row, column])} on average"
            for row, column in cells
        ),
    )  # fmt: skip
    if len(clusters) <= 8:
        for row, column in np.ndindex(values.shape):
            text = short_number(float(values[row, column]))
            axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=8.5)
    axes.set_xticks(np.arange(len(clusters)) + 0.5, [label(cluster, 8) for cluster in clusters])
    axes.set_yticks(np.arange(len(columns)) + 0.5, [label(column) for column in columns])
    axes.set_xlabel("Cluster (orange: above the mean of clusters, blue: below)", loc="right")
    axes.set_ylabel("Column")
    return figure


def numeric_columns(profiles: Mapping[Any, Mapping[str, Any]]) -> list[str]:
    """Columns with a number in every cluster, the most telling first: spread over the overall size of the values."""
    first, *others = profiles.values()
    columns = [
        column
        for column in first
        if all(isinstance(profile.get(column), Real) and not isinstance(profile.get(column), bool)
               for profile in (first, *others))
    ]  # fmt: skip

    def telling(column: str) -> float:
        values = np.array([float(profile[column]) for profile in profiles.values()])
        size = float(np.abs(values).mean())
        return float(values.std()) / size if size > 0 else 0.0

    return sorted(columns, key=lambda column: (-telling(column), column))[:MAX_PROFILE_COLUMNS]


def clustering_figures(document: Mapping[str, Any], arrays: Mapping[str, Any]) -> dict[str, Figure]:
    """Plots by name, for those parts of the run document and those arrays that are there.

    `points_2d` with `labels` (and `explained_variance`), `silhouette` with `labels`, `k_curves` ({method: {k: score}}).
    """
    figures: dict[str, Figure] = {}
    labels = np.asarray(arrays["labels"], dtype=np.int64) if "labels" in arrays else None
    if labels is not None and "points_2d" in arrays:
        points = np.asarray(arrays["points_2d"], dtype=np.float64)
        figures["clusters_2d"] = clusters_2d(points, labels, arrays.get("explained_variance"))
    if labels is not None and "silhouette" in arrays and np.any(labels >= 0):
        figures["silhouette_plot"] = silhouette_plot(np.asarray(arrays["silhouette"], dtype=np.float64), labels)
    clusters = document.get("clusters") or []
    if any(score is not None for curve in arrays.get("k_curves", {}).values() for score in curve.values()):
        chosen = sum(1 for cluster in clusters if cluster["cluster"] != -1) or None
        figures["choice_of_k"] = choice_of_k(arrays["k_curves"], chosen)
    profiles = {_name(cluster["cluster"]): cluster.get("profile") or {} for cluster in clusters}
    if profiles and numeric_columns(profiles):
        figures["cluster_profile"] = cluster_profile(profiles)
    return figures | candidate_figure(document) | missing_figure(document)


def _tone(cluster: int) -> str:
    return QUIET if cluster < 0 else colour(cluster)


def _name(cluster: object) -> str:
    return "noise" if cluster == -1 else str(cluster)


def _spaced(count: int, most: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))
