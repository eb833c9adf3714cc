from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.decomposition import PCA
from sklearn.metrics import silhouette_samples

from penstock.components.plots.clustering import choice_of_k, cluster_profile, clusters_2d, silhouette_plot
from penstock.components.plots.style import PALETTE, QUIET


@pytest.mark.covers("plot_pca_map")
def test_rows_on_two_principal_components_are_coloured_by_class() -> None:
    X, species = load_iris(return_X_y=True)
    pca = PCA(2).fit(X)
    points = pca.transform(X)
    figure = clusters_2d(points, species, pca.explained_variance_ratio_)
    axes = figure.axes[0]
    for code, dots in enumerate(axes.collections):
        assert np.array_equal(dots.get_offsets(), points[species == code])
        assert dots.get_label() == f"{code} (50)"
    assert len({tuple(dots.get_facecolor()[0]) for dots in axes.collections}) == 3
    assert axes.get_xlabel() == "Component 1 (92% of variance)"
    assert axes.get_ylabel() == "Component 2 (5% of variance)"


def test_noise_is_grey_and_no_cluster() -> None:
    points = np.arange(12.0).reshape(6, 2)
    figure = clusters_2d(points, np.array([-1, 0, 0, 1, 1, 1]))
    noise, *_ = figure.axes[0].collections
    assert noise.get_label() == "noise (1)"
    assert np.allclose(noise.get_facecolor()[0][:3], [int(QUIET[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    assert figure.get_suptitle() == "6 rows in 2 clusters"
    assert figure.axes[0].get_xlabel() == "Dimension 1"


def test_silhouettes_are_sorted_inside_their_cluster() -> None:
    X, y = make_blobs(60, centers=3, random_state=0)
    values = silhouette_samples(X, y)
    figure = silhouette_plot(values, y)
    axes = figure.axes[0]
    for cluster, shape in enumerate(axes.collections):
        width_of_row = {row: width for width, row in shape.get_paths()[0].vertices if width != 0}
        widths = [width for _, width in sorted(width_of_row.items())]
        assert widths == sorted(values[y == cluster], reverse=True)
    assert axes.lines[0].get_xdata()[0] == pytest.approx(values.mean())
    assert figure.get_suptitle() == f"Silhouette: {values.mean():.3f} on average"


def test_silhouettes_leave_out_noise() -> None:
    figure = silhouette_plot(np.array([-0.9, 0.5, 0.7]), np.array([-1, 0, 0]))
    assert len(figure.axes[0].collections) == 1
    assert "0.600" in figure.get_suptitle()


def curve(axes):
    return next(line for line in axes.lines if line.get_markersize() == 4)


def rings(axes):
    return [line for line in axes.lines if line.get_markersize() == 10]


def test_elbow_shows_the_spread_over_k_and_leaves_the_bend_to_the_eye() -> None:
    blobs, _ = make_blobs(150, centers=[(0, 0), (10, 0), (0, 10)], random_state=5)
    flat = np.random.default_rng(0).uniform(size=(150, 2))
    for X, has_bend in ((blobs, True), (flat, False)):
        spread = {k: KMeans(k, n_init=5, random_state=0).fit(X).inertia_ for k in range(1, 7)}
        (axes,) = choice_of_k({"inertia": spread}, 3).axes
        assert list(curve(axes).get_xdata()) == list(spread)
        assert list(curve(axes).get_ydata()) == list(spread.values())
        drops = -np.diff(np.log(curve(axes).get_ydata()))
        assert bool(drops[1] > 3 * drops[2]) == has_bend
        assert rings(axes) == []
        assert axes.get_title(loc="left") == "Spread inside, W(K)"
        dashed = next(line for line in axes.lines if line.get_linestyle() == "--")
        assert list(dashed.get_xdata()) == [3, 3]
        assert axes.get_xlabel() == "Number of clusters K"


def test_gap_curve_is_reference_minus_log_spread_with_its_maximum_marked() -> None:
    X, _ = make_blobs(120, centers=[(0, 0), (10, 0), (0, 10)], random_state=5)
    rng = np.random.default_rng(0)

    def log_spread(rows: np.ndarray, k: int) -> float:
        return float(np.log(KMeans(k, n_init=3, random_state=0).fit(rows).inertia_))

    references = [rng.uniform(X.min(axis=0), X.max(axis=0), X.shape) for _ in range(3)]
    gap = {k: np.mean([log_spread(rows, k) for rows in references]) - log_spread(X, k) for k in range(1, 6)}
    (axes,) = choice_of_k({"gap": gap}, 3).axes
    assert list(curve(axes).get_ydata()) == list(gap.values())
    (ring,) = rings(axes)
    assert ring.get_xdata()[0] == max(gap, key=gap.__getitem__) == 3
    assert ring.get_ydata()[0] == max(gap.values())


def test_each_method_has_a_panel_and_its_own_good_end() -> None:
    curves = {
        "silhouette": {"2": 0.5, "10": 0.4, "3": 0.6},
        "gaussian-mixture: bic": {2: 10.0, 3: 5.0, 4: 7.0},
        "k-means": {2: 0.1, 3: 0.2, 4: 0.15},
        "odd": {2: None},
    }
    silhouette, bic, k_means, empty = choice_of_k(curves, None).axes
    assert list(curve(silhouette).get_xdata()) == [2, 3, 10]
    assert rings(silhouette)[0].get_xdata()[0] == 3
    assert rings(bic)[0].get_ydata()[0] == 5
    assert rings(k_means)[0].get_ydata()[0] == 0.2
    titles = [(axes.get_title(loc="left"), axes.get_ylabel()) for axes in (silhouette, bic, k_means)]
    assert titles == [("Silhouette", "Silhouette"), ("gaussian-mixture", "BIC"), ("k-means", "Score")]
    assert not empty.axison


def test_profile_shows_values_and_shades_by_distance_from_the_mean() -> None:
    profiles = {
        "0": {"age": 20.0, "height": 170.0, "town": "Bari"},
        "1": {"age": 60.0, "height": 172.0, "town": "Rome"},
    }
    figure = cluster_profile(profiles)
    axes = figure.axes[0]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["age", "height"]
    shown = {(text.get_position()[1] - 0.5, text.get_position()[0] - 0.5): text.get_text() for text in axes.texts}
    assert shown == {(0, 0): "20", (0, 1): "60", (1, 0): "170", (1, 1): "172"}
    above, below = axes.collections
    assert above.get_array().mask.tolist() == [[True, False], [True, False]]
    assert below.get_array().mask.tolist() == [[False, True], [False, True]]
    assert above.get_array()[0, 1] == pytest.approx(1)
    assert above.cmap(1.0)[:3] == pytest.approx([int(PALETTE[1][i : i + 2], 16) / 255 for i in (1, 3, 5)])
