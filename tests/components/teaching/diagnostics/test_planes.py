"""Diagnostics of rows in a plane: what is drawn is what was found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import Circle
from sklearn.datasets import make_blobs, make_circles
from sklearn.linear_model import LinearRegression

from penstock.components.diagnostics import find
from penstock.components.plots import to_svg
from penstock.errors import DataError

pytestmark = pytest.mark.usefixtures("one_thread")


def diagnose(name: str, frame: pd.DataFrame | None = None, **given: Any) -> Any:
    return find(name)(frame, given)


def blobs(rows: int = 90) -> pd.DataFrame:
    X, y = make_blobs(rows, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    return pd.DataFrame(X, columns=["a", "b"]).assign(kind=np.array(["u", "v", "w"])[y])


@pytest.mark.covers("plot_clusters_scatter")
def test_rounds_of_k_means_with_centres_and_cells() -> None:
    found = diagnose("k-means-steps", blobs().drop(columns="kind"), clusters=3, seed=1)
    for values in found.facts["objectives"]:
        assert values == sorted(values, reverse=True)
    assert len(found.figure.axes) == 4
    last = found.figure.axes[1]
    centres = next(line for line in last.lines if line.get_marker() == "X")
    assert len(centres.get_xdata()) == 3
    assert len(last.collections) >= 6  # three cells and three clusters
    assert "start 1, after" in to_svg(found.figure)
    far = diagnose("k-means-steps", blobs().drop(columns="kind"), clusters=3, start="furthest-first")
    assert far.facts["same_end"]
    assert "the same" in far.findings[0]


@pytest.mark.covers("plot_dbscan_types", "met_dbscan_types")
def test_core_border_and_noise_with_their_balls() -> None:
    rows = pd.DataFrame([[0, 0], [1, 0], [0, 1], [1, 1], [2, 1], [3, 1], [9, 9]], columns=["a", "b"], dtype=float)
    found = diagnose("dbscan-types", rows, eps=1.0, min_samples=3, scale=False)
    assert found.facts["types"] == {"core": 5, "border": 1, "noise": 1}
    assert found.table["type"].tolist() == ["core"] * 5 + ["border", "noise"]
    balls = [one for one in found.figure.axes[0].patches if isinstance(one, Circle)]
    assert (balls[0].center, balls[0].radius) == ((0.0, 0.0), 1.0)
    assert len(balls) == 5
    drawn = {str(one.get_label()): len(np.asarray(one.get_offsets())) for one in found.figure.axes[0].collections}
    assert drawn == {"core": 5, "border": 1, "noise": 1}
    wide = diagnose("dbscan-types", blobs().drop(columns="kind").assign(c=1.0 * np.arange(90)))
    assert not wide.figure.axes[0].patches  # in three columns a ball is no circle
    with pytest.raises(DataError) as caught:
        diagnose("dbscan-types", blobs()[["a", "kind"]])
    assert caught.value.code == "PEN348"


@pytest.mark.covers("plot_cluster_failures", "cl_kmeans_vs_dbscan")
def test_shapes_that_k_means_misses() -> None:
    found = diagnose("cluster-shapes")
    assert found.table.loc["round", "k-means"] > 0.95
    assert {"moons", "rings", "unequal size"} <= set(found.facts["missed"]["k-means"])
    assert (found.table.loc[["moons", "rings"], "dbscan"] > 0.9).all()
    assert found.table.loc["far rows", "k-means"] < 0.5 < found.table.loc["far rows", "dbscan"]
    assert "overlapping" in found.facts["missed"]["dbscan"]
    assert sum(bool(axes.get_title(loc="left")) for axes in found.figure.axes) == 14


@pytest.mark.covers("plot_kernel_pca")
def test_widths_of_a_kernel_beside_plain_components() -> None:
    X, y = make_circles(150, noise=0.03, factor=0.3, random_state=0)
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(ring=y)
    found = diagnose("kernel-widths", frame, target="ring", gammas=[0.01, 2.0])
    titles = [axes.get_title(loc="left") for axes in found.figure.axes][:3]
    assert titles == ["no kernel (PCA)", "gamma 0.01", "gamma 2"]
    plain = np.concatenate([np.asarray(one.get_offsets()) for one in found.figure.axes[0].collections])
    assert plain.shape == (150, 2)
    assert found.table.loc["gamma 2", "same group"] > 0.95
    assert "gamma 2" in str(found.findings) or found.table.loc["no kernel (PCA)", "same group"] > 0.95
    assert found.table.loc["gamma 0.01", "first of both"] == pytest.approx(
        found.table.loc["no kernel (PCA)", "first of both"], abs=0.05
    )


@pytest.mark.covers("plot_pca_failure")
def test_a_circle_and_slanted_axes() -> None:
    found = diagnose("pca-limits", seed=1)
    assert found.facts["circle"] == pytest.approx([0.5, 0.5], abs=0.05)
    assert found.facts["off"]["ICA"] < 5 < found.facts["off"]["PCA"]
    slanted = found.figure.axes[1]
    assert len(slanted.lines) == 4  # two directions of each method
    ways = [np.diff(np.column_stack(line.get_data()), axis=0)[0] for line in slanted.lines[:2]]
    assert abs(ways[0] @ ways[1]) < 1e-6


@pytest.mark.covers("plot_tls_vs_ols", "met_perpendicular_error")
def test_upright_errors_and_errors_at_right_angles() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=80)
    frame = pd.DataFrame({"x": x + 0.5 * rng.normal(size=80), "y": x + 0.5 * rng.normal(size=80)})
    found = diagnose("two-lines", frame, x="x", y="y")
    lines = found.facts["lines"]
    plain, total = lines["least squares"], lines["first principal component"]
    assert plain["slope"] == pytest.approx(LinearRegression().fit(frame[["x"]], frame["y"]).coef_[0])
    assert plain["upright"] < total["upright"]
    assert total["at right angles"] < plain["at right angles"]
    way = found.facts["component"]
    assert total["slope"] == pytest.approx(way[1] / way[0])
    drawn = found.figure.axes[0].lines
    foot = drawn[-1].get_data()
    step = np.array([np.diff(foot[0])[0], np.diff(foot[1])[0]])
    assert abs(step @ way) < 1e-9  # the last error drawn stands at right angles to the line
    with pytest.raises(DataError) as caught:
        diagnose("two-lines", frame.assign(x=1.0), x="x", y="y")
    assert caught.value.code == "PEN349"
