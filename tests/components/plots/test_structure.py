from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage

from penstock.components.plots.output import to_svg
from penstock.components.plots.structure import (
    consensus_matrix,
    cut_height,
    dendrogram,
    null_comparison,
    scaled_panels,
)

RNG = np.random.default_rng(0)
ROWS = np.concatenate([RNG.normal(size=(30, 2)), RNG.normal(size=(30, 2)) + 8])


def titles(figure: Any) -> list[str]:
    return [axes.get_title(loc="left") for axes in figure.axes]


@pytest.mark.covers("plot_dendrogram")
def test_linkages_stand_side_by_side_with_their_heights_and_the_cut() -> None:
    trees = {name: linkage(ROWS, name) for name in ("ward", "complete", "single")}
    figure = dendrogram(trees, 2)
    assert titles(figure)[:3] == ["ward", "complete", "single"]
    for axes, (name, tree) in zip(figure.axes, trees.items(), strict=False):
        drawn = [line for line in axes.lines if len(line.get_ydata()) == 4]
        assert max(max(line.get_ydata()) for line in drawn) == pytest.approx(tree[-1, 2])
        dashed = next(line for line in axes.lines if line.get_linestyle() == "--")
        assert len(np.unique(fcluster(tree, dashed.get_ydata()[0], "distance"))) == 2, name
    assert "merged at height" in to_svg(figure)


def test_a_cut_leaves_as_many_clusters_as_asked_for() -> None:
    tree = linkage(ROWS, "ward")
    for clusters in (2, 3, 7):
        assert len(np.unique(fcluster(tree, cut_height(tree, clusters), "distance"))) == clusters
    assert not any(line.get_linestyle() == "--" for line in dendrogram({"ward": tree}, 1).axes[0].lines)


@pytest.mark.covers("plot_standardised_vs_raw")
def test_the_same_rows_raw_and_standardised_with_the_clusters_of_each() -> None:
    labels = np.repeat([0, 1], 30)
    panels = {"standard": (ROWS, labels), "none": (ROWS * [1, 9], np.where(ROWS[:, 1] > 0, 1, -1))}
    figure = scaled_panels(panels, {"none": 0.123}, "standard")
    assert titles(figure)[:2] == ["standard: chosen", "none: agrees by 0.12"]
    drawn = [sum(len(dots.get_offsets()) for dots in axes.collections) for axes in figure.axes[:2]]
    assert drawn == [60, 60]
    assert [len(axes.collections) for axes in figure.axes[:2]] == [2, 2]


def test_rows_and_draws_of_every_reference() -> None:
    found = {
        "structured": False,
        "pvalue": 0.4,
        "comparisons": [
            {"reference": "uniform", "statistic": 9.0, "draws": [0.1, 0.5, 2.0], "pvalue": 0.25},
            {"reference": "gaussian", "statistic": 0.4, "draws": [0.3, 0.5], "pvalue": 0.4},
        ],
    }
    figure = null_comparison(found)
    assert figure.get_suptitle() == "No structure: p = 0.4"
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == ["uniform", "gaussian"]
    drawn = to_svg(figure)
    assert "uniform: these rows 9, the 3 draws up to 2" in drawn
    assert "mathdefault" not in drawn
    far = {**found, "comparisons": [{**one, "statistic": 3e8} for one in found["comparisons"]]}
    ticks = [tick.get_text() for tick in null_comparison(far).axes[0].get_xticklabels()]
    assert ticks == ["0", "10", "10,000", "1e7"]


@pytest.mark.parametrize("endless", [np.inf, np.nan])
def test_rows_endlessly_far_from_a_reference_stand_at_the_edge(endless: float) -> None:
    one = {"reference": "uniform", "statistic": endless, "draws": [0.1, endless, 40.0], "pvalue": 0.25}
    figure = null_comparison({"structured": True, "pvalue": 0.01, "comparisons": [one]})
    assert figure.axes[0].lines[1].get_xdata()[0] == 400.0
    assert f"these rows {endless}" in to_svg(figure)


def test_the_consensus_names_what_was_compared() -> None:
    figure = consensus_matrix(np.eye(6), ["k-means #1", "ward #2"], 0.75)
    assert figure.get_suptitle() == "2 clusterings agree by 0.75 (adjusted Rand)"
    assert figure.get_label() == "Compared: k-means #1, ward #2."
